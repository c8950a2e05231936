// Equality of two short texts of the same length, without a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace interline::schema {

namespace detail {

template <class Word>
[[nodiscard]] inline bool same_word(const char* a, const char* b) {
  Word x;
  Word y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return x == y;
}

}  // namespace detail

/// Words from the front and one that ends with the text; they may overlap.
[[nodiscard]] inline bool equal_bytes(const char* a, const char* b, std::size_t size) {
  if (size > 32) return std::memcmp(a, b, size) == 0;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      if (!detail::same_word<std::uint64_t>(a + at, b + at)) return false;
    }
    return detail::same_word<std::uint64_t>(a + size - 8, b + size - 8);
  }
  if (size >= 4) {
    return detail::same_word<std::uint32_t>(a, b) &&
           detail::same_word<std::uint32_t>(a + size - 4, b + size - 4);
  }
  return size == 0 || (a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1]);
}

[[nodiscard]] inline bool equal_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal_bytes(a.data(), b.data(), a.size());
}

}  // namespace interline::schema
