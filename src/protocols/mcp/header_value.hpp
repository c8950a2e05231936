// Values of `Mcp-Name` and `Mcp-Param-*`: any text as an HTTP field value and back (2026-07-28,
// basic/transports/streamable-http, "Value Encoding").
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::protocols::mcp {

/// As it is where that is safe; else `=?base64?` + Base64 + `?=`. Any bytes are encoded.
[[nodiscard]] std::string encode_header_value(std::string_view text);

/// What the sender meant by a field value, white space around it left out (RFC 9110, 5.5). A value
/// that lacks one of the markers, or in which they overlap, is a literal. malformed: a character
/// that has no place in a field value; a payload that is no canonical Base64 or no UTF-8.
[[nodiscard]] Result<std::string> decode_header_value(std::string_view value);

/// Without the spaces and tabs around it.
[[nodiscard]] std::string_view trim_header_value(std::string_view value);

}  // namespace interline::protocols::mcp
