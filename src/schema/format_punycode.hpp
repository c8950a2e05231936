// Punycode, RFC 3492: Unicode labels in the letters, digits and hyphens of host names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace interline::schema {

/// DNS: octets of one label (RFC 1035 section 2.3.4). Longer input or output is refused, which
/// bounds what decoding costs.
inline constexpr std::size_t kLabelOctets = 63;

/// What follows "xn--", decoded; nothing where it is not Punycode or is too long.
[[nodiscard]] std::optional<std::u32string> decode_punycode(std::string_view text);
/// The reverse; nothing where the result would be too long.
[[nodiscard]] std::optional<std::string> encode_punycode(std::u32string_view label);

}  // namespace interline::schema
