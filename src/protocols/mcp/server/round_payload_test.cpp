#include "protocols/mcp/server/round_payload.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::mcp::server {
namespace {

TEST(McpRoundPayload, ComesBackAsItWas) {
  Round round;
  round.number = 3;
  round.token = "t";
  round.state = "the agent's \"own\" state";
  InputQuestion question;
  question.key = "k";
  question.kind = tasks::QuestionKind::url;
  question.text = "Where?";
  question.schema = R"({"type":"string"})";
  question.url = "https://a.example/";
  round.questions.push_back(question);
  tasks::Answer answer;
  answer.key = "before";
  answer.action = tasks::AnswerAction::decline;
  round.answers.push_back(answer);
  const auto read = read_payload(write_payload(round));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->number, 3U);
  EXPECT_EQ(read->token, "t");
  EXPECT_EQ(read->state, round.state);
  ASSERT_EQ(read->questions.size(), 1U);
  EXPECT_EQ(read->questions[0].key, "k");
  EXPECT_EQ(read->questions[0].kind, tasks::QuestionKind::url);
  EXPECT_EQ(read->questions[0].schema, question.schema);
  EXPECT_EQ(read->questions[0].url, question.url);
  ASSERT_EQ(read->answers.size(), 1U);
  EXPECT_EQ(read->answers[0].action, tasks::AnswerAction::decline);
}

TEST(McpRoundPayload, AnEmptyStateIsOneAndNoneIsNone) {
  Round round;
  EXPECT_FALSE(read_payload(write_payload(round))->state.has_value());
  round.state = "";
  EXPECT_EQ(read_payload(write_payload(round))->state, "");
  round.task = "a-task";
  EXPECT_EQ(read_payload(write_payload(round))->task, "a-task");
}

TEST(McpRoundPayload, WhatAnotherVersionWroteIsNone) {
  for (const auto* const text :
       {"", "[]", "{}", R"({"round":"1","questions":[],"answers":[]})",
        R"({"round":1,"questions":[{"key":"k","kind":"smell"}],"answers":[]})",
        R"({"round":1,"questions":[],"answers":[{"key":"k","action":"nod"}]})"}) {
    EXPECT_FALSE(read_payload(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace interline::protocols::mcp::server
