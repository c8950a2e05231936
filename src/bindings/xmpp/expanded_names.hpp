// An element's names as a StanzaBuilder takes them: namespace, kNameSeparator, local name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/xmpp/namespace_scopes.hpp"

namespace interline::xmpp {

class ExpandedNames {
 public:
  /// So many attributes with a prefix are expanded; with more the element is misshapen anyway.
  explicit ExpandedNames(std::size_t most_prefixed) : most_prefixed_(most_prefixed) {}

  /// Of the element that `scopes` has entered. False: a name has no namespace that is known, and
  /// stands as it was written.
  [[nodiscard]] bool expand(const NamespaceScopes& scopes, std::string_view name,
                            const char* const* attributes);

  /// Valid until the next expand(), as are attributes(), which are without declarations.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const char* const* attributes() const { return attributes_.data(); }

 private:
  std::size_t most_prefixed_;
  std::string name_;
  std::vector<std::string> prefixed_;
  std::vector<const char*> attributes_;
};

}  // namespace interline::xmpp
