// One string, one number: what the parser reads between two structural characters. These look and
// judge; they take no memory. Internal to json/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "json/parse.hpp"

namespace interline::json::detail {

/// A string literal from the byte after its opening quote.
struct ScannedString {
  const char* end = nullptr;  ///< after the closing quote; nullptr if the string is bad
  std::size_t size = 0;       ///< bytes when unescaped
  bool escaped = false;       ///< the unescaped text is not the bytes between the quotes
  ParseErrorCode code{};      ///< where bad: what and where
  const char* error_at = nullptr;
};

/// Reads up to the closing quote; `max_bytes` is for the unescaped text. `at` is after the opening
/// quote, which is where string_too_long is reported.
[[nodiscard]] ScannedString scan_string(const char* at, const char* end, std::size_t max_bytes);

/// Writes the unescaped form of a literal that scan_string accepted.
void unescape(const char* at, const char* closing_quote, char* out);

struct ScannedNumber {
  const char* end = nullptr;   ///< after the last digit; nullptr if the number is bad
  double value = 0;            ///< nearest double; an infinity where it overflows
  bool small_integer = false;  ///< an integer literal of at most 2^53 in magnitude
  bool canonical = false;      ///< surely as RFC 8785 writes the value
  bool padded = false;         ///< the same but for zeros at the end of its fraction
  ParseErrorCode code{};       ///< where bad: what and where
  const char* error_at = nullptr;
};

/// Reads a number that begins with a digit or a minus sign.
[[nodiscard]] ScannedNumber scan_number(const char* at, const char* end, std::size_t max_bytes);

}  // namespace interline::json::detail
