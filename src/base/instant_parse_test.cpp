#include <cstdio>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "base/instant.hpp"

namespace interline {
namespace {

using namespace std::string_literals;

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
bool xep_refuses(std::string_view text) {
  return !Instant::parse_xep0082(text).has_value();
}
bool rfc_refuses(std::string_view text) {
  return !Instant::parse_rfc3339(text).has_value();
}

TEST(Xep0082_Examples, Section4) {
  // "Apollo 11 landed on the Moon": the same instant, twice.
  EXPECT_EQ(xep("1969-07-21T02:56:15Z"), xep("1969-07-20T21:56:15-05:00"));
  EXPECT_EQ(xep("1969-07-21T02:56:15Z").unix_seconds(), -14'159'025);
}

TEST(Instant_Limits, TextsLongerThan256BytesAreRefused) {
  const std::string head = "2026-01-02T03:04:05.";
  EXPECT_EQ(xep(head + std::string(235, '1') + "Z").text().size(), Instant::kMaxText);
  EXPECT_TRUE(xep_refuses(head + std::string(236, '1') + "Z"));
  EXPECT_TRUE(rfc_refuses(head + std::string(236, '1') + "Z"));
  EXPECT_TRUE(xep_refuses(std::string(237, ' ') + "2026-01-02T03:04:05Z"));
}

TEST(Xep0082_Grammar, RefusesWhatIsNotExactlyTheForm) {
  for (const std::string text : {
           "",
           "Z",
           "2026-01-02",
           "2026-01-02T03:04Z",
           "2026-01-02T03:04:05",   // no zone
           "2026-01-02t03:04:05Z",  // lower case
           "2026-01-02T03:04:05z",
           "2026-01-02 03:04:05Z",
           "20260102T03:04:05Z",
           "20260102T03:04:05",  // legacy XEP-0091
           "026-01-02T03:04:05Z",
           "12026-01-02T03:04:05Z",
           "-2026-01-02T03:04:05Z",
           "+2026-01-02T03:04:05Z",
           "2026-1-02T03:04:05Z",
           "2026-01-2T03:04:05Z",
           "2026-01-02T3:04:05Z",
           "2026-01-02T03:04:5Z",
           "2026-01-02T03:04:05.Z",  // no digit after the point
           "2026-01-02T03:04:05,5Z",
           "2026-01-02T03:04:05.5",
           "2026-01-02T03:04:05.5.5Z",
           "2026-01-02T03:04:05.5 Z",
           "2026-01-02T03:04:05+0530",
           "2026-01-02T03:04:05+05",
           "2026-01-02T03:04:05+05:3",
           "2026-01-02T03:04:05+5:30",
           "2026-01-02T03:04:05Z+05:30",
           "2026-01-02T03:04:05ZZ",
           "2026-01-02T03:04:05Zx",
           "2026-01-02T03:04:05\xE2\x88\x92"
           "05:30",                        // U+2212
           "2026-01-0\xD9\xA2T03:04:05Z",  // an Arabic-Indic digit
       }) {
    EXPECT_TRUE(xep_refuses(text)) << text;
  }
  EXPECT_TRUE(xep_refuses("2026-01-02T03:04:05Z\0"s));
  EXPECT_TRUE(xep_refuses("2026-01-02T03:04:05\0Z"s));
}

TEST(Xep0082_Grammar, EveryPrefixAndEveryOtherByteIsRefused) {
  const std::string good = "2026-01-02T03:04:05.678+05:30";
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_TRUE(xep_refuses(good.substr(0, at)));
    const bool digit = good[at] >= '0' && good[at] <= '9';
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = good;
      text[at] = static_cast<char>(byte);
      const bool digit_now = byte >= '0' && byte <= '9';
      const bool sign = good[at] == '+' && byte == '-';
      if (digit && digit_now) continue;  // ranges have their own tests
      EXPECT_EQ(xep_refuses(text), !(sign || text == good)) << at << " " << byte;
    }
  }
}

TEST(Xep0082_Grammar, XmlWhiteSpaceAroundIsStripped) {
  EXPECT_EQ(xep(" \t\r\n2026-01-02T03:04:05Z\n ").text(), "2026-01-02T03:04:05Z");
  EXPECT_TRUE(xep_refuses("\f2026-01-02T03:04:05Z"));
  EXPECT_TRUE(xep_refuses("\u00A02026-01-02T03:04:05Z"));
  EXPECT_TRUE(xep_refuses(" \n"));
  EXPECT_TRUE(rfc_refuses(" 2026-01-02T03:04:05Z"));
  EXPECT_TRUE(rfc_refuses("2026-01-02T03:04:05Z "));
}

TEST(Instant_Days, EveryDayOfTheCalendarAndNoOther) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (const int year : {0, 1, 4, 100, 400, 1900, 1970, 2000, 2023, 2024, 2100, 9999}) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int month = 0; month <= 99; ++month) {
      for (int day = 0; day <= 99; ++day) {
        char text[32];
        std::snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z", year, month, day);
        const bool is_month = month >= 1 && month <= 12;
        const int last = !is_month ? 0 : kDays[month - 1] + (leap && month == 2 ? 1 : 0);
        const bool real = is_month && day >= 1 && day <= last;
        ASSERT_EQ(rfc_refuses(text), !real) << text;
        ASSERT_EQ(xep_refuses(text), !real || year == 0) << text;
      }
    }
  }
}

