// Base64 and base64url of RFC 4648, strictly: one text for one byte string, so that a decoded text
// that was accepted always encodes to itself.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace interline {

/// RFC 4648 section 4, with padding.
[[nodiscard]] std::string encode_base64(BytesView bytes);
[[nodiscard]] inline std::string encode_base64(std::string_view bytes) {
  return encode_base64(as_bytes(bytes));
}
/// Refuses white space, a length that is no multiple of four, padding elsewhere than at the end and
/// trailing bits that are not zero (section 3.5). Errors: malformed, with a fixed sentence.
[[nodiscard]] Result<std::string> decode_base64(std::string_view text);

/// RFC 4648 section 5, without padding (section 3.2).
[[nodiscard]] std::string encode_base64url(BytesView bytes);
[[nodiscard]] inline std::string encode_base64url(std::string_view bytes) {
  return encode_base64url(as_bytes(bytes));
}
/// Refuses padding, white space, a length of 4n+1 and trailing bits that are not zero.
[[nodiscard]] Result<std::string> decode_base64url(std::string_view text);

}  // namespace interline
