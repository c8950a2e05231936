#include "bindings/xmpp/stanza.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "bindings/xmpp/stanza_storage.hpp"

namespace interline::xmpp {
namespace {

constexpr std::string_view kXmlSpace = " \t\n\r";
static_assert(std::is_trivially_destructible_v<XmlNode>);
static_assert(std::is_trivially_destructible_v<Attribute>);

}  // namespace

bool is_xml_space(std::string_view text) {
  return text.find_first_not_of(kXmlSpace) == std::string_view::npos;
}

std::string_view trim_xml_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kXmlSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kXmlSpace) - begin + 1);
}

std::optional<std::string_view> Element::attribute(std::string_view ns,
                                                   std::string_view name) const {
  const auto found = std::ranges::find_if(
      attributes(), [&](const Attribute& each) { return each.name == name && each.ns == ns; });
  if (found == attributes().end()) return std::nullopt;
  return found->value;
}

std::optional<Element> Element::child(std::string_view ns, std::string_view name) const {
  for (const Element each : children()) {
    if (each.is(ns, name)) return each;
  }
  return std::nullopt;
}

std::string Element::text() const {
  std::string out;
  for (const XmlNode* node = node_->first_child; node != nullptr; node = node->next) {
    out += node->text;
  }
  return out;
}

bool Element::has_text() const {
  for (const XmlNode* node = node_->first_child; node != nullptr; node = node->next) {
    if (!is_xml_space(node->text)) return true;
  }
  return false;
}

Stanza::Stanza(std::unique_ptr<Storage> storage, const XmlNode& root)
    : storage_(std::move(storage)), root_(&root) {}
Stanza::Stanza(Stanza&&) noexcept = default;
Stanza& Stanza::operator=(Stanza&&) noexcept = default;
Stanza::~Stanza() = default;

}  // namespace interline::xmpp
