#include "cli/question_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string task_with(const std::string& pending_members) {
  return R"({"id":"T","owner":"local:alice","pending":{)" + pending_members + "}}";
}
const std::string kOne = R"("body":{"inputSchema":{"type":"string"}},)"
                         R"("questions":[{"id":"q1","text":"Name?","schema":{"type":"string"}}])";
const std::string kTwo =
    R"("body":{"inputSchema":{"type":"object","properties":{"first":{"type":"string"},)"
    R"("second":{"type":"integer"}},"required":["first","second"]}},)"
    R"("questions":[{"id":"q1","text":"Name?","schema":{"type":"string"}},)"
    R"({"id":"q2","text":"Age?","schema":{"type":"integer"}}])";

std::string text_of(const std::string& task) {
  return question_text(json::parse(task)->root(), "interline tasks answer T", " -c f.toml");
}

TEST(QuestionText, OneQuestionIsAnsweredByItsValue) {
  const std::string text = text_of(task_with(kOne));
  EXPECT_THAT(text, HasSubstr("question    Name?\n"));
  EXPECT_THAT(text, Not(HasSubstr("member")));
  EXPECT_THAT(text, HasSubstr("answer with: interline tasks answer T '\"...\"' -c f.toml\n"));
}

TEST(QuestionText, SeveralAreAnsweredByAnObjectWhoseMembersAreNamed) {
  const std::string text = text_of(task_with(kTwo));
  EXPECT_THAT(text, HasSubstr("question    Name?\n  member    first\n"));
  EXPECT_THAT(text, HasSubstr("question    Age?\n  member    second\n"));
  EXPECT_THAT(text, HasSubstr("answer with: interline tasks answer T "
                              R"('{"first":"...","second":1}' -c f.toml)"));
}

TEST(QuestionText, WhatOthersWereAskedIsForThemToAnswer) {
  const std::string text = text_of(task_with(R"("mayAnswer":false,)" + kOne));
  EXPECT_THAT(text, HasSubstr("question    Name?\n"));
  EXPECT_THAT(text, HasSubstr("only local:alice can answer\n"));
  EXPECT_THAT(text, Not(HasSubstr("answer with")));
}

TEST(QuestionText, ATaskThatAsksNothingHasNone) {
  EXPECT_EQ(text_of(R"({"id":"T","owner":"local:alice"})"), "");
}

}  // namespace
}  // namespace interline::cli
