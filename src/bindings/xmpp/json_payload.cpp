#include "bindings/xmpp/json_payload.hpp"

#include <utility>

namespace interline::xmpp {

Result<std::string> read_json_text(Element element, std::string_view media_type) {
  const auto sent = element.attribute(attribute::kMediaType);
  if (!sent) return fail(ErrorKind::malformed, "missing attribute media-type");
  if (*sent != media_type) return fail(ErrorKind::malformed, "unknown media-type");
  if (!element.children().empty()) {
    return fail(ErrorKind::malformed, "element where JSON belongs");
  }
  return element.text();
}

Result<json::Document> parse_json_payload(std::string text, const json::Limits& limits) {
  auto document = json::parse(std::move(text), limits);
  if (!document) return std::unexpected(json::to_error(document.error()));
  return *std::move(document);
}

}  // namespace interline::xmpp
