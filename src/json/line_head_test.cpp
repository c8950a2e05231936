#include "json/line_head.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::json {
namespace {

std::string head(std::string_view text) {
  return std::string(member_of_head(text, "task").value_or("(none)"));
}
std::string tail(std::string_view text) {
  return std::string(member_of_tail(text, "id").value_or("(none)"));
}

TEST(LineHead, FindsTheMemberWhereverTheTextIsCut) {
  EXPECT_EQ(head(R"({"type":"result","task":"H","result":{"content":[)"), "H");
  EXPECT_EQ(head(R"( { "a" : {"task":"no","b":[{"x":"}"}]} , "task" : "H" )"), "H");
  EXPECT_EQ(head(R"({"n":1.5e3,"t":true,"task":"H"})"), "H");
  EXPECT_EQ(head(R"({"task":42,"x")"), "42");
  EXPECT_EQ(head(R"({"q":"a \"task\":\"no\"","task":"H")"), "H");
}

TEST(LineHead, SaysNothingWhereItCannotKnow) {
  for (const std::string_view text :
       {"", "{", "task", R"(["task"])", R"({"task")", R"({"task":)", R"({"task":"H)",
        R"({"task":4)", R"({"task":"a\"b"})", R"({"task":{"a":1}})", R"({"task":true})",
        R"({"x":{"task":"H")", R"({"x":"unfinished)", R"({"x" "task":"H"})", R"({"x":}}}})"}) {
    EXPECT_EQ(head(text), "(none)") << text;
  }
}

TEST(LineHead, FindsTheMemberFromTheEnd) {
  EXPECT_EQ(tail(R"(xxx"}]},"jsonrpc":"2.0","id":17})"), "17");
  EXPECT_EQ(tail("xxx, \"id\" : 17 } \r"), "17");
  EXPECT_EQ(tail(R"(xxx"}]},"id":"H","last":true,"type":"result"})"), "H");
  EXPECT_EQ(tail(R"(xxx"}]},"id":17,"jsonrpc":"2.0"})"), "17");
}

TEST(LineHead, ATextThatLooksLikeAnEndIsNone) {
  for (const std::string_view text :
       {"", "}", R"(x\","id":"17\"})", R"(x\"id":"17"})", R"("id":"a\\"})", R"("id":true})",
        R"("id":17,"x":[1]})", R"("id":17,"x":"\\"})",
        R"(x","id":17})"
        "\"",
        R"(\"id\":17}"})", R"("idx":17})", R"(x\"id\":17})", R"("id":})"}) {
    EXPECT_EQ(tail(text), "(none)") << text;
  }
}

}  // namespace
}  // namespace interline::json
