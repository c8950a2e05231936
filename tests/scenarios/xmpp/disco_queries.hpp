// Service discovery as callers ask for it, and what they read from the answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench.hpp"

namespace interline::testing {

using Strings = std::vector<std::string>;

inline const std::string kDi = "http://jabber.org/protocol/disco#info";
inline const std::string kDt = "http://jabber.org/protocol/disco#items";
inline const std::string kRsm = "http://jabber.org/protocol/rsm";
inline const std::string kEchoNode = "urn:xmpp:agent-tool:0#1#ZWNobw";

inline std::string info(std::string_view node = {}) {
  std::string xml = "<query xmlns='" + kDi + "'";
  if (!node.empty()) xml.append(" node='").append(node).append("'");
  return xml + "/>";
}
inline std::string items(std::string_view node = {}, std::string_view set = {}) {
  std::string xml = "<query xmlns='" + kDt + "'";
  if (!node.empty()) xml.append(" node='").append(node).append("'");
  xml.append(">");
  if (!set.empty()) xml.append("<set xmlns='" + kRsm + "'>").append(set).append("</set>");
  return xml + "</query>";
}

/// That attribute of every child of that name.
inline Strings all(const Reply& reply, std::string_view child, std::string_view attribute) {
  Strings found;
  if (!reply.ok()) return {reply.error()};
  for (const xmpp::Element each : reply.payload().children()) {
    if (each.name() == child) found.emplace_back(each.attribute(attribute).value_or("-"));
  }
  return found;
}
inline Strings features(const Reply& reply) {
  return all(reply, "feature", "var");
}

/// The form's fields as "var=value".
inline Strings fields(const Reply& reply) {
  Strings found;
  const auto form = reply.payload().child("jabber:x:data", "x");
  if (!form) return {"no form"};
  for (const xmpp::Element field : form->children()) {
    std::string text(field.attribute("var").value_or("-"));
    for (const xmpp::Element value : field.children()) text += "=" + value.text();
    found.push_back(text);
  }
  return found;
}

/// `<set/>` as "first@index last count".
inline std::string page(const Reply& reply) {
  const auto set = reply.payload().child(kRsm, "set");
  if (!set) return "none";
  std::string text;
  for (const xmpp::Element each : set->children()) {
    text += std::string(each.name()) + "=" + each.text();
    if (const auto index = each.attribute("index")) text += "@" + std::string(*index);
    text += " ";
  }
  return text;
}

}  // namespace interline::testing
