// multipleOf in decimal arithmetic: 0.0075 is a multiple of 0.0001, which their doubles are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace interline::schema {

/// The value of a `multipleOf`, prepared: its significant digits, without trailing zeros, times
/// 10^exponent.
struct Divisor {
  std::uint64_t coefficient = 1;  ///< the digits, where they are at most 18
  std::int64_t exponent = 0;
  std::int64_t integer = 0;  ///< the value itself, where it is an integer below 10^15; else 0
  /// More than 18 digits: the coefficient in base 10^9, least significant first. Else empty.
  std::vector<std::uint32_t> limbs;
  std::size_t tens = 0;  ///< how many factors 2 or 5 the limbs have, or more: see is_multiple()
};

/// `number` is a positive JSON number.
[[nodiscard]] Divisor make_divisor(const json::Value& number);

/// Whether number / divisor is an integer, by the digits as written: exact for any number of them.
[[nodiscard]] bool is_multiple(const json::Value& number, const Divisor& divisor);

/// What is_multiple() costs at most, in steps of ValidateLimits: the product of the digits of both.
[[nodiscard]] std::size_t multiple_steps(const json::Value& number, const Divisor& divisor);

/// Whether a number has no fraction: of its double, as I-JSON reads it; 1.0 and 1e400 have none.
[[nodiscard]] bool is_integer(const json::Value& number);

}  // namespace interline::schema
