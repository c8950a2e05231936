#include "bindings/xmpp/expanded_names.hpp"

#include <optional>

#include "bindings/xmpp/stanza_builder.hpp"

namespace interline::xmpp {
namespace {

constexpr std::size_t kUsualPointers = 256;

void join(const NamespaceScopes::Name& name, std::string& into) {
  into.assign(name.ns);
  if (!name.ns.empty()) into += kNameSeparator;
  into += name.local;
}

}  // namespace

bool ExpandedNames::expand(const NamespaceScopes& scopes, std::string_view name,
                           const char* const* attributes) {
  const std::optional<NamespaceScopes::Name> element = scopes.element(name);
  bool known = element.has_value();
  if (element) {
    join(*element, name_);
  } else {
    name_.assign(name);
  }
  if (attributes_.capacity() > kUsualPointers) std::vector<const char*>().swap(attributes_);
  attributes_.clear();
  prefixed_.clear();
  prefixed_.reserve(most_prefixed_);  // they stay where they are
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view written = attributes[0];
    if (NamespaceScopes::is_declaration(written)) continue;
    const char* expanded = attributes[0];
    if (written.contains(':') && prefixed_.size() < most_prefixed_) {
      const auto found = scopes.attribute(written);
      known = known && found.has_value();
      if (found) {
        join(*found, prefixed_.emplace_back());
        expanded = prefixed_.back().c_str();
      }
    }
    attributes_.push_back(expanded);
    attributes_.push_back(attributes[1]);
  }
  attributes_.push_back(nullptr);
  return known;
}

}  // namespace interline::xmpp