TEST(Instant_Days, SecondsAgreeWithTheCLibrary) {
  for (std::time_t second = -62'135'596'800; second < 253'402'300'800; second += 777'777'777) {
    std::tm fields{};
    gmtime_r(&second, &fields);
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", fields.tm_year + 1900,
                  fields.tm_mon + 1, fields.tm_mday, fields.tm_hour, fields.tm_min, fields.tm_sec);
    EXPECT_EQ(xep(text).unix_seconds(), second);
    EXPECT_EQ(Instant::from_unix_seconds(second).text(), text);
  }
}

TEST(Instant_TimeOfDay, RangesOfHourMinuteAndSecond) {
  for (int number = 0; number <= 99; ++number) {
    char two[8];
    std::snprintf(two, sizeof two, "%02d", number);
    EXPECT_EQ(xep_refuses("2026-01-02T"s + two + ":30:00Z"), number > 23);
    EXPECT_EQ(xep_refuses("2026-01-02T03:"s + two + ":00Z"), number > 59);
    EXPECT_EQ(xep_refuses("2026-01-02T03:04:"s + two + "Z"), number > 59);
    EXPECT_EQ(xep_refuses("2026-01-02T03:04:05+03:"s + two), number > 59);
    EXPECT_EQ(xep_refuses("2026-01-02T03:04:05-"s + two + ":00"), number > 14);
    EXPECT_EQ(rfc_refuses("2026-01-02T"s + two + ":30:00Z"), number > 23);
    EXPECT_EQ(rfc_refuses("2026-01-02T03:04:"s + two + "Z"), number > 59);
    EXPECT_EQ(rfc_refuses("2026-01-02T03:04:05-"s + two + ":59"), number > 23);
  }
  EXPECT_TRUE(xep_refuses("2026-01-02T03:04:05+14:01"));
  EXPECT_TRUE(xep_refuses("2026-01-02T03:04:05-14:01"));
}

TEST(Xep0082_Hour24, IsTheNextMidnight) {
  EXPECT_EQ(xep("2026-12-31T24:00:00Z"), xep("2027-01-01T00:00:00Z"));
  EXPECT_EQ(xep("2026-12-31T24:00:00.000+01:00"), xep("2026-12-31T23:00:00Z"));
  EXPECT_EQ(xep("9999-12-31T24:00:00Z").canonical(), "10000-01-01T00:00:00Z");
  EXPECT_TRUE(xep_refuses("2026-12-31T24:00:01Z"));
  EXPECT_TRUE(xep_refuses("2026-12-31T24:01:00Z"));
  EXPECT_TRUE(xep_refuses("2026-12-31T24:00:00.1Z"));
  EXPECT_TRUE(xep_refuses("2026-12-31T24:00:00.0000000000000000000001Z"));
  EXPECT_TRUE(xep_refuses("2026-12-31T25:00:00Z"));
  EXPECT_TRUE(rfc_refuses("2026-12-31T24:00:00Z"));
}

TEST(Xep0082_LeapSeconds, AreRefused) {
  EXPECT_TRUE(xep_refuses("1998-12-31T23:59:60Z"));
}

TEST(Rfc3339_LeapSeconds, CompareAsTheFollowingSecond) {
  EXPECT_EQ(rfc("1998-12-31T23:59:60Z"), rfc("1999-01-01T00:00:00Z"));
  EXPECT_EQ(rfc("1990-12-31T15:59:60-08:00"), rfc("1990-12-31T23:59:60Z"));  // section 5.8
  EXPECT_EQ(rfc("1998-12-31T23:59:60.25Z"), rfc("1999-01-01T00:00:00.25Z"));
  EXPECT_LT(rfc("1998-12-31T23:59:59.999Z"), rfc("1998-12-31T23:59:60Z"));
}

TEST(Rfc3339_LeapSeconds, OnlyAtTheEndOfAMonthInUtc) {
  EXPECT_TRUE(rfc_refuses("1998-12-31T23:58:60Z"));
  EXPECT_TRUE(rfc_refuses("1998-12-31T22:59:60Z"));
  EXPECT_TRUE(rfc_refuses("1998-12-30T23:59:60Z"));
  EXPECT_TRUE(rfc_refuses("1998-12-31T23:59:60+01:00"));
  EXPECT_TRUE(rfc_refuses("1998-12-31T23:59:61Z"));
  EXPECT_FALSE(rfc_refuses("1958-06-30T23:59:60Z"));
  EXPECT_TRUE(rfc_refuses("1958-06-29T23:59:60Z"));
}

TEST(Rfc3339_Examples, Section58) {
  EXPECT_EQ(rfc("1985-04-12T23:20:50.52Z").unix_seconds(), 482'196'050);
  EXPECT_EQ(rfc("1996-12-19T16:39:57-08:00"), rfc("1996-12-20T00:39:57Z"));
  EXPECT_EQ(rfc("1937-01-01T12:00:27.87+00:20"), rfc("1937-01-01T11:40:27.87Z"));
}

TEST(Instant_Errors, AreMalformedWithAFixedSentence) {
  const std::string text = "2026-02-30T00:00:00Z";
  const auto parsed = Instant::parse_xep0082(text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error(),
            Error(ErrorKind::malformed, "a date-time with a day that does not exist"));
}

}  // namespace
}  // namespace interline
