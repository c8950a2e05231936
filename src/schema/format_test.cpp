// What the official suite leaves out; format_suite_test.cpp runs the suite itself.
#include "schema/format.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace interline::schema {
namespace {

bool is(Format format, std::string_view text) {
  return holds(format, text);
}

TEST(Format_Names, AreThoseOfSection7_3) {
  constexpr std::array kNames = {
      "date-time", "date",          "time", "duration",     "email",        "idn-email",
      "hostname",  "idn-hostname",  "ipv4", "ipv6",         "uri",          "uri-reference",
      "iri",       "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer",
      "regex"};
  for (const char* name : kNames) EXPECT_TRUE(format_named(name)) << name;
  for (const char* name : {"", "Date", "date_time", "int32", "byte", "url"}) {
    EXPECT_FALSE(format_named(name)) << name;
  }
}

TEST(Rfc3339_LeapSecond, EndsAUtcMonth) {
  EXPECT_TRUE(is(Format::date_time, "2016-12-31T23:59:60Z"));
  EXPECT_TRUE(is(Format::date_time, "2017-01-01T08:59:60+09:00"));
  EXPECT_TRUE(is(Format::date_time, "2016-06-30T16:59:60.5-07:00"));
  EXPECT_TRUE(is(Format::date_time, "2016-03-01T00:29:60+00:30"));  // the 29th in UTC
  EXPECT_FALSE(is(Format::date_time, "2016-12-30T23:59:60Z"));
  EXPECT_FALSE(is(Format::date_time, "2017-01-02T08:59:60+09:00"));
  EXPECT_FALSE(is(Format::date_time, "2016-06-29T16:59:60-07:00"));
  EXPECT_FALSE(is(Format::date_time, "2016-12-31T16:59:60+07:00"));  // 09:59:60 UTC
}

TEST(Rfc3339_LeapSecond, EveryMinuteAgainstEveryOffset) {
  // A second 60 stands for exactly one minute of the UTC day.
  std::size_t accepted = 0;
  for (int minute = 0; minute < 24 * 60; ++minute) {
    for (int offset = -24 * 60 + 1; offset < 24 * 60; offset += 7) {
      const auto two = [](int n) { return std::string(n < 10 ? "0" : "") + std::to_string(n); };
      const int size = offset < 0 ? -offset : offset;
      const std::string text = two(minute / 60) + ":" + two(minute % 60) + ":60" +
                               (offset < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60);
      const bool expected = ((minute - offset) % 1440 + 1440) % 1440 == 1439;
      ASSERT_EQ(is(Format::time, text), expected) << text;
      accepted += expected ? 1 : 0;
    }
  }
  EXPECT_EQ(accepted, 412U);  // one a tested offset
}

TEST(Rfc3339_Duration, LettersHaveNoCase) {
  EXPECT_TRUE(is(Format::duration, "p1y2m3dt4h5m6s"));
  EXPECT_FALSE(is(Format::duration, "P1Y2M3DT"));
  EXPECT_FALSE(is(Format::duration, "P1DT1H2M3S4S"));
  EXPECT_FALSE(is(Format::duration, "P1W1W"));
}

TEST(RelativeJsonPointer_3, IndexManipulation) {
  for (const char* text : {"0+1/foo", "1-1", "0-1#", "2+10/a/0", "0+0", "1#", "0"}) {
    EXPECT_TRUE(is(Format::relative_json_pointer, text)) << text;
  }
  for (const char* text :
       {"0+", "0-#", "0+01", "0+-1", "0+1+1", "+1", "0+1#/a", "0+1foo", "01-1"}) {
    EXPECT_FALSE(is(Format::relative_json_pointer, text)) << text;
  }
}

TEST(Rfc5321_Mailbox, Limits) {
  EXPECT_TRUE(is(Format::email, std::string(64, 'a') + "@b.example"));
  EXPECT_FALSE(is(Format::email, std::string(65, 'a') + "@b.example"));
  EXPECT_FALSE(is(Format::email, "a@" + std::string(64, 'b') + ".example"));
  EXPECT_FALSE(is(Format::email, "a@b.example."));
}

TEST(Rfc5321_Mailbox, QuotedStrings) {
  EXPECT_TRUE(is(Format::email, R"("a\"b\\c"@example.com)"));
  EXPECT_TRUE(is(Format::email, R"(""@example.com)"));
  EXPECT_FALSE(is(Format::email, R"("a"b"@example.com)"));
  EXPECT_FALSE(is(Format::email, R"("a)"));
  EXPECT_FALSE(is(Format::email, R"("a\)"));
  EXPECT_FALSE(is(Format::email, "\"a\tb\"@example.com"));
  EXPECT_FALSE(is(Format::email, R"(a."b"@example.com)"));
}

TEST(Rfc5321_Mailbox, AddressLiterals) {
  EXPECT_TRUE(is(Format::email, "a@[ipv6:::1]"));
  for (const char* text :
       {"a@[]", "a@[", "a@[::1]", "a@[IPv6:]", "a@[x:y]", "a@[1.2.3]", "a@[1.2.3.4]x"}) {
    EXPECT_FALSE(is(Format::email, text)) << text;
  }
}

TEST(Rfc6531_Mailbox, DomainsAreULabelsOrNothing) {
  EXPECT_TRUE(is(Format::idn_email, "δοκιμή@παράδειγμα.δοκιμή"));
  EXPECT_TRUE(is(Format::idn_email, "a@例え。テスト"));
  EXPECT_FALSE(is(Format::idn_email, "a@\u2028.example"));
  EXPECT_FALSE(is(Format::idn_email, "a@Ä.example"));
  EXPECT_FALSE(is(Format::email, "δοκιμή@example.com"));
}

TEST(Rfc1123_Hostname, WholeNameLimit) {
  const std::string label(63, 'a');
  const std::string name = label + "." + label + "." + label + ".";
  EXPECT_TRUE(is(Format::hostname, name + std::string(61, 'a')));
  EXPECT_FALSE(is(Format::hostname, name + std::string(62, 'a')));
  EXPECT_TRUE(is(Format::idn_hostname, name + std::string(61, 'a')));
  EXPECT_FALSE(is(Format::idn_hostname, name + std::string(62, 'a')));
}

TEST(Rfc5890_ALabel, HasNoCaseAndOneSpelling) {
  EXPECT_TRUE(is(Format::hostname, "xn--bcher-kva.example"));
  EXPECT_TRUE(is(Format::hostname, "XN--BCHER-KVA.example"));
  EXPECT_TRUE(is(Format::idn_hostname, "bücher.example"));
  EXPECT_FALSE(is(Format::idn_hostname, "Bücher.example"));
  EXPECT_FALSE(is(Format::hostname, "xn--bcher-kva9999999999"));
  EXPECT_FALSE(is(Format::hostname, "xn--"));
  EXPECT_FALSE(is(Format::hostname, "xn--99999999999999"));
}

TEST(Rfc5893_BidiName, BindsEveryLabel) {
  EXPECT_TRUE(is(Format::idn_hostname, "example.א1"));
  EXPECT_FALSE(is(Format::idn_hostname, "1example.א"));
  EXPECT_FALSE(is(Format::idn_hostname, "א.1example"));
  EXPECT_FALSE(is(Format::idn_hostname, "1example.xn--4db"));
  EXPECT_TRUE(is(Format::idn_hostname, "1example.com"));
}

TEST(Rfc4291_Ipv6, GroupsBesideTheElision) {
  EXPECT_TRUE(is(Format::ipv6, "1:2:3:4:5:6:7::"));
  EXPECT_FALSE(is(Format::ipv6, "1:2:3:4:5:6:7:8::"));
  EXPECT_FALSE(is(Format::ipv6, "1:2:3:4::5:6:7:8"));
  EXPECT_TRUE(is(Format::ipv6, "::1:2:3:4:5:255.255.255.255"));
  EXPECT_FALSE(is(Format::ipv6, "::1:2:3:4:5:6:1.2.3.4"));
  EXPECT_FALSE(is(Format::ipv6, "::1.2.3.4:1"));
  EXPECT_FALSE(is(Format::ipv6, ":::"));
  EXPECT_FALSE(is(Format::ipv6, ":"));
}

TEST(Rfc3986_Authority, Parts) {
  EXPECT_TRUE(is(Format::uri, "a://@:/"));
  EXPECT_TRUE(is(Format::uri, "a://[::]:"));
  EXPECT_FALSE(is(Format::uri, "a://[::1"));
  EXPECT_FALSE(is(Format::uri, "a://[::1]b"));
  EXPECT_FALSE(is(Format::uri, "a://[fe80::1%25en0]"));
  EXPECT_FALSE(is(Format::uri, "a://[v1.]"));
  EXPECT_FALSE(is(Format::uri, "a://[v.1]"));
  EXPECT_FALSE(is(Format::uri, "a://b:1:2"));
  EXPECT_FALSE(is(Format::uri, "a:#b#c"));
}

TEST(Rfc3987_Characters, PrivateUseInQueriesAlone) {
  EXPECT_TRUE(is(Format::iri, "a:?\uE000"));
  EXPECT_FALSE(is(Format::iri, "a:\uE000"));
  EXPECT_FALSE(is(Format::iri, "a:#\uE000"));
  EXPECT_FALSE(is(Format::iri, "a:\uFFFE"));
  EXPECT_FALSE(is(Format::iri, "a:\U0001FFFF"));
  EXPECT_FALSE(is(Format::iri, "a:\U000E0001"));
  EXPECT_FALSE(is(Format::iri, "é:a"));
}

TEST(Rfc6570_Template, ReservedOperatorsAreInTheGrammar) {
  for (const char* text : {"{=a}", "{,a}", "{!a}", "{@a}", "{|a}"}) {
    EXPECT_TRUE(is(Format::uri_template, text)) << text;
  }
  for (const char* text :
       {"{", "}", "{{a}}", "{a}}", "{+}", "{a:1*}", "{a**}", "{a.}", "{.}", "{%4}"}) {
    EXPECT_FALSE(is(Format::uri_template, text)) << text;
  }
}

}  // namespace
}  // namespace interline::schema
