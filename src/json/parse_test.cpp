#include "json/parse.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse_outcome.hpp"

namespace interline::json {
namespace {

using testing::error;
using testing::outcome;
using Code = ParseErrorCode;

struct Case {
  std::string_view text;
  Code code;
  std::size_t offset;
};

void expect_errors(std::initializer_list<Case> cases, const Limits& limits = {},
                   Numbers numbers = Numbers::ieee754) {
  for (const Case& c : cases) {
    EXPECT_EQ(outcome(c.text, limits, numbers), error(c.code, c.offset)) << c.text;
  }
}

TEST(Rfc8259, AcceptsWhatTheGrammarAllows) {
  for (const char* const text : {"null",
                                 " true ",
                                 "\t\r\n false\n",
                                 "0",
                                 "-0",
                                 "-0.0e-0",
                                 "1E+2",
                                 "\"\"",
                                 "[]",
                                 "{}",
                                 "[ ]",
                                 "{ }",
                                 "[1,2]",
                                 "[[],{}]",
                                 R"({"a":{"b":[null]}})",
                                 R"("\"\\\/\b\f\n\r\t\u0041")",
                                 "\"\x7F\"",
                                 "\"\xF4\x8F\xBF\xBF\"",
                                 "\"\xEE\x80\x80\"",
                                 R"("\uD834\uDD1E")",
                                 R"("\ud834\udd1e")",
                                 "1e-400",
                                 "123456789012345678901234567890"}) {
    EXPECT_EQ(outcome(text), "ok") << text;
  }
}

TEST(ParseError_Syntax, AtTheFirstByteThatCannotContinue) {
  expect_errors({
      {"[1,]", Code::syntax, 3},
      {"[,1]", Code::syntax, 1},
      {"[1 2]", Code::syntax, 3},
      {"[1}", Code::syntax, 2},
      {"{\"a\":1]", Code::syntax, 6},
      {"{\"a\":1,}", Code::syntax, 7},
      {"{,}", Code::syntax, 1},
      {"{a:1}", Code::syntax, 1},
      {"{1:1}", Code::syntax, 1},
      {"{\"a\" 1}", Code::syntax, 5},
      {"{\"a\":}", Code::syntax, 5},
      {"{\"a\",1}", Code::syntax, 4},
      {"]", Code::syntax, 0},
      {"'a'", Code::syntax, 0},
      {"+1", Code::syntax, 0},
      {".5", Code::syntax, 0},
      {"NaN", Code::syntax, 0},
      {"nan", Code::syntax, 1},
      {"trUe", Code::syntax, 2},
      {"falsy", Code::syntax, 4},
      {"[1/**/]", Code::syntax, 2},
      {"\xEF\xBB\xBF{}", Code::syntax, 0},
      {"\x0B 1", Code::syntax, 0},
      {"[\xC3\xA9]", Code::syntax, 1},
      {std::string_view("\0", 1), Code::syntax, 0},
  });
}

TEST(ParseError_UnexpectedEnd, AtTheEnd) {
  expect_errors({
      {"", Code::unexpected_end, 0},          {" \n", Code::unexpected_end, 2},
      {"[", Code::unexpected_end, 1},         {"[1", Code::unexpected_end, 2},
      {"[1,", Code::unexpected_end, 3},       {"{", Code::unexpected_end, 1},
      {"{ \"a", Code::unexpected_end, 4},     {"{\"a\"", Code::unexpected_end, 4},
      {"{\"a\":", Code::unexpected_end, 5},   {"{\"a\":1", Code::unexpected_end, 6},
      {"{\"a\":1,", Code::unexpected_end, 7}, {"tru", Code::unexpected_end, 3},
      {"-", Code::unexpected_end, 1},         {"1.", Code::unexpected_end, 2},
      {"1e", Code::unexpected_end, 2},        {"1e-", Code::unexpected_end, 3},
      {"\"", Code::unexpected_end, 1},        {"\"abc", Code::unexpected_end, 4},
      {"\"\\", Code::unexpected_end, 2},      {"\"\\u12", Code::unexpected_end, 5},
      {"\"\\uD834", Code::unexpected_end, 7}, {"\"\\uD834\\uDD1", Code::unexpected_end, 12},
  });
}

TEST(ParseError_TrailingData, AtTheFirstByteAfterTheValue) {
  expect_errors({
      {"1 2", Code::trailing_data, 2},
      {"{}x", Code::trailing_data, 2},
      {"[] ]", Code::trailing_data, 3},
      {"nulls", Code::trailing_data, 4},
      {"\"a\"\"b\"", Code::trailing_data, 3},
      {"1\xFF", Code::trailing_data, 1},
      {std::string_view("1\0", 2), Code::trailing_data, 1},
  });
}

TEST(ParseError_InvalidUtf8, AtTheSequenceThatIsIllFormed) {
  expect_errors({
      {"\"a\x80\"", Code::invalid_utf8, 2},
      {"\"\xC0\x80\"", Code::invalid_utf8, 1},
      {"\"\xC1\xBF\"", Code::invalid_utf8, 1},
      {"\"\xC3(\"", Code::invalid_utf8, 1},
      {"\"\xE0\x9F\xBF\"", Code::invalid_utf8, 1},
      {"\"\xED\xA0\x80\"", Code::invalid_utf8, 1},
      {"\"\xED\xBF\xBF\"", Code::invalid_utf8, 1},
      {"\"\xE2\x82\"", Code::invalid_utf8, 1},
      {"\"\xF0\x8F\xBF\xBF\"", Code::invalid_utf8, 1},
      {"\"\xF0\x9F\x98\"", Code::invalid_utf8, 1},
      {"\"\xF4\x90\x80\x80\"", Code::invalid_utf8, 1},
      {"\"\xF5\x80\x80\x80\"", Code::invalid_utf8, 1},
      {"\"\xFF\"", Code::invalid_utf8, 1},
      {"\"\xE2\x82", Code::invalid_utf8, 1},
      {"{\"\xFF\":1}", Code::invalid_utf8, 2},
  });
}

TEST(ParseError_LoneSurrogate, AtItsBackslash) {
  expect_errors({
      {R"("\uD800")", Code::lone_surrogate, 1},
      {R"("x\udfff")", Code::lone_surrogate, 2},
      {R"("\uD834x")", Code::lone_surrogate, 1},
      {R"("\uD834\n")", Code::lone_surrogate, 1},
      {R"("\uD834\uD834\uDD1E")", Code::lone_surrogate, 1},
      {R"("\uD834\u0041")", Code::lone_surrogate, 1},
      {R"("\uD834\uDDZZ")", Code::lone_surrogate, 1},
      {R"("\uDD1E\uD834")", Code::lone_surrogate, 1},
      {R"({"\uD800":1})", Code::lone_surrogate, 2},
  });
}

TEST(ParseError_InvalidEscape, AtItsBackslash) {
  expect_errors({
      {R"("a\x41")", Code::invalid_escape, 2},
      {R"("\'")", Code::invalid_escape, 1},
      {R"("\U0041")", Code::invalid_escape, 1},
      {R"("\u00g0")", Code::invalid_escape, 1},
      {R"("\u12")", Code::invalid_escape, 1},
      {"\"\\\n\"", Code::invalid_escape, 1},
  });
}

TEST(ParseError_ControlCharacter, AtThatByte) {
  expect_errors({
      {"\"a\nb\"", Code::control_character, 2},
      {"\"\t\"", Code::control_character, 1},
      {"\"\x1F\"", Code::control_character, 1},
      {std::string_view("\"\0\"", 3), Code::control_character, 1},
  });
}

TEST(ParseError_InvalidNumber, AtTheByteThatIsNoPartOfOne) {
  expect_errors({
      {"01", Code::invalid_number, 1},
      {"-01", Code::invalid_number, 2},
      {"00", Code::invalid_number, 1},
      {"-x", Code::invalid_number, 1},
      {"--1", Code::invalid_number, 1},
      {"1.x", Code::invalid_number, 2},
      {"1.e1", Code::invalid_number, 2},
      {"[1e]", Code::invalid_number, 3},
      {"[1e+]", Code::invalid_number, 4},
      {"-Infinity", Code::invalid_number, 1},
  });
}

TEST(ParseError_NumberOverflow, AtTheNumber) {
  expect_errors({
      {"[1e400]", Code::number_overflow, 1},
      {"-1e309", Code::number_overflow, 0},
      {"1.7976931348623159e308", Code::number_overflow, 0},
      {"1e99999999999999999999999", Code::number_overflow, 0},
  });
  EXPECT_EQ(outcome("1.7976931348623157e308"), "ok");
  EXPECT_EQ(outcome("1.7976931348623158e308"), "ok") << "rounds to the largest double";
}

TEST(ParseError_DuplicateName, AtTheSecondNamesQuote) {
  expect_errors({
      {R"({"a":1,"a":2})", Code::duplicate_name, 7},
      {R"({"a":1, "\u0061" :2})", Code::duplicate_name, 8},
      {R"({"":1,"":2})", Code::duplicate_name, 6},
      {R"([{"b":{"a":1,"x":[],"a":2}}])", Code::duplicate_name, 20},
      {R"({"a":1,"b":2,"b":3,"a":4})", Code::duplicate_name, 13},
      {"{\"\xC3\xA9\":1,\"\\u00e9\":2}", Code::duplicate_name, 8},
  });
  EXPECT_EQ(outcome(R"([{"a":1},{"a":2},{"b":{"a":3},"a":4}])"), "ok");
}

TEST(ParseError, TheFirstErrorOfTheTextIsReported) {
  expect_errors({
      {R"({"a":1,"a":!})", Code::duplicate_name, 7},
      {R"({"a":1,"a":2,"b":[1e999]})", Code::duplicate_name, 7},
      {R"({"a":1,"b":!,"a":2})", Code::syntax, 11},
      {R"({"x":1,"x":{"y":1,"y":2}})", Code::duplicate_name, 7},
      {R"({"a":1,"a")", Code::duplicate_name, 7},
      {R"([1e400, "\x"])", Code::number_overflow, 1},
  });
}

TEST(ParseError, LineAndColumnCountFromOneInBytes) {
  const auto document = parse("{\n  \"\xC3\xA9\": [1,\n\n 2,\t\xFF]}");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().offset, 19U);
  EXPECT_EQ(document.error().line, 4U);
  EXPECT_EQ(document.error().column, 5U);
  EXPECT_EQ(to_string(document.error()), "line 4, column 5: unexpected character");
  const auto first = parse("x");
  EXPECT_EQ(first.error().line, 1U);
  EXPECT_EQ(first.error().column, 1U);
}

TEST(ParseError, MapsToTheEnginesErrors) {
  const Error bad = to_error(parse("[").error());
  EXPECT_EQ(bad.kind, ErrorKind::malformed);
  for (const char* text : {R"({"a":1,"a":2})", R"("\ud800")", "1e400"}) {
    EXPECT_EQ(to_error(parse(text).error()).kind, ErrorKind::not_acceptable) << text;
  }
  EXPECT_EQ(bad.reason, ErrorReason::none);
  EXPECT_EQ(bad.message, "line 1, column 2: the text ends too early");
  Limits limits;
  limits.depth = 1;
  const Error deep = to_error(parse("[[]]", limits).error());
  EXPECT_EQ(deep.kind, ErrorKind::resource_constraint);
  EXPECT_EQ(deep.reason, ErrorReason::too_large);
  limits.elements = 1;
  EXPECT_EQ(to_error(parse("[1,2]", limits).error()).reason, ErrorReason::too_many);
  EXPECT_FALSE(is_limit(Code::duplicate_name));
  EXPECT_TRUE(is_limit(Code::number_too_long));
}

TEST(Numbers_Faithful, KeepTheirText) {
  const auto document =
      parse("[1e400,-1e400,12345678901234567890123,1e-999]", {}, Numbers::faithful);
  ASSERT_TRUE(document);
  const auto items = document->root().items();
  EXPECT_EQ(items[0].as_number_text(), "1e400");
  EXPECT_EQ(items[0].as_double(), HUGE_VAL);
  EXPECT_EQ(items[1].as_double(), -HUGE_VAL);
  EXPECT_EQ(items[2].as_number_text(), "12345678901234567890123");
  EXPECT_EQ(items[3].as_double(), 0);
}

}  // namespace
}  // namespace interline::json
