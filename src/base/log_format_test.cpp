#include "base/log_format.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8.hpp"

namespace interline {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

constexpr SystemTime kTime{1'767'225'600'123ms};

std::string text_of(const std::vector<LogField>& fields) {
  const std::string line = format_text(LogRecord(kTime, LogLevel::info, "m", fields));
  const std::string head = "2026-01-01T00:00:00.123Z info m";
  EXPECT_TRUE(line.starts_with(head)) << line;
  return line.substr(std::min(line.size(), head.size() + 1));
}
std::string json_of(const std::vector<LogField>& fields) {
  const std::string line = format_json(LogRecord(kTime, LogLevel::info, "m", fields));
  const std::string head = R"({"time":"2026-01-01T00:00:00.123Z","level":"info","message":"m")";
  EXPECT_TRUE(line.starts_with(head)) << line;
  return line.substr(std::min(line.size(), head.size()));
}

TEST(LogFormat, OneLineOfEachKind) {
  const std::vector<LogField> fields = {{"task", "abc"}, {"peer", "alice@example.org/a b"}};
  const LogRecord record(kTime, LogLevel::warning, "task \"late\"", fields);
  EXPECT_EQ(
      format_text(record),
      R"(2026-01-01T00:00:00.123Z warning task "late" task=abc peer="alice@example.org/a b")");
  EXPECT_EQ(
      format_json(record),
      R"({"time":"2026-01-01T00:00:00.123Z","level":"warning","message":"task \"late\"","task":"abc","peer":"alice@example.org/a b"})");
}

TEST(LogFormat, EveryTypeOfValue) {
  const std::vector<LogField> fields = {
      {"yes", true},
      {"int", -12},
      {"size", std::numeric_limits<std::uint64_t>::max()},
      {"ratio", 0.25},
      {"endless", HUGE_VAL},
      {"none", std::nan("")},
      {"text", "plain"},
      {"at", Instant(kTime)},
      {"failed", Error(ErrorKind::conflict, ErrorReason::terminal, "settled")},
      {"broken", Error(ErrorKind::internal, "why")},
  };
  EXPECT_EQ(text_of(fields),
            "yes=true int=-12 size=18446744073709551615 ratio=0.25 endless=inf none=nan "
            "text=plain at=2026-01-01T00:00:00.123Z failed=\"conflict/terminal: settled\" "
            "broken=\"internal: why\"");
  EXPECT_EQ(json_of(fields),
            R"(,"yes":true,"int":-12,"size":18446744073709551615,"ratio":0.25,"endless":"inf",)"
            R"("none":"nan","text":"plain","at":"2026-01-01T00:00:00.123Z",)"
            R"("failed":"conflict/terminal: settled","broken":"internal: why"})");
}

TEST(LogFormat_Redaction, SecretsAreNeverWritten) {
  const std::vector<LogField> fields = {
      {"shared", Secret("swordfish")}, {"other", Redacted{}}, {"password", "swordfish"}};
  EXPECT_EQ(text_of(fields), "shared=[redacted] other=[redacted] password=[redacted]");
  EXPECT_EQ(json_of(fields),
            R"(,"shared":"[redacted]","other":"[redacted]","password":"[redacted]"})");
}

TEST(LogFormat_Redaction, EverySecretKeyHidesEveryType) {
  const std::vector<LogField> fields = {{"api_key", "hush"}, {"authorization", "hush"},
                                        {"cookie", "hush"s}, {"credential", "hush"},
                                        {"password", 4242},  {"private_key", "hush"},
                                        {"secret", 4242.5},  {"token", std::string_view("hush")}};
  EXPECT_EQ(fields.size(), kSecretKeys.size());
  for (const LogField& field : fields) {
    EXPECT_TRUE(std::holds_alternative<Redacted>(field.value().variant())) << field.key();
  }
}

