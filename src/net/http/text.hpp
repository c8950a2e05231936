// RFC 9110's small grammar: tokens, optional whitespace, comparison without case, lists.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"

namespace interline::net::http {

namespace detail {

enum CharClass : std::uint8_t { kTokenChar = 1, kFieldChar = 2, kTargetChar = 4 };

consteval std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    if (is_token_character(static_cast<char>(c))) classes[c] |= kTokenChar;
    // RFC 9110 section 5.5: VCHAR, obs-text, SP and HTAB; nothing that ends a line or a string.
    if (c == '\t' || (c >= 0x20 && c != 0x7F)) classes[c] |= kFieldChar;
    // RFC 3986 without fragments; marks that URIs should escape are let through.
    if (c > 0x20 && c < 0x7F && c != '#') classes[c] |= kTargetChar;
  }
  return classes;
}
inline constexpr auto kClasses = make_classes();

constexpr bool all_of_class(std::string_view text, CharClass wanted) {
  for (const char c : text) {
    if ((kClasses[static_cast<unsigned char>(c)] & wanted) == 0) return false;
  }
  return true;
}

}  // namespace detail

using interline::equals_without_case;
using interline::to_lower;

/// RFC 9110 section 5.6.2.
[[nodiscard]] constexpr bool is_token(std::string_view text) {
  return !text.empty() && detail::all_of_class(text, detail::kTokenChar);
}

[[nodiscard]] constexpr bool is_field_value(std::string_view text) {
  return detail::all_of_class(text, detail::kFieldChar);
}

/// Without spaces and tabs at both ends.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The next non-empty element of a comma-separated list; takes it off the list.
[[nodiscard]] constexpr std::optional<std::string_view> next_element(std::string_view& list) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view element = trim(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    if (!element.empty()) return element;
  }
  return std::nullopt;
}

/// The value of a hexadecimal digit, or -1.
[[nodiscard]] constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace interline::net::http
