// UTF-8 as Unicode 15 section 3.9 (table 3-7) and RFC 3629 define it: no overlong forms, no
// surrogates, nothing above U+10FFFF. Long runs of ASCII cost a fraction of a byte each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace interline {

/// Bytes before the first that is not part of well-formed UTF-8; text.size() when all are.
[[nodiscard]] std::size_t valid_utf8_prefix(std::string_view text);
[[nodiscard]] inline bool is_valid_utf8(std::string_view text) {
  return valid_utf8_prefix(text) == text.size();
}

/// Bytes before the first that is not ASCII.
[[nodiscard]] std::size_t ascii_prefix(std::string_view text);

/// One decoded code point and the bytes it took; `size` is 0 where the bytes are ill-formed, cut
/// short or absent.
struct Utf8CodePoint {
  char32_t value = 0;
  std::uint8_t size = 0;
};

/// Decodes the code point that `text` begins with, strictly.
[[nodiscard]] Utf8CodePoint decode_utf8(std::string_view text);

/// Decodes one code point of text that is known to be valid and not empty: no checks.
[[nodiscard]] inline Utf8CodePoint decode_valid_utf8(const char* at) {
  const auto byte = [at](int i) { return static_cast<std::uint8_t>(at[i]); };
  const auto tail = [&byte](int i) { return static_cast<char32_t>(byte(i) & 0x3FU); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {static_cast<char32_t>(lead & 0x1FU) << 6U | tail(1), 2};
  if (lead < 0xF0) {
    return {static_cast<char32_t>(lead & 0x0FU) << 12U | tail(1) << 6U | tail(2), 3};
  }
  return {static_cast<char32_t>(lead & 0x07U) << 18U | tail(1) << 12U | tail(2) << 6U | tail(3), 4};
}

/// Code points in valid UTF-8: the length that JSON Schema's maxLength counts.
[[nodiscard]] std::size_t count_code_points(std::string_view valid_text);

/// Appends a scalar value (no surrogate, at most U+10FFFF).
void append_utf8(std::string& out, char32_t scalar);

/// The longest prefix of valid UTF-8 of at most `bytes` bytes that splits no code point.
[[nodiscard]] std::string_view cut_utf8(std::string_view valid_text, std::size_t bytes);

}  // namespace interline
