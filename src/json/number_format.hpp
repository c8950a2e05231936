// A double as ECMAScript writes it, into a buffer. Internal to json/.
#pragma once

#include <cstddef>

namespace interline::json::detail {

/// Room for any number: a sign, 17 digits, a point and "e-324", or "0.00000" before 17 digits.
inline constexpr std::size_t kNumberRoom = 32;

/// RFC 8785 section 3.2.2.3 (ECMA-262 Number::toString) of a finite double; the end of the text.
[[nodiscard]] char* format_number(char* out, double number);

}  // namespace interline::json::detail
