// Helpers of this folder's tests and fuzz targets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/xmpp/xml_stream.hpp"

namespace interline::xmpp::testing {

inline constexpr std::string_view kHeader =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' "
    "xmlns:stream='http://etherx.jabber.org/streams' from='agents.example.test' id='3BF96D32'>";

/// The element as `{ns}name[name="value"](children|'text')`: trees compare as text.
inline std::string dump(const XmlNode& node) {
  if (!node.is_element()) return "'" + std::string(node.text) + "'";
  const auto name = [](std::string_view ns, std::string_view local) {
    return ns.empty() ? std::string(local) : "{" + std::string(ns) + "}" + std::string(local);
  };
  std::string out = name(node.ns, node.name);
  for (const Attribute& each : Element(node).attributes()) {
    out += "[" + name(each.ns, each.name) + "=\"" + std::string(each.value) + "\"]";
  }
  out += "(";
  for (const XmlNode* child = node.first_child; child != nullptr; child = child->next) {
    out += dump(*child);
  }
  return out + ")";
}
inline std::string dump(Element element) {
  return dump(element.node());
}

inline std::string dump(const StreamEvent& event) {
  struct Visitor {
    std::string operator()(const StreamOpened& e) const {
      return "opened {" + e.ns + "}" + e.name + " default=" + e.default_ns + " id=" + e.id +
             " from=" + e.from;
    }
    std::string operator()(const Stanza& e) const {
      return std::string("stanza") + (e.oversized() ? " oversized" : "") +
             (e.misshapen() ? " misshapen" : "") + " " + std::to_string(e.wire_size()) + " " +
             dump(e.root());
    }
    std::string operator()(const StreamClosed&) const { return "closed"; }
    std::string operator()(const StreamFault& e) const {
      return "fault " + std::string(to_string(e.condition)) + ": " + std::string(e.why);
    }
  };
  return std::visit(Visitor(), event);
}

/// Feeds the bytes in pieces of `piece` and returns what came out, one text an event.
inline std::vector<std::string> read_stream(std::string_view bytes, std::size_t piece = SIZE_MAX,
                                            const StreamBounds& bounds = {}) {
  XmlStream stream(bounds, 1);
  std::vector<StreamEvent> events;
  while (!bytes.empty()) {
    stream.feed(bytes.substr(0, piece), events);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  stream.finish(events);
  std::vector<std::string> out;
  for (const StreamEvent& event : events) out.push_back(dump(event));
  return out;
}

/// The one stanza written there, as it would arrive on a component's stream.
inline Stanza read_stanza(std::string_view xml) {
  XmlStream stream({}, 1);
  std::vector<StreamEvent> events;
  stream.feed(kHeader, events);
  stream.feed(xml, events);
  if (events.size() != 2 || !std::holds_alternative<Stanza>(events[1])) {
    throw std::runtime_error("not one stanza: " + std::string(xml));
  }
  return std::get<Stanza>(std::move(events[1]));
}

}  // namespace interline::xmpp::testing
