// RFC 3339: dates and times (section 5.6), leap seconds (section 5.7) and durations (appendix A).
//
// A second 60 is only possible as 23:59:60 UTC, and in a date-time only at the end of a UTC month:
// that is where leap seconds are inserted.
#include <array>
#include <optional>

#include "schema/format_characters.hpp"
#include "schema/format_grammar.hpp"

namespace interline::schema::grammar {
namespace {

constexpr int kMinutesPerDay = 24 * 60;

/// Takes fixed pieces off the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  /// A character, without regard to case: strings of ABNF have none (RFC 5234 section 2.3).
  bool take(char wanted) {
    if (rest_.empty() || to_lower(rest_.front()) != to_lower(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Exactly `count` digits; -1 where there are fewer. A further digit is the next piece's problem.
  int digits(std::size_t count) {
    if (rest_.size() < count) return -1;
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(rest_[i])) return -1;
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }
  /// 1*DIGIT; how many there were.
  std::size_t skip_digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
};

constexpr bool is_leap_year(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int days_in(int year, int month) {
  constexpr std::array kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// full-date
std::optional<Date> read_date(Reader& reader) {
  Date date;
  date.year = reader.digits(4);
  if (date.year < 0 || !reader.take('-')) return std::nullopt;
  date.month = reader.digits(2);
  if (date.month < 1 || date.month > 12 || !reader.take('-')) return std::nullopt;
  date.day = reader.digits(2);
  if (date.day < 1 || date.day > days_in(date.year, date.month)) return std::nullopt;
  return date;
}

/// time-offset, in minutes east of UTC.
std::optional<int> read_offset(Reader& reader) {
  if (reader.take('Z')) return 0;
  const bool west = reader.peek() == '-';
  if (!reader.take('-') && !reader.take('+')) return std::nullopt;
  const int hour = reader.digits(2);
  if (hour < 0 || hour > 23 || !reader.take(':')) return std::nullopt;
  const int minute = reader.digits(2);
  if (minute < 0 || minute > 59) return std::nullopt;
  const int offset = hour * 60 + minute;
  return west ? -offset : offset;
}

struct Time {
  bool leap_second = false;
  int days_to_utc = 0;  ///< -1, 0 or 1: the UTC day minus the local day
};

/// full-time
std::optional<Time> read_time(Reader& reader) {
  const int hour = reader.digits(2);
  if (hour < 0 || hour > 23 || !reader.take(':')) return std::nullopt;
  const int minute = reader.digits(2);
  if (minute < 0 || minute > 59 || !reader.take(':')) return std::nullopt;
  const int second = reader.digits(2);
  if (second < 0 || second > 60) return std::nullopt;
  if (reader.take('.') && reader.skip_digits() == 0) return std::nullopt;
  const std::optional<int> offset = read_offset(reader);
  if (!offset) return std::nullopt;

  Time time;
  int utc = hour * 60 + minute - *offset;
  if (utc < 0) {
    utc += kMinutesPerDay;
    time.days_to_utc = -1;
  } else if (utc >= kMinutesPerDay) {
    utc -= kMinutesPerDay;
    time.days_to_utc = 1;
  }
  time.leap_second = second == 60;
  if (time.leap_second && utc != kMinutesPerDay - 1) return std::nullopt;
  return time;
}

/// Whether the day `days_to_utc` after `date` is the last of its month.
bool ends_month(const Date& date, int days_to_utc) {
  const int last = days_in(date.year, date.month);
  if (days_to_utc < 0 && date.day == 1) return true;
  if (days_to_utc > 0 && date.day == last) return false;  // the first of the next month
  return date.day + days_to_utc == last;
}

/// A run of "1*DIGIT unit" whose units are neighbours in `units`: dur-year may only be followed by
/// dur-month, that by dur-day. False if it is malformed; none is well-formed.
bool read_units(Reader& reader, std::string_view units, bool& any) {
  std::optional<std::size_t> previous;
  while (is_digit(reader.peek())) {
    reader.skip_digits();
    const char unit = reader.peek();
    const std::size_t at = units.find(unit >= 'a' ? static_cast<char>(unit - 'a' + 'A') : unit);
    if (reader.at_end() || at == std::string_view::npos) return false;
    if (previous && at != *previous + 1) return false;
    previous = at;
    reader.take(unit);
  }
  any = previous.has_value();
  return true;
}

}  // namespace

bool date(std::string_view text) {
  Reader reader(text);
  return read_date(reader) && reader.at_end();
}

bool time(std::string_view text) {
  Reader reader(text);
  return read_time(reader) && reader.at_end();
}

bool date_time(std::string_view text) {
  Reader reader(text);
  const std::optional<Date> date = read_date(reader);
  if (!date || !reader.take('T')) return false;
  const std::optional<Time> time = read_time(reader);
  if (!time || !reader.at_end()) return false;
  return !time->leap_second || ends_month(*date, time->days_to_utc);
}

bool duration(std::string_view text) {
  Reader reader(text);
  if (!reader.take('P')) return false;
  bool any_date = false;
  bool any_time = false;
  Reader weeks = reader;
  if (weeks.skip_digits() > 0 && weeks.take('W')) return weeks.at_end();
  if (!read_units(reader, "YMD", any_date)) return false;
  if (reader.take('T') && (!read_units(reader, "HMS", any_time) || !any_time)) return false;
  return reader.at_end() && (any_date || any_time);
}

}  // namespace interline::schema::grammar
