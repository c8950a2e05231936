// Which namespace a prefix means, for the elements open now (Namespaces in XML 1.0).
//
// Kinder than a parser that knows namespaces: what one peer writes is passed on by its server in
// the one stream that all share. Servers bind the name of the XML namespace itself, which the
// standard forbids (section 3), where a client wrote <xml:a/>; so a fault of namespaces costs its
// stanza.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interline::xmpp {

class NamespaceScopes {
 public:
  struct Name {
    std::string_view ns;
    std::string_view local;
  };

  /// Names longer than `longest` are kept to one byte more, so that they are found to be too long.
  explicit NamespaceScopes(std::size_t longest) : longest_(longest) {}

  static constexpr std::size_t kMostBindings = 128;  ///< in scope

  /// Opens an element; `attributes` as expat has them: name, value, name, value, nullptr. False:
  /// one of its declarations is none, or there are too many.
  [[nodiscard]] bool enter(const char* const* attributes);
  void leave();

  [[nodiscard]] static bool is_declaration(std::string_view attribute_name);
  /// Nothing: not a name, or its prefix is not declared. Valid until the next enter() or leave().
  [[nodiscard]] std::optional<Name> element(std::string_view name) const;
  [[nodiscard]] std::optional<Name> attribute(std::string_view name) const;
  [[nodiscard]] std::string_view default_namespace() const;

 private:
  struct Binding {
    std::string prefix;
    std::string ns;
    std::size_t depth;
  };
  [[nodiscard]] bool declare(std::string_view prefix, std::string_view ns);
  [[nodiscard]] std::optional<std::string_view> find(std::string_view prefix) const;
  [[nodiscard]] std::optional<Name> prefixed(std::string_view name, std::size_t colon) const;

  std::size_t longest_;
  std::size_t depth_ = 0;
  std::vector<Binding> bindings_;
};

}  // namespace interline::xmpp
