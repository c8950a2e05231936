// Each limit of json::Limits at its border and one beyond.
#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "json/parse_outcome.hpp"

namespace interline::json {
namespace {

using testing::error;
using testing::outcome;
using Code = ParseErrorCode;

TEST(Limits, Bytes) {
  Limits limits;
  limits.bytes = 4;
  EXPECT_EQ(outcome("null", limits), "ok");
  EXPECT_EQ(outcome("null ", limits), error(Code::too_many_bytes, 4));
  EXPECT_EQ(outcome("!!!!!", limits), error(Code::too_many_bytes, 4));
}

TEST(Limits, Depth) {
  Limits limits;
  limits.depth = 2;
  EXPECT_EQ(outcome(R"([{}])", limits), "ok");
  EXPECT_EQ(outcome(R"([[],[1],{"a":1}])", limits), "ok");
  EXPECT_EQ(outcome(R"([{"a":[]}])", limits), error(Code::too_deep, 6));
  EXPECT_EQ(outcome(R"([[[1]]])", limits), error(Code::too_deep, 2));
  limits.depth = 0;
  EXPECT_EQ(outcome("1", limits), "ok");
  EXPECT_EQ(outcome("{}", limits), error(Code::too_deep, 0));
}

TEST(Limits, StringBytesAreCountedUnescaped) {
  Limits limits;
  limits.string_bytes = 4;
  EXPECT_EQ(outcome(R"("abcd")", limits), "ok");
  EXPECT_EQ(outcome(R"("\u0061\u0062\u0063\u0064")", limits), "ok");
  EXPECT_EQ(outcome(R"("\uD834\uDD1E")", limits), "ok");
  EXPECT_EQ(outcome(R"(["abcde"])", limits), error(Code::string_too_long, 1));
  EXPECT_EQ(outcome(R"("\uD834\uDD1Ex")", limits), error(Code::string_too_long, 0));
  EXPECT_EQ(outcome(R"({"abcd":1,"abcde":1})", limits), error(Code::string_too_long, 10));
  EXPECT_EQ(outcome("\"abc\n", limits), error(Code::control_character, 4));
  EXPECT_EQ(outcome("\"abcde\n", limits), error(Code::string_too_long, 0));
}

TEST(Limits, Members) {
  Limits limits;
  limits.members = 2;
  EXPECT_EQ(outcome(R"({"a":1,"b":{"c":1,"d":2}})", limits), "ok");
  EXPECT_EQ(outcome(R"({"a":1,"b":2,"c":3})", limits), error(Code::too_many_members, 13));
  limits.members = 0;
  EXPECT_EQ(outcome("{}", limits), "ok");
  EXPECT_EQ(outcome(R"({"a":1})", limits), error(Code::too_many_members, 1));
}

TEST(Limits, Elements) {
  Limits limits;
  limits.elements = 2;
  EXPECT_EQ(outcome("[1,[2,3]]", limits), "ok");
  EXPECT_EQ(outcome("[1,2,3]", limits), error(Code::too_many_elements, 5));
  EXPECT_EQ(outcome("[1,2,]", limits), error(Code::syntax, 5));
}

TEST(Limits, Nodes) {
  Limits limits;
  limits.nodes = 4;
  EXPECT_EQ(outcome(R"([1,{"a":2}])", limits), "ok");
  EXPECT_EQ(outcome(R"([1,{"a":2},3])", limits), error(Code::too_many_nodes, 11));
  limits.nodes = 0;
  EXPECT_EQ(outcome("1", limits), error(Code::too_many_nodes, 0));
}

TEST(Limits, NumberBytes) {
  Limits limits;
  limits.number_bytes = 5;
  EXPECT_EQ(outcome("-1.25", limits), "ok");
  EXPECT_EQ(outcome("[-1.250]", limits), error(Code::number_too_long, 1));
  EXPECT_EQ(outcome("1e0000", limits), error(Code::number_too_long, 0));
  EXPECT_EQ(outcome("123456x", limits), error(Code::number_too_long, 0));
  EXPECT_EQ(outcome("1.x", limits), error(Code::invalid_number, 2));
}

}  // namespace
}  // namespace interline::json
