#include "schema/decimal.hpp"

#include <algorithm>
#include <cmath>

namespace interline::schema {
namespace {

constexpr double kTwo53 = 9007199254740992.0;
/// Below it, remainder * 10 + 9 fits in 64 bits.
constexpr std::uint64_t kLargestCoefficient = 1'000'000'000'000'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The exponent written behind `e`, saturated: no text is long enough to bring more zeros.
std::int64_t written_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  for (const char c : text)
    exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000'000);
  return negative ? -exponent : exponent;
}

/// Feeds the significant digits to digit(value), zeros inside them included, trailing ones not;
/// returns the exponent of the last one.
template <class Digit>
std::int64_t scan_digits(std::string_view text, Digit digit) {
  std::int64_t exponent = 0;
  std::int64_t zeros = 0;  // seen, but not yet known to be inside
  bool started = false;
  bool fraction = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.') {
      fraction = true;
    } else if (is_digit(c)) {
      if (fraction) --exponent;
      if (c == '0') {
        if (started) ++zeros;
        continue;
      }
      started = true;
      for (; zeros > 0; --zeros) digit(0U);
      digit(static_cast<unsigned>(c - '0'));
    } else if (c == 'e' || c == 'E') {
      exponent += written_exponent(text.substr(i + 1));
      break;
    }
  }
  return exponent + zeros;
}

}  // namespace

Divisor make_divisor(const json::Value& value) {
  Divisor divisor;
  divisor.number = value.as_double();
  std::uint64_t coefficient = 0;
  divisor.exponent = scan_digits(value.as_number_text(), [&](unsigned digit) {
    if (coefficient >= kLargestCoefficient / 10) {
      divisor.exact = false;
    } else {
      coefficient = coefficient * 10 + digit;
    }
  });
  divisor.coefficient = std::max<std::uint64_t>(coefficient, 1);
  if (std::trunc(divisor.number) == divisor.number && divisor.number < kTwo53) {
    divisor.integer = static_cast<std::int64_t>(divisor.number);
  }
  return divisor;
}

bool is_multiple(const json::Value& value, const Divisor& divisor) {
  const double number = value.as_double();
  if (divisor.integer != 0 && std::abs(number) < kTwo53 && std::trunc(number) == number) {
    return static_cast<std::int64_t>(number) % divisor.integer == 0;
  }
  if (!divisor.exact) return std::fmod(number, divisor.number) == 0;
  std::uint64_t remainder = 0;
  bool zero = true;
  const std::int64_t exponent = scan_digits(value.as_number_text(), [&](unsigned digit) {
    zero = false;
    remainder = (remainder * 10 + digit) % divisor.coefficient;
  });
  if (zero) return true;
  // Without trailing zeros, no digit is left that a smaller exponent could take from.
  if (exponent < divisor.exponent) return false;
  // A coefficient below 2^60 has fewer than 60 factors of 2 or 5: more tens change nothing.
  std::int64_t tens = std::min<std::int64_t>(exponent - divisor.exponent, 64);
  for (; tens > 0 && remainder != 0; --tens) remainder = remainder * 10 % divisor.coefficient;
  return remainder == 0;
}

bool is_integer(const json::Value& value) {
  const double number = value.as_double();
  return std::trunc(number) == number;  // an infinity stands for a number above 1e308
}

}  // namespace interline::schema
