// The two grammars of instant.hpp: one scanner, and a table of where they differ.
#include <optional>

#include "base/instant.hpp"

namespace interline {
namespace {

struct Grammar {
  bool either_case;
  bool leap_seconds;
  bool hour_24;
  int first_year;
  int max_offset_minutes;
};
constexpr Grammar kXep0082{false, false, true, 1, 14 * 60};
constexpr Grammar kRfc3339{true, true, false, 0, 23 * 60 + 59};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view strip_xml_space(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Reads from the front of a text; every step says whether it found what it asked for.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool number(std::size_t digits, int& value) {
    if (rest_.size() < digits) return false;
    value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return false;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return true;
  }
  [[nodiscard]] bool one(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::string_view digits() {
    std::size_t size = 0;
    while (size < rest_.size() && is_digit(rest_[size])) ++size;
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

class InstantParser {
 public:
  InstantParser(std::string_view text, const Grammar& grammar)
      : scanner_(text), grammar_(grammar) {}

  Result<Instant> parse() {
    if (!date_time() || !fraction() || !zone() || !scanner_.at_end()) {
      return fail(ErrorKind::malformed,
                  "not a date-time of the form YYYY-MM-DDThh:mm:ss[.digits](Z|+hh:mm|-hh:mm)");
    }
    const std::chrono::year_month_day date{std::chrono::year(year_),
                                           std::chrono::month(static_cast<unsigned>(month_)),
                                           std::chrono::day(static_cast<unsigned>(day_))};
    if (!date.ok() || year_ < grammar_.first_year) {
      return fail(ErrorKind::malformed, "a date-time with a day that does not exist");
    }
    if (offset_hour_ > 23 || offset_minute_ > 59 || offset() > grammar_.max_offset_minutes) {
      return fail(ErrorKind::malformed, "a date-time with an offset out of range");
    }
    if (!time_of_day()) {
      return fail(ErrorKind::malformed, "a date-time with a time of day out of range");
    }
    set_seconds(date);
    if (instant_.leap_second_ && !ends_a_month()) {
      return fail(ErrorKind::malformed, "a date-time with a leap second that cannot be");
    }
    return std::move(instant_);
  }

 private:
  bool date_time() {
    if (!scanner_.number(4, year_) || !scanner_.one('-') || !scanner_.number(2, month_) ||
        !scanner_.one('-') || !scanner_.number(2, day_)) {
      return false;
    }
    instant_.lower_t_ = grammar_.either_case && scanner_.one('t');
    if (!instant_.lower_t_ && !scanner_.one('T')) return false;
    return scanner_.number(2, hour_) && scanner_.one(':') && scanner_.number(2, minute_) &&
           scanner_.one(':') && scanner_.number(2, second_);
  }

  bool fraction() {
    if (!scanner_.one('.')) return true;
    std::string_view digits = scanner_.digits();
    if (digits.empty()) return false;
    instant_.digits_ = static_cast<std::uint8_t>(digits.size());
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    for (std::size_t i = 0; i < 9; ++i) {
      const auto digit = i < digits.size() ? static_cast<std::uint32_t>(digits[i] - '0') : 0U;
      instant_.nanoseconds_ = instant_.nanoseconds_ * 10 + digit;
    }
    if (digits.size() > 9) instant_.finer_digits_ = digits.substr(9);
    return true;
  }

  bool zone() {
    if (scanner_.one('Z')) return true;
    if (grammar_.either_case && scanner_.one('z')) {
      instant_.zone_ = Instant::Zone::lower_z;
      return true;
    }
    if (scanner_.one('+')) {
      instant_.zone_ = Instant::Zone::plus;
    } else if (scanner_.one('-')) {
      instant_.zone_ = Instant::Zone::minus;
    } else {
      return false;
    }
    return scanner_.number(2, offset_hour_) && scanner_.one(':') &&
           scanner_.number(2, offset_minute_);
  }

  bool time_of_day() {
    const bool no_fraction = instant_.nanoseconds_ == 0 && instant_.finer_digits_.empty();
    instant_.hour_24_ =
        grammar_.hour_24 && hour_ == 24 && minute_ == 0 && second_ == 0 && no_fraction;
    instant_.leap_second_ = grammar_.leap_seconds && second_ == 60;
    return (hour_ < 24 || instant_.hour_24_) && minute_ < 60 &&
           (second_ < 60 || instant_.leap_second_);
  }

  void set_seconds(std::chrono::year_month_day date) {
    const std::int64_t day = std::chrono::sys_days(date).time_since_epoch().count();
    const std::int64_t offset_seconds = std::int64_t{60} * offset();
    instant_.offset_minutes_ = static_cast<std::uint16_t>(offset());
    instant_.seconds_ = day * 86'400 + hour_ * 3'600 + minute_ * 60 + second_ -
                        (instant_.zone_ == Instant::Zone::minus ? -offset_seconds : offset_seconds);
  }

  /// Whether the instant, in UTC, is the midnight that a month begins with.
  [[nodiscard]] bool ends_a_month() const {
    if (instant_.seconds_ % 86'400 != 0) return false;
    const std::chrono::sys_days day{std::chrono::days(instant_.seconds_ / 86'400)};
    return std::chrono::year_month_day(day).day() == std::chrono::day(1);
  }

  [[nodiscard]] int offset() const { return offset_hour_ * 60 + offset_minute_; }

  Scanner scanner_;
  const Grammar& grammar_;
  Instant instant_;
  int year_ = 0;
  int month_ = 0;
  int day_ = 0;
  int hour_ = 0;
  int minute_ = 0;
  int second_ = 0;
  int offset_hour_ = 0;
  int offset_minute_ = 0;
};

namespace {

Result<Instant> parse(std::string_view text, const Grammar& grammar) {
  return InstantParser(text, grammar).parse();
}

std::unexpected<Error> too_long() {
  return fail(ErrorKind::malformed, "a date-time of more than 256 bytes");
}

}  // namespace

Result<Instant> Instant::parse_xep0082(std::string_view text) {
  if (text.size() > kMaxText) return too_long();
  return parse(strip_xml_space(text), kXep0082);
}

Result<Instant> Instant::parse_rfc3339(std::string_view text) {
  if (text.size() > kMaxText) return too_long();
  return parse(text, kRfc3339);
}

}  // namespace interline
