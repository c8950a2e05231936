// Character classes that the grammars of the formats share.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace interline::schema::grammar {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_alphanumeric(char c) {
  return is_alpha(c) || is_digit(c);
}
[[nodiscard]] constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
[[nodiscard]] constexpr bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
[[nodiscard]] constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// A set of ASCII characters.
class AsciiSet {
 public:
  constexpr AsciiSet(std::initializer_list<std::string_view> characters) {
    for (const std::string_view each : characters) {
      for (const char c : each) in_[static_cast<unsigned char>(c)] = true;
    }
  }
  [[nodiscard]] constexpr bool contains(char c) const {
    return is_ascii(c) && in_[static_cast<unsigned char>(c)];
  }

 private:
  std::array<bool, 128> in_{};
};

inline constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr std::string_view kDigits = "0123456789";

/// Whether "%" and two hexadecimal digits stand at `at`.
[[nodiscard]] constexpr bool percent_encoded_at(std::string_view text, std::size_t at) {
  return text.size() - at >= 3 && text[at] == '%' && is_hex_digit(text[at + 1]) &&
         is_hex_digit(text[at + 2]);
}

/// RFC 3987 section 2.2: ucschar.
[[nodiscard]] constexpr bool is_ucschar(char32_t c) {
  if (c < 0x10000) {
    return (c >= 0xA0 && c <= 0xD7FF) || (c >= 0xF900 && c <= 0xFDCF) ||
           (c >= 0xFDF0 && c <= 0xFFEF);
  }
  if (c > 0xEFFFD) return false;
  const char32_t plane_offset = c & 0xFFFFU;
  return plane_offset <= 0xFFFD && !(c >= 0xE0000 && plane_offset < 0x1000);
}

/// RFC 3987 section 2.2: iprivate.
[[nodiscard]] constexpr bool is_iprivate(char32_t c) {
  return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && c <= 0xFFFFD) ||
         (c >= 0x100000 && c <= 0x10FFFD);
}

}  // namespace interline::schema::grammar
