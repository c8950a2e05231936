// Instants: points in time as XEP-0082 and RFC 3339 write them.
//
// Nothing is rounded. An Instant keeps every fractional digit, compares exactly (offsets applied,
// fractions of any length), and gives back the text it was parsed from. Two Instants are equal when
// they are the same point in time, however each was spelled; text() tells the spellings apart.
//
// The two grammars, and what each decides where the texts leave room:
//
// |                     | XEP-0082 1.1 (an xs:dateTime)      | RFC 3339                           |
// |---------------------|------------------------------------|------------------------------------|
// | T and Z             | upper case                         | either case                        |
// | white space around  | stripped, as xs:dateTime collapses | refused                            |
// | year                | 0001 to 9999                       | 0000 to 9999                       |
// | second 60           | refused                            | a leap second; see below           |
// | 24:00:00            | the next midnight; zero fraction   | refused                            |
// | offset              | at most 14:00, -00:00 is UTC       | at most 23:59, -00:00 is UTC       |
//
// Both: exactly YYYY-MM-DDThh:mm:ss, then perhaps `.` and at least one digit, then `Z`, `+hh:mm` or
// `-hh:mm`; real calendar days only; at most kMaxText bytes in all.
//
// A leap second is 23:59:60 UTC on the last day of a month (RFC 3339 section 5.7). Time here has no
// such second, as on every POSIX system: it compares as the second that follows it.
#pragma once

#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline {

/// The system's wall clock: nanoseconds since 1970 in UTC, without leap seconds.
using SystemTime = std::chrono::sys_time<std::chrono::nanoseconds>;

class Instant {
 public:
  /// Bytes of the longest text either parser reads, white space included. Room for 235 digits.
  static constexpr std::size_t kMaxText = 256;

  /// 1970-01-01T00:00:00Z.
  Instant() = default;
  explicit Instant(SystemTime time);
  /// Whole seconds since 1970, for clocks and databases that count those. Saturates like `+`.
  [[nodiscard]] static Instant from_unix_seconds(std::int64_t seconds);

  /// Errors: malformed, with a fixed sentence.
  [[nodiscard]] static Result<Instant> parse_xep0082(std::string_view text);
  [[nodiscard]] static Result<Instant> parse_rfc3339(std::string_view text);

  /// The text it was parsed from, without the white space around it; else canonical().
  [[nodiscard]] std::string text() const;
  /// UTC with `Z`, every digit of the fraction and no trailing zeros: one text for one instant.
  /// An offset can carry an instant a day beyond year 0000 or 9999; such years are written as
  /// ISO 8601 and XML Schema do, "10000-" and "-0001-".
  [[nodiscard]] std::string canonical() const;
  /// UTC with `Z` and exactly `digits` digits of the fraction, rounded down; 0 leaves out the `.`.
  [[nodiscard]] std::string to_string(unsigned digits) const;

  /// Rounded down.
  [[nodiscard]] std::int64_t unix_seconds() const { return seconds_; }
  /// The last nanosecond not after, and the first not before, this instant; at the ends of
  /// SystemTime (years 1677 and 2262) the end.
  [[nodiscard]] SystemTime floor() const;
  [[nodiscard]] SystemTime ceil() const;

  /// Keeps every digit. Saturates one day beyond years 0000 and 9999. The result has no spelling of
  /// its own: its text() is canonical.
  template <std::signed_integral Rep, class Period>
  [[nodiscard]] friend Instant operator+(const Instant& a, std::chrono::duration<Rep, Period> d) {
    return a.plus(Span(d, true));
  }
  template <std::signed_integral Rep, class Period>
  [[nodiscard]] friend Instant operator-(const Instant& a, std::chrono::duration<Rep, Period> d) {
    return a.plus(Span(d, false));
  }

  [[nodiscard]] friend bool operator==(const Instant& a, const Instant& b) {
    return a.seconds_ == b.seconds_ && a.nanoseconds_ == b.nanoseconds_ &&
           a.finer_digits_ == b.finer_digits_;
  }
  [[nodiscard]] friend std::weak_ordering operator<=>(const Instant& a, const Instant& b) {
    if (const auto order = a.seconds_ <=> b.seconds_; order != 0) return order;
    if (const auto order = a.nanoseconds_ <=> b.nanoseconds_; order != 0) return order;
    return a.finer_digits_ <=> b.finer_digits_;
  }

 private:
  friend class InstantParser;

  /// Any chrono duration as seconds and 0 to 999,999,999 nanoseconds, saturated, perhaps negated.
  class Span {
   public:
    template <class Rep, class Period>
    Span(std::chrono::duration<Rep, Period> d, bool forward) {
      static_assert(Period::num == 1 || Period::den == 1);
      static_assert(1'000'000'000 % Period::den == 0, "nothing finer than a nanosecond");
      constexpr auto kPerSecond = static_cast<std::int64_t>(Period::den);
      const auto count = static_cast<std::int64_t>(d.count());
      seconds = saturate(count / kPerSecond, Period::num);
      nanoseconds = count % kPerSecond * (1'000'000'000 / kPerSecond);
      if (!forward) {
        seconds = -seconds;
        nanoseconds = -nanoseconds;
      }
      if (nanoseconds < 0) {
        nanoseconds += 1'000'000'000;
        --seconds;
      }
    }
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

   private:
    static std::int64_t saturate(std::int64_t count, std::int64_t factor);
  };

  enum class Zone : std::uint8_t { z, lower_z, plus, minus };

  [[nodiscard]] Instant plus(Span span) const;
  void drop_spelling();
  void append_fraction(std::string& out, std::size_t digits) const;
  [[nodiscard]] std::size_t own_digits() const;

  std::int64_t seconds_ = 0;
  std::uint32_t nanoseconds_ = 0;
  // The spelling: all zero for `Z` and no fraction.
  std::uint16_t offset_minutes_ = 0;  // without its sign, which is the zone's
  std::uint8_t digits_ = 0;           // of the fraction, trailing zeros included
  Zone zone_ : 2 = Zone::z;
  bool lower_t_ : 1 = false;
  bool leap_second_ : 1 = false;
  bool hour_24_ : 1 = false;
  // Digits after the ninth, without trailing zeros; nearly always empty.
  std::string finer_digits_;
};

}  // namespace interline
