#include "bindings/xmpp/element_shape.hpp"

#include <algorithm>
#include <string>

namespace interline::xmpp {
namespace {

[[nodiscard]] std::unexpected<Error> bad(std::string_view what, std::string_view name = {}) {
  return fail(ErrorKind::malformed, std::string(what).append(name));
}

Result<void> check_attributes(Element element, const ElementShape& shape) {
  for (const std::string_view name : shape.required) {
    if (!element.attribute(name)) return bad("missing attribute ", name);
  }
  for (const Attribute& each : element.attributes()) {
    if (!each.ns.empty()) continue;
    if (std::ranges::find(shape.required, each.name) == shape.required.end() &&
        std::ranges::find(shape.optional, each.name) == shape.optional.end()) {
      return bad("unknown attribute");
    }
  }
  return {};
}

Result<void> check_children(Element element, const ElementShape& shape) {
  if (element.has_text()) return bad("text between elements");
  auto expected = shape.children.begin();
  for (const Element child : element.children()) {
    while (expected != shape.children.end() && !child.is(expected->ns, expected->name)) {
      if (expected->required) return bad("missing element ", expected->name);
      ++expected;
    }
    if (expected == shape.children.end()) return bad("unknown, repeated or misplaced element");
    ++expected;
  }
  const auto missing = std::ranges::find_if(expected, shape.children.end(), &ChildShape::required);
  if (missing != shape.children.end()) return bad("missing element ", missing->name);
  return {};
}

}  // namespace

Result<void> check_shape(Element element, const ElementShape& shape) {
  if (auto attributes = check_attributes(element, shape); !attributes) return attributes;
  if (shape.content == ElementShape::Content::children) return check_children(element, shape);
  if (!element.children().empty()) return bad("element where text belongs");
  return {};
}

}  // namespace interline::xmpp
