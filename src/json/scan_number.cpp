// RFC 8259 section 6, read as the nearest IEEE-754 double (RFC 7493 section 2.2).
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "json/text_scanner.hpp"

namespace interline::json::detail {
namespace {

constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53U;
constexpr int kExactDigits = 19;  // any 19 digits fit 64 bits
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kLargestExactPower = 22;
constexpr std::int64_t kExponentCap = 1'000'000'000'000;  // more than digits can make up for

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What the digits say, gathered in the one pass over them.
struct Digits {
  std::uint64_t mantissa = 0;  ///< all digits as one integer, while there are at most 19
  std::int64_t count = 0;      ///< digits without leading zeros
  std::int64_t fraction = 0;   ///< digits after the point
  std::int64_t exponent = 0;   ///< as written, capped

  void add(char c) {
    const auto digit = static_cast<unsigned>(c - '0');
    if (count < kExactDigits) mantissa = mantissa * 10 + digit;
    if (count != 0 || digit != 0) ++count;
  }
};

/// from_chars where one multiplication does not do. It reports overflow and underflow alike.
double nearest_double(const char* begin, const char* end, const Digits& digits) {
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc::result_out_of_range) return value;
  const bool overflow = digits.count - digits.fraction + digits.exponent > 0;
  value = overflow ? std::numeric_limits<double>::infinity() : 0.0;
  return *begin == '-' ? -value : value;
}

double to_double(const char* begin, const char* end, const Digits& digits) {
  // Clinger 1990: an exact integer times or over an exact power of ten is rounded once, rightly.
  const std::int64_t power = digits.exponent - digits.fraction;
  if (FLT_EVAL_METHOD == 0 && digits.count <= kExactDigits && digits.mantissa <= kExactIntegers &&
      power >= -kLargestExactPower && power <= kLargestExactPower) {
    const auto mantissa = static_cast<double>(digits.mantissa);
    const double value =
        power < 0 ? mantissa / kPowersOfTen[-power] : mantissa * kPowersOfTen[power];
    return *begin == '-' ? -value : value;
  }
  return nearest_double(begin, end, digits);
}

class NumberScanner {
 public:
  NumberScanner(const char* begin, const char* end, std::size_t max_bytes)
      : begin_(begin), at_(begin), end_(end), max_bytes_(max_bytes) {}

  ScannedNumber scan() {
    if (*at_ == '-') ++at_;
    const char* const first = at_;
    if (!read_digits()) return bad();
    if (*first == '0' && at_ - first > 1) {
      at_ = first + 1;  // a leading zero: the digit after it is one too many
      return bad();
    }
    bool fraction = false;
    bool exponent = false;
    if (at_ != end_ && *at_ == '.') {
      fraction = true;
      ++at_;
      const char* const point = at_;
      if (!read_digits()) return bad();
      digits_.fraction = at_ - point;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      exponent = true;
      ++at_;
      if (!read_exponent()) return bad();
    }
    if (too_long()) return bad();
    return result(fraction, exponent);
  }

 private:
  [[nodiscard]] bool too_long() const {
    return static_cast<std::size_t>(at_ - begin_) > max_bytes_;
  }

  /// At least one digit.
  bool read_digits() {
    const char* const first = at_;
    for (; at_ != end_ && is_digit(*at_); ++at_) digits_.add(*at_);
    return at_ != first;
  }

  bool read_exponent() {
    bool negative = false;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) negative = *at_++ == '-';
    const char* const first = at_;
    std::int64_t value = 0;
    for (; at_ != end_ && is_digit(*at_); ++at_) {
      if (value < kExponentCap) value = value * 10 + (*at_ - '0');
    }
    digits_.exponent = negative ? -value : value;
    return at_ != first;
  }

  [[nodiscard]] ScannedNumber bad() const {
    ScannedNumber result;
    if (too_long()) {
      result.code = ParseErrorCode::number_too_long;
      result.error_at = begin_;
    } else {
      result.code = at_ == end_ ? ParseErrorCode::unexpected_end : ParseErrorCode::invalid_number;
      result.error_at = at_;
    }
    return result;
  }

  [[nodiscard]] ScannedNumber result(bool fraction, bool exponent) const {
    ScannedNumber result;
    result.end = at_;
    const bool negative = *begin_ == '-';
    if (!fraction && !exponent && digits_.count <= kExactDigits) {
      const auto magnitude = static_cast<double>(digits_.mantissa);
      result.value = negative ? -magnitude : magnitude;
      result.small_integer = digits_.mantissa <= kExactIntegers;
      result.canonical = result.small_integer && !(negative && digits_.mantissa == 0);
    } else {
      result.value = to_double(begin_, at_, digits_);
      // No two decimals of up to 15 digits share a double (DBL_DIG), so such a decimal is the
      // shortest and closest of its double; RFC 8785 writes it like this if not with an exponent.
      const bool decimal = !exponent && digits_.count <= DBL_DIG && std::fabs(result.value) >= 1e-6;
      result.canonical = decimal && at_[-1] != '0';
      result.padded = decimal && at_[-1] == '0';
    }
    return result;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t max_bytes_;
  Digits digits_;
};

}  // namespace

ScannedNumber scan_number(const char* at, const char* end, std::size_t max_bytes) {
  return NumberScanner(at, end, max_bytes).scan();
}

}  // namespace interline::json::detail
