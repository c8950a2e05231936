#include "base/instant.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline {
namespace {

using namespace std::chrono_literals;

Instant xep(std::string_view text) {
  const auto parsed = Instant::parse_xep0082(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Instant());
}
Instant rfc(std::string_view text) {
  const auto parsed = Instant::parse_rfc3339(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(Instant());
}

TEST(Instant_Text, RoundTripsEverySpelling) {
  for (const std::string text : {
           "2026-01-02T03:04:05Z",
           "2026-01-02T03:04:05.0Z",
           "2026-01-02T03:04:05.000Z",
           "2026-01-02T03:04:05.123456789Z",
           "2026-01-02T03:04:05.1234567890Z",
           "2026-01-02T03:04:05.123456789012345678901234567890Z",
           "2026-01-02T03:04:05.000000000000000000000000000001+05:30",
           "2026-01-02T03:04:05.00000000000000000000-00:00",
           "2026-01-02T03:04:05+00:00",
           "2026-01-02T03:04:05-00:00",
           "2026-01-02T03:04:05+14:00",
           "2026-01-02T03:04:05-14:00",
           "2026-01-02T24:00:00Z",
           "2026-12-31T24:00:00.00-08:00",
           "0001-01-01T00:00:00+14:00",
           "9999-12-31T23:59:59.9-14:00",
           "9999-12-31T24:00:00-14:00",
           "2024-02-29T23:59:59.999999999999Z",
           "1969-12-31T23:59:59.5Z",
       }) {
    EXPECT_EQ(xep(text).text(), text);
  }
  for (const std::string text : {
           "2026-01-02t03:04:05z",
           "2026-01-02t03:04:05.10Z",
           "2026-01-02T03:04:05z",
           "0000-01-01T00:00:00+23:59",
           "9999-12-31T23:59:59-23:59",
           "1998-12-31T23:59:60Z",
           "1998-12-31T15:59:60.123-08:00",
           "1999-01-01T05:29:60+05:30",
       }) {
    EXPECT_EQ(rfc(text).text(), text);
  }
}

TEST(Instant_Text, EveryFractionLengthThatFits) {
  for (std::size_t digits = 1; digits <= 235; ++digits) {
    std::string text = "2026-01-02T03:04:05.";
    for (std::size_t i = 0; i < digits; ++i) text.push_back(static_cast<char>('0' + (i + 7) % 10));
    text.push_back('Z');
    EXPECT_EQ(xep(text).text(), text);
    EXPECT_EQ(rfc(text).text(), text);
  }
}

TEST(Instant_Order, ComparesEveryDigitAndAppliesOffsets) {
  // Strictly ascending.
  const std::vector<std::string> ascending = {
      "0001-01-01T00:00:00+14:00",
      "0001-01-01T00:00:00Z",
      "1969-12-31T23:59:59Z",
      "1969-12-31T23:59:59.0000000000000000001Z",
      "1969-12-31T23:59:59.999999999Z",
      "1969-12-31T23:59:59.9999999991Z",
      "1970-01-01T00:00:00Z",
      "2026-01-02T03:04:05Z",
      "2026-01-02T03:04:05.000000000000000000000000000001Z",
      "2026-01-02T03:04:05.00000000000000000000000000001Z",
      "2026-01-02T03:04:05.0000000001Z",
      "2026-01-02T03:04:05.00000000019Z",
      "2026-01-02T03:04:05.0000000002Z",
      "2026-01-02T03:04:05.000000001Z",
      "2026-01-02T08:34:05.1+05:30",
      "2026-01-02T03:04:05.11Z",
      "2026-01-02T03:04:05.9Z",
      "2026-01-01T13:04:06-14:00",
      "9999-12-31T23:59:59.9-14:00",
  };
  for (std::size_t a = 0; a < ascending.size(); ++a) {
    for (std::size_t b = 0; b < ascending.size(); ++b) {
      EXPECT_EQ(xep(ascending[a]) <=> xep(ascending[b]), a <=> b)
          << ascending[a] << " " << ascending[b];
      EXPECT_EQ(xep(ascending[a]) == xep(ascending[b]), a == b);
    }
  }
}

TEST(Instant_Order, SpellingsOfOneInstantAreEqual) {
  const Instant instant = xep("2026-01-02T03:04:05.5Z");
  for (const char* text : {"2026-01-02T03:04:05.50Z", "2026-01-02T03:04:05.50000000000000000Z",
                           "2026-01-02T03:04:05.5-00:00", "2026-01-02T08:34:05.5+05:30",
                           "2026-01-01T19:34:05.500-07:30"}) {
    EXPECT_EQ(xep(text), instant) << text;
    EXPECT_EQ(xep(text).canonical(), "2026-01-02T03:04:05.5Z");
    EXPECT_NE(xep(text).text(), instant.text());
  }
}

TEST(Instant_Canonical, OneTextForOneInstant) {
  EXPECT_EQ(xep("2026-01-02T03:04:05.000Z").canonical(), "2026-01-02T03:04:05Z");
  EXPECT_EQ(xep("2026-01-02T03:04:05.0100000000000200Z").canonical(),
            "2026-01-02T03:04:05.01000000000002Z");
  EXPECT_EQ(xep("0001-01-01T00:00:00+14:00").canonical(), "0000-12-31T10:00:00Z");
  EXPECT_EQ(rfc("0000-01-01T00:00:00+23:59").canonical(), "-0001-12-31T00:01:00Z");
  EXPECT_EQ(rfc("1998-12-31T23:59:60Z").canonical(), "1999-01-01T00:00:00Z");
}

TEST(Instant_ToString, RoundsDownToTheDigitsAskedFor) {
  const Instant instant = xep("2026-01-02T08:34:05.999999999999+05:30");
  EXPECT_EQ(instant.to_string(0), "2026-01-02T03:04:05Z");
  EXPECT_EQ(instant.to_string(3), "2026-01-02T03:04:05.999Z");
  EXPECT_EQ(instant.to_string(9), "2026-01-02T03:04:05.999999999Z");
  EXPECT_EQ(instant.to_string(14), "2026-01-02T03:04:05.99999999999900Z");
  EXPECT_EQ(Instant().to_string(3), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(Instant(SystemTime(-1ns)).to_string(0), "1969-12-31T23:59:59Z");
}

TEST(Instant_SystemTime, IsKeptToTheNanosecond) {
  EXPECT_EQ(Instant(SystemTime(1ns)).text(), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(Instant(SystemTime(-1ns)).text(), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(Instant(SystemTime(1500ms)).text(), "1970-01-01T00:00:01.5Z");
  const auto microsecond = std::chrono::sys_time<std::chrono::microseconds>(1us);
  EXPECT_EQ(Instant(microsecond).text(), "1970-01-01T00:00:00.000001Z");
  for (const SystemTime time :
       {SystemTime::min(), SystemTime::min() + 1ns, SystemTime(-1s), SystemTime(-1ns), SystemTime(),
        SystemTime(1ns), SystemTime(1s), SystemTime::max() - 1ns, SystemTime::max()}) {
    EXPECT_EQ(Instant(time).floor(), time);
    EXPECT_EQ(Instant(time).ceil(), time);
  }
}

TEST(Instant_SystemTime, FloorAndCeilingEncloseFinerDigits) {
  const Instant finer = xep("2026-01-02T03:04:05.9999999999Z");
  EXPECT_EQ(Instant(finer.floor()).text(), "2026-01-02T03:04:05.999999999Z");
  EXPECT_EQ(Instant(finer.ceil()).text(), "2026-01-02T03:04:06Z");
  const Instant before = xep("1969-12-31T23:59:59.0000000001Z");
  EXPECT_EQ(before.floor(), SystemTime(-1s));
  EXPECT_EQ(before.ceil(), SystemTime(-1s + 1ns));
}

TEST(Instant_SystemTime, SaturatesAtTheEndsOfSystemTime) {
  EXPECT_EQ(xep("2262-04-11T23:47:16.854775807Z").floor(), SystemTime::max());
  EXPECT_EQ(xep("2262-04-11T23:47:16.8547758079Z").ceil(), SystemTime::max());
  EXPECT_EQ(xep("2262-04-11T23:47:16.854775808Z").floor(), SystemTime::max());
  EXPECT_EQ(xep("9999-12-31T23:59:59Z").floor(), SystemTime::max());
  EXPECT_EQ(xep("9999-12-31T23:59:59.00000000001Z").ceil(), SystemTime::max());
  EXPECT_EQ(xep("1677-09-21T00:12:43.145224192Z").floor(), SystemTime::min());
  EXPECT_EQ(xep("1677-09-21T00:12:43.1452241919Z").ceil(), SystemTime::min());
  EXPECT_EQ(xep("0001-01-01T00:00:00Z").floor(), SystemTime::min());
  EXPECT_EQ(xep("0001-01-01T00:00:00.00000000001Z").ceil(), SystemTime::min());
}

TEST(Instant_Arithmetic, KeepsEveryDigit) {
  const Instant instant = xep("2026-01-02T08:34:05.0000000000001+05:30");
  EXPECT_EQ((instant + 1500ms).text(), "2026-01-02T03:04:06.5000000000001Z");
  EXPECT_EQ((instant - 1ns).text(), "2026-01-02T03:04:04.9999999990001Z");
  EXPECT_EQ((instant + 24h).text(), "2026-01-03T03:04:05.0000000000001Z");
  EXPECT_EQ((instant - std::chrono::days(2)).text(), "2025-12-31T03:04:05.0000000000001Z");
  EXPECT_EQ((instant + -90min), instant - 90min);
  EXPECT_EQ((instant + 7us - 7us), instant);
  EXPECT_EQ((xep("2026-12-31T24:00:00Z") + 0s).text(), "2027-01-01T00:00:00Z");
}

TEST(Instant_Arithmetic, SaturatesWhateverTheDuration) {
  const Instant now = xep("2026-01-02T03:04:05.5Z");
  const Instant last = Instant::from_unix_seconds(std::numeric_limits<std::int64_t>::max());
  const Instant first = Instant::from_unix_seconds(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(last.canonical(), "10000-01-02T00:00:00Z");
  EXPECT_EQ(first.canonical(), "-0001-12-31T00:00:00Z");
  EXPECT_EQ(now + std::chrono::milliseconds::max(), last);
  EXPECT_EQ(now + std::chrono::milliseconds::min(), first);
  EXPECT_EQ(now - std::chrono::milliseconds::min(), last);
  EXPECT_EQ(now + std::chrono::seconds::max(), last);
  EXPECT_EQ(now - std::chrono::seconds::max(), first);
  EXPECT_EQ(now + std::chrono::hours::max(), last);
  EXPECT_EQ(now - std::chrono::hours::min(), last);
  EXPECT_EQ(now - std::chrono::years(20'000), first);
  EXPECT_EQ(now + std::chrono::nanoseconds::max(), xep("2318-04-14T02:51:22.354775807Z"));
  EXPECT_EQ(now + std::chrono::nanoseconds::min() + std::chrono::nanoseconds::max() + 1ns, now);
}

}  // namespace
}  // namespace interline
