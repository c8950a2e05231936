// JSON carried in XML elements.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza.hpp"
#include "json/parse.hpp"

namespace interline::xmpp {

/// All character data of an element whose `media-type` is exactly that one; no look at the JSON,
/// whose faults are nobody's business before the sender is authorised. Errors: malformed.
[[nodiscard]] Result<std::string> read_json_text(Element element,
                                                 std::string_view media_type = media_type::kJson);

/// One JSON value. Errors: resource_constraint beyond the limits, malformed for what is no JSON,
/// not_acceptable for what is no I-JSON (RFC 8785: names twice, lone surrogates, numbers beyond a
/// double).
[[nodiscard]] Result<json::Document> parse_json_payload(std::string text,
                                                        const json::Limits& limits);

}  // namespace interline::xmpp
