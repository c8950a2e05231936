#include "json/number_format.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace interline::json::detail {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr int kLargestPlainExponent = 21;              // ECMA-262: 1e21 is the first with an e
constexpr int kSmallestPlainExponent = -6;             // and 1e-7 the first at the other end

/// The shortest digits that read back as the same double: value = 0.DIGITS x 10^point.
struct Shortest {
  char digits[20];
  int count = 0;
  int point = 0;
};

Shortest shortest(double positive) {
  char text[kNumberRoom];
  const char* const end =
      std::to_chars(text, text + sizeof text, positive, std::chars_format::scientific).ptr;
  Shortest result;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at != '.') result.digits[result.count++] = *at;
  }
  const bool negative = at[1] == '-';
  int exponent = 0;
  for (at += 2; at != end; ++at) exponent = exponent * 10 + (*at - '0');
  result.point = (negative ? -exponent : exponent) + 1;
  return result;
}

char* put(char* out, const char* text, int size) {
  std::memcpy(out, text, static_cast<std::size_t>(size));
  return out + size;
}

char* put_zeros(char* out, int count) {
  std::memset(out, '0', static_cast<std::size_t>(count));
  return out + count;
}

char* put_exponential(char* out, const Shortest& number) {
  *out++ = number.digits[0];
  if (number.count > 1) {
    *out++ = '.';
    out = put(out, number.digits + 1, number.count - 1);
  }
  const int exponent = number.point - 1;
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  return std::to_chars(out, out + 4, std::abs(exponent)).ptr;
}

}  // namespace

char* format_number(char* out, double number) {
  if (std::fabs(number) < kExactIntegers) {
    const auto integer = static_cast<std::int64_t>(number);
    if (static_cast<double>(integer) == number) {  // -0 as well: it is written 0
      return std::to_chars(out, out + kNumberRoom, integer).ptr;
    }
  }
  if (number < 0) *out++ = '-';
  const Shortest parts = shortest(std::fabs(number));
  const int point = parts.point;
  if (point > kLargestPlainExponent || point <= kSmallestPlainExponent) {
    return put_exponential(out, parts);
  }
  if (point <= 0) {
    out = put(out, "0.", 2);
    out = put_zeros(out, -point);
    return put(out, parts.digits, parts.count);
  }
  if (point >= parts.count) {
    out = put(out, parts.digits, parts.count);
    return put_zeros(out, point - parts.count);
  }
  out = put(out, parts.digits, point);
  *out++ = '.';
  return put(out, parts.digits + point, parts.count - point);
}

}  // namespace interline::json::detail
