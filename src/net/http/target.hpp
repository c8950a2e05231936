// Request targets (RFC 9112 section 3.2) and URI components, decoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http/head.hpp"

namespace interline::net::http {

/// "%41b" is "Ab". None where a percent sign is not followed by two hexadecimal digits, or the
/// result is no UTF-8 or has a NUL.
[[nodiscard]] std::optional<std::string> decode_percent(std::string_view text,
                                                        bool plus_is_space = false);

/// Everything but unreserved characters (RFC 3986 section 2.3) as %XX: safe in any component.
[[nodiscard]] std::string encode_percent(std::string_view text);

/// Fills path, segments, query and host of `request` from the head's target and Host field. Both
/// the origin form and the absolute form are understood, and "*" for OPTIONS. Statuses: 400.
[[nodiscard]] Parsed<void> parse_target(const RequestHead& head, Request& request);

}  // namespace interline::net::http
