// multipleOf in decimal arithmetic: 0.0075 is a multiple of 0.0001, which their doubles are not.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.hpp"

namespace interline::schema {

/// The value of a `multipleOf`, prepared: coefficient * 10^exponent, without trailing zeros.
struct Divisor {
  std::uint64_t coefficient = 1;
  std::int64_t exponent = 0;
  std::int64_t integer = 0;  ///< the value itself, where it is an integer below 2^53; else 0
  double number = 1;
  bool exact = true;  ///< false: more than 18 significant digits; doubles decide
};

/// `number` is a positive JSON number.
[[nodiscard]] Divisor make_divisor(const json::Value& number);

/// Whether number / divisor is an integer, by the digits as written.
[[nodiscard]] bool is_multiple(const json::Value& number, const Divisor& divisor);

/// Whether a number has no fraction: of its double, as I-JSON reads it; 1.0 and 1e400 have none.
[[nodiscard]] bool is_integer(const json::Value& number);

}  // namespace interline::schema
