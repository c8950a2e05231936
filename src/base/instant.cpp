#include "base/instant.hpp"

#include <algorithm>
#include <limits>

namespace interline {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::size_t kNanosecondDigits = 9;

// One day beyond years 0000 and 9999 in UTC: what an offset can reach.
constexpr std::int64_t kFirstSecond = -62'167'219'200 - kDay;
constexpr std::int64_t kLastSecond = 253'402'300'800 + kDay;

void append_padded(std::string& out, std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

/// How a second is named: by itself, or as what follows the second before.
enum class Naming : std::uint8_t { plain, hour_24, second_60 };

/// YYYY-MM-DDThh:mm:ss of a local time that is `seconds` after 1970.
void append_date_time(std::string& out, std::int64_t seconds, char t, Naming naming) {
  if (naming != Naming::plain) --seconds;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const int year = static_cast<int>(date.year());
  if (year < 0) out.push_back('-');
  append_padded(out, static_cast<std::uint64_t>(year < 0 ? -year : year), 4);
  out.push_back('-');
  append_padded(out, static_cast<unsigned>(date.month()), 2);
  out.push_back('-');
  append_padded(out, static_cast<unsigned>(date.day()), 2);
  out.push_back(t);
  if (naming == Naming::hour_24) {
    out += "24:00:00";
    return;
  }
  append_padded(out, static_cast<std::uint64_t>(clock.hours().count()), 2);
  out.push_back(':');
  append_padded(out, static_cast<std::uint64_t>(clock.minutes().count()), 2);
  out.push_back(':');
  const auto second = static_cast<std::uint64_t>(clock.seconds().count());
  append_padded(out, naming == Naming::second_60 ? 60 : second, 2);
}

}  // namespace

Instant::Instant(SystemTime time) {
  const SystemTime::rep count = time.time_since_epoch().count();
  seconds_ = count / kNanosecondsPerSecond;
  std::int64_t rest = count % kNanosecondsPerSecond;
  if (rest < 0) {
    rest += kNanosecondsPerSecond;
    --seconds_;
  }
  nanoseconds_ = static_cast<std::uint32_t>(rest);
  drop_spelling();
}

Instant Instant::from_unix_seconds(std::int64_t seconds) {
  Instant instant;
  instant.seconds_ = std::clamp(seconds, kFirstSecond, kLastSecond);
  return instant;
}

std::string Instant::text() const {
  const bool numeric = zone_ == Zone::plus || zone_ == Zone::minus;
  const std::int64_t offset = zone_ == Zone::minus ? -60 * offset_minutes_ : 60 * offset_minutes_;
  const Naming naming = hour_24_       ? Naming::hour_24
                        : leap_second_ ? Naming::second_60
                                       : Naming::plain;
  std::string out;
  out.reserve(26U + digits_);
  append_date_time(out, seconds_ + offset, lower_t_ ? 't' : 'T', naming);
  append_fraction(out, digits_);
  if (numeric) {
    out.push_back(zone_ == Zone::plus ? '+' : '-');
    append_padded(out, offset_minutes_ / 60U, 2);
    out.push_back(':');
    append_padded(out, offset_minutes_ % 60U, 2);
  } else {
    out.push_back(zone_ == Zone::z ? 'Z' : 'z');
  }
  return out;
}

std::string Instant::canonical() const {
  std::string out;
  append_date_time(out, seconds_, 'T', Naming::plain);
  append_fraction(out, own_digits());
  out.push_back('Z');
  return out;
}

std::string Instant::to_string(unsigned digits) const {
  std::string out;
  append_date_time(out, seconds_, 'T', Naming::plain);
  append_fraction(out, digits);
  out.push_back('Z');
  return out;
}

SystemTime Instant::floor() const {
  constexpr SystemTime::rep kMax = std::numeric_limits<SystemTime::rep>::max();
  constexpr SystemTime::rep kMin = std::numeric_limits<SystemTime::rep>::min();
  SystemTime::rep count = 0;
  // Counted from the second nearer to 1970, so that nothing between overflows.
  const bool before = seconds_ < 0;
  const std::int64_t whole = before ? seconds_ + 1 : seconds_;
  const std::int64_t rest = before ? nanoseconds_ - kNanosecondsPerSecond : nanoseconds_;
  if (__builtin_mul_overflow(whole, kNanosecondsPerSecond, &count) ||
      __builtin_add_overflow(count, rest, &count)) {
    count = before ? kMin : kMax;
  }
  return SystemTime(std::chrono::nanoseconds(count));
}

SystemTime Instant::ceil() const {
  const SystemTime below = floor();
  const bool exact = finer_digits_.empty();
  // Saturated upwards there is no next nanosecond; saturated downwards `below` is after already.
  if (exact || below == SystemTime::max() || Instant(below) > *this) return below;
  return below + std::chrono::nanoseconds(1);
}

std::int64_t Instant::Span::saturate(std::int64_t count, std::int64_t factor) {
  constexpr std::int64_t kWhole = 2 * (kLastSecond - kFirstSecond);
  std::int64_t seconds = 0;
  if (__builtin_mul_overflow(count, factor, &seconds)) return count < 0 ? -kWhole : kWhole;
  return std::clamp(seconds, -kWhole, kWhole);
}

Instant Instant::plus(Span span) const {
  Instant sum = *this;
  sum.seconds_ += span.seconds;
  std::int64_t nanoseconds = sum.nanoseconds_ + span.nanoseconds;
  if (nanoseconds >= kNanosecondsPerSecond) {
    nanoseconds -= kNanosecondsPerSecond;
    ++sum.seconds_;
  }
  sum.nanoseconds_ = static_cast<std::uint32_t>(nanoseconds);
  if (sum.seconds_ < kFirstSecond) return from_unix_seconds(kFirstSecond);
  if (sum.seconds_ >= kLastSecond) return from_unix_seconds(kLastSecond);
  sum.drop_spelling();
  return sum;
}

/// Digits needed to write the fraction exactly.
std::size_t Instant::own_digits() const {
  if (!finer_digits_.empty()) return kNanosecondDigits + finer_digits_.size();
  std::size_t digits = nanoseconds_ == 0 ? 0 : kNanosecondDigits;
  for (std::uint32_t rest = nanoseconds_; rest != 0 && rest % 10 == 0; rest /= 10) --digits;
  return digits;
}

void Instant::drop_spelling() {
  digits_ = static_cast<std::uint8_t>(own_digits());
  zone_ = Zone::z;
  offset_minutes_ = 0;
  lower_t_ = leap_second_ = hour_24_ = false;
}

/// `.` and that many digits, cut or filled with zeros; nothing for none.
void Instant::append_fraction(std::string& out, std::size_t digits) const {
  if (digits == 0) return;
  out.push_back('.');
  const std::size_t end = out.size() + digits;
  append_padded(out, nanoseconds_, kNanosecondDigits);
  out += finer_digits_;
  out.resize(end, '0');
}

}  // namespace interline
