#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "runtimes/script/script_runtime.hpp"
#include "runtimes/script/test_agent.hpp"
#include "runtimes/test_support.hpp"

namespace interline::runtimes::script {
namespace {

using runtimes::testing::FakeJob;

constexpr std::string_view kAgent = R"toml(
[[tool]]
name = "kinds"
steps = [
  { text = "Hello, ${arguments.name}!", annotations = { priority = 1 } },
  { image = "dot.png" },
  { audio = { base64 = "AAAA", mime_type = "audio/wav" }, meta = { a = 1 } },
  { resource = { uri = "a:${arguments.name}", file = "data.json" } },
  { resource = { uri = "a:c", base64 = "AAAA" } },
  { resource_link = { uri = "a:d", name = "d", mime_type = "text/plain", size = 3 } },
  { text = { file = "note.txt" } },
  { structured = { name = "${arguments.name}", count = "${arguments.count}" } },
]

[[tool]]
name = "slow"
steps = [
  { progress = 0 },
  { log = "Tool execution started" },
  { wait = "${arguments.seconds}s" },
  { progress = 100, message = "done with ${arguments.seconds}" },
  { log = { what = "all" }, level = "debug" },
]

[[tool]]
name = "wrong"
steps = [{ text = "first" }, { tool_error = "${arguments.why}" }, { text = "never" }]

[[tool]]
name = "broken"
steps = [{ protocol_error = { code = -32050, message = "no ${arguments.why}", data = { why = "${arguments.why}" } } }]

[[tool]]
name = "asks"
steps = [
  { text = "before" },
  { ask = { a = { form = "A?", expires = "1m" }, b = { url = "https://example.org/${arguments.x}", message = "B" } } },
  { text = "${answers.a.action} ${answers.a.value.v} ${answers.b.action}" },
]

[[tool]]
name = "prepared"
prepare = [{ ask = { name = { form = "Name?" } } }]
steps = [{ text = "Hello, ${answers.name.value.name}!" }]

[[tool]]
name = "depends"
steps = [
  { text = "can sample", when = { answerable = "sampling" } },
  { text = "cannot sample", unless = { answerable = "sampling" } },
]

[[tool]]
name = "changes"
steps = [{ change = "tools" }, { change = { resource = "a:b" } }, { text = "changed" }]
)toml";

class ScriptCall : public ::testing::Test {
 protected:
  std::shared_ptr<FakeJob> start(engine::JobInput input) {
    input.handle = input.tool;
    auto job = std::make_shared<FakeJob>(std::move(input));
    runtime.start(job);
    return job;
  }
  std::shared_ptr<FakeJob> start(std::string tool, std::string arguments = "{}") {
    engine::JobInput input;
    input.tool = std::move(tool);
    input.arguments = std::move(arguments);
    return start(std::move(input));
  }

  runtimes::testing::Fixture fixture;
  ScriptRuntime runtime{fixture.executor(), testing::agent(kAgent)};
};

TEST_F(ScriptCall, ContentOfEveryKind) {
  EXPECT_EQ(
      start("kinds", R"({"count":3,"name":"Ada \"L\""})")->next(),
      R"(complete {"content":[{"type":"text","text":"Hello, Ada \"L\"!","annotations":{"priority":1}},)"
      R"({"type":"image","data":"iVBORw==","mimeType":"image/png"},)"
      R"({"type":"audio","data":"AAAA","mimeType":"audio/wav","_meta":{"a":1}},)"
      R"({"type":"resource","resource":{"uri":"a:Ada \"L\"","text":"{\"a\":1}","mimeType":"application/json"}},)"
      R"({"type":"resource","resource":{"uri":"a:c","blob":"AAAA"}},)"
      R"({"type":"resource_link","uri":"a:d","name":"d","mimeType":"text/plain","size":3},)"
      R"({"type":"text","text":"plain ${text}"}],)"
      R"("structuredContent":{"name":"Ada \"L\"","count":3}})");
}

TEST_F(ScriptCall, StepsComeOneAfterTheOther) {
  const auto job = start("slow", R"({"seconds":0.01})");
  EXPECT_EQ(job->next(), "progress 0.000000");
  EXPECT_EQ(job->next(), R"(log info "Tool execution started")");
  EXPECT_EQ(job->next(), "progress 100.000000 message=done with 0.01");
  EXPECT_EQ(job->next(), R"(log debug {"what":"all"})");
  EXPECT_EQ(job->next(), R"(complete {"content":[]})");
}

