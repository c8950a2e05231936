#include "json/writer.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::json {
namespace {

TEST(Writer, NestsAndSeparates) {
  std::string text;
  Writer w(text);
  w.begin_object();
  w.member("city", "Riga");
  w.name("days");
  w.begin_array();
  w.value(1);
  w.begin_array();
  w.end_array();
  w.begin_object();
  w.end_object();
  w.value(2);
  w.end_array();
  w.member("open", true);
  w.name("nothing");
  w.null();
  w.raw_member("as is", "[ 1 ]");
  w.end_object();
  EXPECT_EQ(text, R"({"city":"Riga","days":[1,[],{},2],"open":true,"nothing":null,"as is":[ 1 ]})");
}

TEST(Writer, AppendsToWhatIsThere) {
  std::string text = "data: ";
  Writer(text).value("x");
  EXPECT_EQ(text, "data: \"x\"");
}

TEST(Writer, WritesEveryIntegerExactly) {
  std::string text;
  Writer w(text);
  w.begin_array();
  w.value(std::numeric_limits<std::int64_t>::min());
  w.value(std::numeric_limits<std::int64_t>::max());
  w.value(std::numeric_limits<std::uint64_t>::max());
  w.value(0.1);
  w.value(1e21);
  w.end_array();
  EXPECT_EQ(text, "[-9223372036854775808,9223372036854775807,18446744073709551615,0.1,1e+21]");
}

TEST(Writer, EscapesNamesAndTexts) {
  std::string text;
  Writer w(text);
  w.begin_object();
  w.member("a\"b\\\n", std::string("\x01 \xC3\xA9 \x7F\0", 7));
  w.end_object();
  EXPECT_EQ(text, "{\"a\\\"b\\\\\\n\":\"\\u0001 \xC3\xA9 \x7F\\u0000\"}");
}

TEST(Writer, PassesParsedValuesThroughByteForByte) {
  const auto document = parse(R"({"n": 12345678901234567890.000, "s": "\u00e9"})");
  ASSERT_TRUE(document);
  std::string text;
  Writer w(text);
  w.begin_array();
  w.value(*document->root().find("n"));
  w.value(*document->root().find("s"));
  w.value(Value());
  w.end_array();
  EXPECT_EQ(text, R"([12345678901234567890.000,"\u00e9",null])");
}

}  // namespace
}  // namespace interline::json
