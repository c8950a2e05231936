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
  if (document) return *std::move(document);
  switch (document.error().code) {
    case json::ParseErrorCode::duplicate_name:
    case json::ParseErrorCode::lone_surrogate:
    case json::ParseErrorCode::number_overflow:
      return fail(ErrorKind::not_acceptable, json::to_string(document.error()));
    default:
      return std::unexpected(json::to_error(document.error()));
  }
}

}  // namespace interline::xmpp