TEST_F(ScriptCall, ACancelledCallWaitsNoLonger) {
  const auto job = start("slow", R"({"seconds":3600})");
  (void)job->next();
  (void)job->next();
  job->cancel();
  EXPECT_TRUE(job->next().starts_with("cancelled"));
}

TEST_F(ScriptCall, WhatIsNoDurationIsAnErrorOfTheTool) {
  const auto job = start("slow", R"({"seconds":"many"})");
  (void)job->next();
  (void)job->next();
  EXPECT_EQ(
      job->next(),
      R"(complete {"content":[{"type":"text","text":"no duration to wait"}],"isError":true})");
}

TEST_F(ScriptCall, ATools_ErrorIsAResultAndAProtocolErrorAFailure) {
  EXPECT_EQ(
      start("wrong", R"({"why":"so"})")->next(),
      R"(complete {"content":[{"type":"text","text":"first"},{"type":"text","text":"so"}],"isError":true})");
  EXPECT_TRUE(start("broken", R"({"why":"so"})")->next().starts_with("fail mcp:-32050: no so"));
}

TEST_F(ScriptCall, QuestionsGoWithAStateAndTheCallComesAgain) {
  const std::string state =
      R"({"next":1,"answers":{},"content":[{"type":"text","text":"before"}]})";
  const auto job = start("asks", R"({"x":"y"})");
  EXPECT_EQ(job->next(), R"(ask a form A? schema={"type":"object","properties":{}} )"
                         "expires=60000000000ns state=" +
                             state);
  EXPECT_EQ(job->next(), "ask b url B url=https://example.org/y state=" + state);

  engine::JobInput again;
  again.tool = "asks";
  again.arguments = R"({"x":"y"})";
  again.state = state;
  again.answers.resize(2);
  again.answers[0].key = "a";
  again.answers[0].value = R"({"v":"1"})";
  again.answers[1].key = "b";
  again.answers[1].action = tasks::AnswerAction::decline;
  EXPECT_EQ(start(std::move(again))->next(),
            R"(complete {"content":[{"type":"text","text":"before"},)"
            R"({"type":"text","text":"accept 1 decline"}]})");
}

TEST_F(ScriptCall, WhatWasPreparedIsNotAskedAgain) {
  engine::JobInput input;
  input.tool = "prepared";
  input.arguments = "{}";
  input.state = R"({"next":1,"answers":{"name":{"action":"accept","value":{"name":"Ada"}}}})";
  EXPECT_EQ(start(std::move(input))->next(),
            R"(complete {"content":[{"type":"text","text":"Hello, Ada!"}]})");
}

TEST_F(ScriptCall, WithoutPreparationTheTaskAsksTheSame) {
  EXPECT_TRUE(start("prepared")->next().starts_with("ask name form Name?"));
}

TEST_F(ScriptCall, ARefusedQuestionFailsTheCall) {
  engine::JobInput input;
  input.tool = "asks";
  input.arguments = "{}";
  const auto job = std::make_shared<FakeJob>(std::move(input));
  job->refuse_questions();
  runtime.start(job);
  EXPECT_TRUE(job->next().starts_with("fail ask-refused"));
}

TEST_F(ScriptCall, StepsMayDependOnWhatTheCallerCanAnswer) {
  EXPECT_EQ(start("depends")->next(),
            R"(complete {"content":[{"type":"text","text":"cannot sample"}]})");
  engine::JobInput input;
  input.tool = "depends";
  input.arguments = "{}";
  input.answerable = tasks::bit(tasks::QuestionKind::sampling);
  EXPECT_EQ(start(std::move(input))->next(),
            R"(complete {"content":[{"type":"text","text":"can sample"}]})");
}

TEST_F(ScriptCall, AStateOfSomebodyElseFailsTheCall) {
  engine::JobInput input;
  input.tool = "asks";
  input.state = "something";
  EXPECT_TRUE(start(std::move(input))->next().starts_with("fail internal-error"));
}

TEST_F(ScriptCall, AToolThatIsGoneFails) {
  EXPECT_TRUE(start("none")->next().starts_with("fail no-such-tool"));
}

TEST_F(ScriptCall, ChangesAreToldAndOfAResourceOnlyToWhoFollowsIt) {
  std::mutex mutex;
  std::vector<std::string> told;
  runtime.on_change([&](const engine::AgentChange& change) {
    const std::scoped_lock lock(mutex);
    told.push_back(change.kind == engine::ChangeKind::resource ? change.uri : "tools");
  });
  (void)start("changes")->next();
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(told, std::vector<std::string>{"tools"});
}

}  // namespace
}  // namespace interline::runtimes::script
