// Calls that begin with what a question before them led to.
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using tasks::State;

const std::string kResult = R"({"content":[]})";

tasks::Answer answer(std::string key, std::string value) {
  tasks::Answer made;
  made.key = std::move(key);
  made.value = std::move(value);
  return made;
}

engine::Invocation prepared(const EngineBench& bench, std::string request_key = {}) {
  engine::Invocation call = bench.puppet_call(std::move(request_key));
  call.prepared = "where we were";
  call.answers = {answer("name", "\"Ada\"")};
  return call;
}

void expect_prepared(const engine::JobInput& input) {
  EXPECT_EQ(input.state, "where we were");
  ASSERT_EQ(input.answers.size(), 1U);
  EXPECT_EQ(input.answers[0].key, "name");
  EXPECT_EQ(input.answers[0].value, "\"Ada\"");
}

TEST(Engine_Prepared, TheWorkBeginsWithTheStateAndTheAnswers) {
  EngineBench bench;
  const auto admission = bench.admit(kAlice, prepared(bench));
  ASSERT_TRUE(admission) << admission.error().message;
  const auto work = bench.puppet().next();
  expect_prepared(work->job->input());
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(admission->task, State::completed).state, State::completed);
}

TEST(Engine_Prepared, ItIsKnownAfterARestart) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  const auto blocks = bench.work(first);
  const auto admission = bench.admit(kAlice, prepared(bench));
  ASSERT_TRUE(admission);
  bench.restart();
  const auto work = bench.puppet().next();
  expect_prepared(work->job->input());
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(admission->task, State::completed).state, State::completed);
}

TEST(Engine_Prepared, ItMayAskWhileItWorksLikeAnyOther) {
  EngineBench bench;
  const auto admission = bench.admit(kAlice, prepared(bench));
  const auto work = bench.puppet().next();
  work->ask({asks("name")});
  const tasks::Task waiting = bench.until(admission->task, State::input_required);
  engine::Input input;
  input.task = admission->task;
  input.request = waiting.pending->id;
  input.value = "\"Eve\"";
  ASSERT_TRUE(bench.run(bench.engine().provide_input(kAlice, input)));
  EXPECT_EQ(work->answer().value, "\"Eve\"");
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(admission->task, State::completed).state, State::completed);
}

TEST(Engine_Prepared, IsPartOfWhatTheRequestIs) {
  EngineBench bench;
  const auto first = bench.admit(kAlice, prepared(bench, "key"));
  const auto again = bench.admit(kAlice, prepared(bench, "key"));
  ASSERT_TRUE(first && again);
  EXPECT_EQ(again->task, first->task);
  EXPECT_TRUE(again->replayed);
  auto without = bench.puppet_call("key");
  auto other_state = prepared(bench, "key");
  other_state.prepared = "elsewhere";
  auto other_answer = prepared(bench, "key");
  other_answer.answers[0].value = "\"Eve\"";
  for (const auto& other : {without, other_state, other_answer}) {
    const auto refused = bench.admit(kAlice, other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, ErrorReason::different_request);
  }
}

TEST(Engine_Prepared, AnswersWithoutAStateHaveAnEmptyOne) {
  EngineBench bench;
  auto call = prepared(bench);
  call.prepared.reset();
  ASSERT_TRUE(bench.admit(kAlice, call));
  const auto work = bench.puppet().next();
  EXPECT_EQ(work->job->input().state, "");
  EXPECT_EQ(work->job->input().answers.size(), 1U);
}

TEST(Engine_Prepared, IsBounded) {
  EngineBench bench;
  auto large = prepared(bench);
  large.prepared = std::string(65'537, 'x');
  auto many = prepared(bench);
  many.answers.resize(33);
  for (const auto& call : {large, many}) {
    const auto refused = bench.admit(kAlice, call);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::resource_constraint);
  }
}

}  // namespace
}  // namespace interline::testing
