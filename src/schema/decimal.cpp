#include "schema/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace interline::schema {
namespace {

constexpr double kTwo53 = 9007199254740992.0;
/// A double keeps this many significant digits apart.
constexpr std::size_t kDoubleDigits = 15;
/// Below it, remainder * 10 + 9 fits in 64 bits.
constexpr std::uint64_t kCoefficientBound = 1'000'000'000'000'000'000;
constexpr std::uint32_t kLimbBase = 1'000'000'000;
constexpr std::size_t kLimbDigits = 9;
/// Beyond it, an exponent is not told from another: no number within json::Limits comes near with
/// its digits.
constexpr std::int64_t kMostExponent = 100'000'000'000'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The exponent written behind `e`, saturated: no text is long enough to bring more zeros.
std::int64_t written_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  for (const char c : text)
    exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), kMostExponent);
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

/// Digits as limbs, the last of them at the end of the text.
std::vector<std::uint32_t> limbs_of(std::string_view digits) {
  std::vector<std::uint32_t> limbs;
  limbs.reserve(digits.size() / kLimbDigits + 1);
  while (!digits.empty()) {
    const std::size_t count = std::min(kLimbDigits, digits.size());
    std::uint32_t limb = 0;
    for (const char c : digits.substr(digits.size() - count)) {
      limb = limb * 10 + static_cast<std::uint32_t>(c - '0');
    }
    limbs.push_back(limb);
    digits.remove_suffix(count);
  }
  return limbs;
}

/// The factors 2 or 5 of a coefficient, which without trailing zeros has one of them only. Limbs
/// whose lowest has nine are not looked at further: 30 a limb is more than there can be.
std::size_t tens_of(const std::vector<std::uint32_t>& limbs) {
  for (const std::uint32_t factor : {2U, 5U}) {
    std::size_t count = 0;
    std::uint32_t limb = limbs.front();
    for (; count < kLimbDigits && limb % factor == 0; ++count) limb /= factor;
    if (count == kLimbDigits) return limbs.size() * 30;
    if (count > 0) return count;
  }
  return 0;
}

/// A remainder by a divisor of many digits, one digit of the number after the other: schoolbook.
class LongRemainder {
 public:
  explicit LongRemainder(const std::vector<std::uint32_t>& divisor)
      : divisor_(divisor), limbs_(divisor.size() + 1) {}

  void digit(std::uint32_t value) {
    std::uint64_t carry = value;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * 10;
      limb = static_cast<std::uint32_t>(carry % kLimbBase);
      carry /= kLimbBase;
    }
    while (!below_divisor()) subtract();  // nine times at most
  }
  [[nodiscard]] bool zero() const {
    return std::ranges::all_of(limbs_, [](std::uint32_t limb) { return limb == 0; });
  }

 private:
  [[nodiscard]] bool below_divisor() const {
    if (limbs_.back() != 0) return false;
    for (std::size_t i = divisor_.size(); i-- > 0;) {
      if (limbs_[i] != divisor_[i]) return limbs_[i] < divisor_[i];
    }
    return false;
  }
  void subtract() {
    std::uint32_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const std::uint32_t take = (i < divisor_.size() ? divisor_[i] : 0) + borrow;
      borrow = limbs_[i] < take ? 1 : 0;
      limbs_[i] = limbs_[i] + borrow * kLimbBase - take;
    }
  }

  const std::vector<std::uint32_t>& divisor_;
  std::vector<std::uint32_t> limbs_;  // one more than the divisor has
};

/// The same by a divisor below 10^18.
class ShortRemainder {
 public:
  explicit ShortRemainder(std::uint64_t divisor) : divisor_(divisor) {}
  void digit(std::uint32_t value) { remainder_ = (remainder_ * 10 + value) % divisor_; }
  [[nodiscard]] bool zero() const { return remainder_ == 0; }

 private:
  std::uint64_t divisor_;
  std::uint64_t remainder_ = 0;
};

/// `tens`: the factors 2 or 5 that the divisor's coefficient has at most. More tens than that
/// change nothing.
template <class Remainder>
bool divides(Remainder remainder, const json::Value& value, const Divisor& divisor,
             std::size_t tens) {
  bool zero = true;
  const std::int64_t exponent = scan_digits(value.as_number_text(), [&](unsigned digit) {
    zero = false;
    remainder.digit(digit);
  });
  if (zero) return true;
  // Without trailing zeros, no digit is left that a smaller exponent could take from.
  if (exponent < divisor.exponent) return false;
  auto left = std::min(exponent - divisor.exponent, static_cast<std::int64_t>(tens));
  for (; left > 0 && !remainder.zero(); --left) remainder.digit(0);
  return remainder.zero();
}

}  // namespace

Divisor make_divisor(const json::Value& value) {
  Divisor divisor;
  std::string digits;
  divisor.exponent = scan_digits(value.as_number_text(), [&digits](unsigned digit) {
    digits.push_back(static_cast<char>('0' + digit));
  });
  std::uint64_t coefficient = 0;
  for (const char c : digits) {
    if (coefficient >= kCoefficientBound / 10) {
      divisor.limbs = limbs_of(digits);
      divisor.tens = tens_of(divisor.limbs);
      return divisor;
    }
    coefficient = coefficient * 10 + static_cast<unsigned>(c - '0');
  }
  divisor.coefficient = std::max<std::uint64_t>(coefficient, 1);
  if (divisor.exponent < 0 || digits.size() > kDoubleDigits) return divisor;
  if (divisor.exponent > static_cast<std::int64_t>(kDoubleDigits - digits.size())) return divisor;
  for (std::int64_t i = 0; i < divisor.exponent; ++i) coefficient *= 10;
  divisor.integer = static_cast<std::int64_t>(coefficient);
  return divisor;
}

bool is_multiple(const json::Value& value, const Divisor& divisor) {
  if (!divisor.limbs.empty()) {
    return divides(LongRemainder(divisor.limbs), value, divisor, divisor.tens);
  }
  // Texts this short that are no integer have no integer for a double; nor has what underflowed
  // but zero, which the digits decide.
  if (divisor.integer != 0 && value.as_number_text().size() <= kDoubleDigits) {
    const double number = value.as_double();
    if (number != 0 && std::abs(number) < kTwo53 && std::trunc(number) == number) {
      return static_cast<std::int64_t>(number) % divisor.integer == 0;
    }
  }
  return divides(ShortRemainder(divisor.coefficient), value, divisor, 64);
}

std::size_t multiple_steps(const json::Value& value, const Divisor& divisor) {
  const std::size_t digits = value.source().size();
  return digits / 8 + (digits + divisor.tens) * divisor.limbs.size() / 8;
}

bool is_integer(const json::Value& value) {
  const double number = value.as_double();
  return std::trunc(number) == number;  // an infinity stands for a number above 1e308
}

}  // namespace interline::schema
