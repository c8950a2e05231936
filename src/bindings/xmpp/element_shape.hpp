// Strict reading of elements in the specification's two namespaces: what their schemas do not have
// is refused, so that nothing unknown passes a fingerprint unseen.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

struct ChildShape {
  std::string_view ns;
  std::string_view name;
  bool required;
};

/// An element as its schema has it. The spans are constants of whoever reads.
struct ElementShape {
  enum class Content : std::uint8_t {
    children,  ///< `children` in that order, each at most once, with white space at most between
    text,      ///< character data alone
  };
  std::span<const std::string_view> required;  ///< attributes
  std::span<const std::string_view> optional;  ///< attributes
  std::span<const ChildShape> children;
  Content content = Content::children;
};

/// Attributes of a namespace are no business of the schema: servers add xml:lang. Errors:
/// malformed, naming what is missing in our words.
[[nodiscard]] Result<void> check_shape(Element element, const ElementShape& shape);

}  // namespace interline::xmpp