TEST(LogFormat_Injection, NoByteOfAValueEndsTheLineOrTheValue) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string value = "a"s + static_cast<char>(byte) + "b";
    for (const std::string& line : {text_of({{"v", value}, {"w", 1}}), json_of({{"v", value}})}) {
      EXPECT_TRUE(is_valid_utf8(line));
      for (const char c : line) EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != 0x7F);
    }
  }
  EXPECT_EQ(text_of({{"v", "x\n2026-01-01T00:00:00.000Z info forged"}}),
            R"(v="x\n2026-01-01T00:00:00.000Z info forged")");
  EXPECT_EQ(text_of({{"v", "x\" level=error"}}), R"(v="x\" level=error")");
  EXPECT_EQ(text_of({{"v", "a=b"}}), R"(v="a=b")");
  EXPECT_EQ(text_of({{"v", ""}}), R"(v="")");
  EXPECT_EQ(json_of({{"v", "x\",\"level\":\"error"}}), R"(,"v":"x\",\"level\":\"error"})");
}

TEST(LogFormat_Injection, WhatChangesHowTextIsShownIsEscaped) {
  EXPECT_EQ(text_of({{"v", "\x1B[2J"}}), R"(v="\u001b[2J")");
  EXPECT_EQ(text_of({{"v", "a\u2028b\u202Ec\u200Bd\uFEFF\u0085"}}),
            R"(v="a\u2028b\u202ec\u200bd\ufeff\u0085")");
  EXPECT_EQ(text_of({{"v", "\U000E0041"}}), R"(v="\udb40\udc41")");
  EXPECT_EQ(text_of({{"v", "Rīga 🙂 \\"}}), R"(v="Rīga 🙂 \\")");
  EXPECT_EQ(text_of({{"v", "a\xFF\xC3"}}), "v=\"a\uFFFD\uFFFD\"");
}

TEST(LogFormat_Bounds, AValueIsCutBetweenCodePoints) {
  const std::string fits(kMaxValueBytes, 'x');
  EXPECT_EQ(text_of({{"v", fits}}), "v=" + fits);
  EXPECT_EQ(text_of({{"v", fits + "y"}}), "v=\"" + fits + "\u2026\"");
  const std::string wide = std::string(kMaxValueBytes - 1, 'x') + "é";
  EXPECT_EQ(json_of({{"v", wide}}), ",\"v\":\"" + wide.substr(0, kMaxValueBytes - 1) + "\u2026\"}");
}

TEST(LogFormat_Bounds, FieldsBeyondTheLineAreCounted) {
  const std::string hostile(10'000, '\x01');  // six bytes each when escaped
  const std::vector<LogField> fields = {{"a", hostile}, {"b", hostile}, {"c", 7}, {"d", hostile}};
  const std::string text = format_text(LogRecord(kTime, LogLevel::info, "m", fields));
  EXPECT_LE(text.size(), kMaxLineBytes);
  EXPECT_TRUE(text.ends_with("\u2026\" c=7 dropped=2")) << text;
  const std::string json = format_json(LogRecord(kTime, LogLevel::info, "m", fields));
  EXPECT_LE(json.size(), kMaxLineBytes);
  EXPECT_TRUE(json.ends_with("\u2026\",\"c\":7,\"dropped\":2}")) << json;
}

TEST(LogFormat_Bounds, EveryLengthOfValueKeepsTheLineWithinBounds) {
  for (std::size_t size = 0; size <= kMaxValueBytes + 2; ++size) {
    const std::string value(size, '"');
    const std::vector<LogField> fields = {{"a", value}, {"b", value}, {"c", value}, {"d", value}};
    const LogRecord record(kTime, LogLevel::info, "m", fields);
    EXPECT_LE(format_text(record).size(), kMaxLineBytes);
    EXPECT_LE(format_json(record).size(), kMaxLineBytes);
  }
}

TEST(LogLevel_Names, EveryLevelHasItsWord) {
  EXPECT_EQ(to_string(LogLevel::debug), "debug");
  EXPECT_EQ(to_string(LogLevel::info), "info");
  EXPECT_EQ(to_string(LogLevel::warning), "warning");
  EXPECT_EQ(to_string(LogLevel::error), "error");
}

}  // namespace
}  // namespace interline
