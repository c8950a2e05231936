#include "bindings/xmpp/namespace_scopes.hpp"

#include <algorithm>
#include <ranges>

namespace interline::xmpp {
namespace {

constexpr std::string_view kXmlns = "xmlns";
constexpr std::string_view kXml = "xml";
constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";

}  // namespace

bool NamespaceScopes::is_declaration(std::string_view attribute_name) {
  return attribute_name.starts_with(kXmlns) &&
         (attribute_name.size() == kXmlns.size() || attribute_name[kXmlns.size()] == ':');
}

bool NamespaceScopes::enter(const char* const* attributes) {
  ++depth_;
  bool good = true;
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (!is_declaration(name)) continue;
    const std::string_view ns = attributes[1];
    if (name.size() == kXmlns.size()) {
      good = declare({}, ns) && good;
    } else {
      const std::string_view prefix = name.substr(kXmlns.size() + 1);
      const bool is_name = !prefix.empty() && !prefix.contains(':') && prefix != kXmlns;
      good = is_name && !ns.empty() && declare(prefix, ns) && good;
    }
  }
  return good;
}

void NamespaceScopes::leave() {
  --depth_;
  while (!bindings_.empty() && bindings_.back().depth > depth_) bindings_.pop_back();
}

bool NamespaceScopes::declare(std::string_view prefix, std::string_view ns) {
  if (prefix == kXml) return true;  // it is what it is
  if (prefix.size() > longest_ || bindings_.size() >= kMostBindings) return false;
  bindings_.push_back({std::string(prefix), std::string(ns.substr(0, longest_ + 1)), depth_});
  return true;
}

std::optional<std::string_view> NamespaceScopes::find(std::string_view prefix) const {
  if (prefix == kXml) return kXmlNamespace;
  for (const Binding& binding : std::views::reverse(bindings_)) {
    if (binding.prefix == prefix) return binding.ns;
  }
  return std::nullopt;
}

std::string_view NamespaceScopes::default_namespace() const {
  return find({}).value_or(std::string_view());
}

std::optional<NamespaceScopes::Name> NamespaceScopes::prefixed(std::string_view name,
                                                               std::size_t colon) const {
  const std::string_view local = name.substr(colon + 1);
  if (colon == 0 || local.empty() || local.contains(':')) return std::nullopt;
  const auto ns = find(name.substr(0, colon));
  if (!ns) return std::nullopt;
  return Name{*ns, local};
}

std::optional<NamespaceScopes::Name> NamespaceScopes::element(std::string_view name) const {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return Name{default_namespace(), name};
  return prefixed(name, colon);
}

std::optional<NamespaceScopes::Name> NamespaceScopes::attribute(std::string_view name) const {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return Name{{}, name};
  return prefixed(name, colon);
}

}  // namespace interline::xmpp
