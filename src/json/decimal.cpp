#include "json/decimal.hpp"

#include <algorithm>
#include <limits>

namespace interline::json::detail {
namespace {

constexpr std::size_t kLargestExponent = 18;  // digits: sums with any text's size fit 64 bits

/// The exponent after e or E; nothing where it is too long.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.size() > kLargestExponent) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

/// Steps over the digits of a Decimal's text.
class DigitReader {
 public:
  explicit DigitReader(std::string_view text) : text_(text) {}
  /// The next digit, or -1 at the end.
  int next() {
    if (!text_.empty() && text_.front() == '.') text_.remove_prefix(1);
    if (text_.empty()) return -1;
    const int digit = text_.front() - '0';
    text_.remove_prefix(1);
    return digit;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<Decimal> to_decimal(std::string_view number) {
  Decimal result;
  result.negative = number.starts_with('-');
  if (result.negative) number.remove_prefix(1);

  const std::size_t e = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, e);
  const std::size_t first = digits.find_first_not_of("0.");
  if (first == std::string_view::npos) return Decimal{};  // zero, whatever the sign and exponent
  const std::size_t last = digits.find_last_not_of("0.");
  result.text = digits.substr(first, last - first + 1);

  // The last digit's weight: places after the point count down, zeros before it count up.
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto signed_last = static_cast<std::int64_t>(last);
  const auto signed_point = static_cast<std::int64_t>(point);
  result.exponent = last < point ? signed_point - signed_last - 1 : signed_point - signed_last;
  if (e != std::string_view::npos) {
    const auto exponent = read_exponent(number.substr(e + 1));
    if (!exponent) return std::nullopt;
    result.exponent += *exponent;
  }
  return result;
}

bool same_decimal(std::string_view a, std::string_view b) {
  const auto x = to_decimal(a);
  const auto y = to_decimal(b);
  if (!x || !y) return a == b;
  if (x->negative != y->negative || x->exponent != y->exponent) return false;
  DigitReader left(x->text);
  DigitReader right(y->text);
  for (;;) {
    const int digit = left.next();
    if (digit != right.next()) return false;
    if (digit < 0) return true;
  }
}

std::optional<std::int64_t> to_int64(std::string_view number) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  const auto decimal = to_decimal(number);
  if (!decimal) return std::nullopt;
  if (decimal->text.empty()) return 0;
  if (decimal->exponent < 0 || decimal->exponent > 18 || decimal->text.size() > 20) {
    return std::nullopt;
  }
  const std::uint64_t limit = decimal->negative ? kMax + 1 : kMax;
  std::uint64_t magnitude = 0;
  const auto shift_in = [&magnitude, limit](unsigned digit) {
    if (magnitude > (limit - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
    return true;
  };
  DigitReader digits(decimal->text);
  for (int digit = digits.next(); digit >= 0; digit = digits.next()) {
    if (!shift_in(static_cast<unsigned>(digit))) return std::nullopt;
  }
  for (std::int64_t i = 0; i < decimal->exponent; ++i) {
    if (!shift_in(0)) return std::nullopt;
  }
  return static_cast<std::int64_t>(decimal->negative ? 0 - magnitude : magnitude);
}

}  // namespace interline::json::detail
