// What an agent is asked outside of tasks: policy first, bounded in every way, answered whatever
// becomes of the agent.
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;
using engine::Withdrawal;
using namespace std::chrono_literals;

/// Of the policy: may use some prompts and resources of the puppet, and no tool.
const Principal kReader = Principal::of("key", "reader");
/// Sees the puppet, and may use nothing.
const Principal kOnlooker = Principal::of("key", "onlooker");

EngineOptions options() {
  EngineOptions made;
  policy::Grant reader;
  reader.principals = {"key:reader"};
  reader.endpoints = {"puppet", "missing"};
  reader.visible = true;
  reader.invoke = {"prompt:open*", "resource:file:///open/*"};
  policy::Grant onlooker;
  onlooker.principals = {"key:onlooker"};
  onlooker.endpoints = {"puppet"};
  onlooker.visible = true;
  made.grants = {reader, onlooker};
  return made;
}

Consultation about(ConsultationKind kind, std::string subject = {}, std::string params = {}) {
  Consultation asked;
  asked.kind = kind;
  asked.subject = std::move(subject);
  asked.params = std::move(params);
  asked.answerable = tasks::bit(tasks::QuestionKind::form);
  return asked;
}

std::future<Result<Consulted>> ask(EngineBench& bench, const Principal& who, Consultation asked,
                                   std::shared_ptr<Withdrawal> withdrawal = nullptr,
                                   std::string endpoint = "puppet") {
  return bench.spawn(
      bench.engine().consult(who, std::move(endpoint), std::move(asked), std::move(withdrawal)));
}

/// Asks, and answers as the agent.
Result<Consulted> ask_and_answer(EngineBench& bench, const Principal& who, Consultation asked,
                                 Result<Consulted> with) {
  auto answer = ask(bench, who, std::move(asked));
  bench.puppet().question()->answer(std::move(with));
  return answer.get();
}

Consulted said(std::string result) {
  Consulted answer;
  answer.result = std::move(result);
  return answer;
}

TEST(Engine_Consult, ThePromptIsAsTheAgentWroteIt) {
  EngineBench bench(options());
  auto answer =
      ask(bench, kReader, about(ConsultationKind::get_prompt, "open", R"({"city":"Riga"})"));
  const auto question = bench.puppet().question();
  EXPECT_EQ(question->asked.subject, "open");
  EXPECT_EQ(question->asked.params, R"({"city":"Riga"})");
  question->answer(R"({"messages":[], "n":1.50})");
  const auto got = answer.get();
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->result, R"({"messages":[], "n":1.50})");
}

TEST(Engine_Consult, TheCallerIsTheTokenThatItsJobsGet) {
  EngineBench bench(options());
  std::string task;
  const std::string of_job = bench.work(task)->job->input().caller;
  auto answer = ask(bench, kAlice, about(ConsultationKind::get_prompt, "any"));
  auto question = bench.puppet().question();
  EXPECT_EQ(question->asked.caller, of_job);
  question->answer("{}");
  EXPECT_TRUE(answer.get());
  auto bobs = ask(bench, kBob, about(ConsultationKind::get_prompt, "any"));
  question = bench.puppet().question();
  EXPECT_NE(question->asked.caller, of_job);
  question->answer("{}");
  EXPECT_TRUE(bobs.get());
}

TEST(Engine_Consult, WhatMayNotBeUsedAnswersAsWhatIsNotThere) {
  EngineBench bench(options());
  const Error absent(ErrorKind::not_found, "There is no such prompt, says the agent.");
  const std::size_t before = bench.puppet().asked();
  const auto not_there = ask_and_answer(
      bench, kReader, about(ConsultationKind::get_prompt, "open-2"), std::unexpected(absent));
  ASSERT_FALSE(not_there);
  const Consultation closed_prompt = about(ConsultationKind::get_prompt, "closed");
  const Consultation closed_resource = about(ConsultationKind::read_resource, "file:///closed/1");
  const Consultation open_prompt = about(ConsultationKind::get_prompt, "open");
  const Consultation completion =
      about(ConsultationKind::complete, "open", R"({"ref":{"type":"ref/prompt","name":"closed"}})");
  const Consultation list = about(ConsultationKind::list_prompts);
  EXPECT_EQ(ask(bench, kReader, closed_prompt).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kReader, closed_resource).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kReader, completion).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kOnlooker, open_prompt).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kStranger, open_prompt).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kReader, open_prompt, nullptr, "missing").get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kStranger, list).get().error(), not_there.error());
  EXPECT_EQ(ask(bench, kReader, list, nullptr, "missing").get().error(), not_there.error());
  EXPECT_EQ(bench.puppet().asked(), before + 1) << "only what may be used was asked for";
}

TEST(Engine_Consult, PrepareAnswersAsTheCallWould) {
  EngineBench bench(options());
  auto call = bench.puppet_call();
  const auto refused = bench.admit(kReader, call);
  ASSERT_FALSE(refused);
  const auto prepare = about(ConsultationKind::prepare, "do", "{}");
  EXPECT_EQ(ask(bench, kReader, prepare).get().error(), refused.error());
  EXPECT_EQ(ask(bench, kAlice, about(ConsultationKind::prepare, "undo", "{}")).get().error(),
            refused.error());
  const auto broken = ask(bench, kAlice, about(ConsultationKind::prepare, "do", "[1]")).get();
  call.arguments = "[1]";
  EXPECT_EQ(broken.error(), bench.admit(kAlice, call).error());
}

TEST(Engine_Consult, PrepareGetsCanonicalArgumentsAndMayAsk) {
  EngineBench bench(options());
  auto answer = ask(bench, kAlice, about(ConsultationKind::prepare, "do", R"({ "b":1,"a":2.0 })"));
  const auto question = bench.puppet().question();
  EXPECT_EQ(question->asked.params, R"({"a":2,"b":1})");
  Consulted asks_first;
  asks_first.questions.push_back(asks("name"));
  asks_first.state = "here";
  question->answer(asks_first);
  const auto got = answer.get();
  ASSERT_TRUE(got) << got.error().message;
  ASSERT_EQ(got->questions.size(), 1U);
  EXPECT_EQ(got->questions[0].key, "name");
  EXPECT_EQ(got->state, "here");
}

TEST(Engine_Consult, ListsShowOnlyWhatMayBeUsed) {
  EngineBench bench(options());
  struct Row {
    ConsultationKind kind;
    const char* said;
    const char* shown;
  };
  const Row rows[] = {
      {ConsultationKind::list_prompts,
       R"([{"name":"open"}, {"name":"closed"},{"name":"open-2"},3])",
       R"([{"name":"open"},{"name":"open-2"}])"},
      {ConsultationKind::list_resources,
       R"([{"uri":"file:///open/1","size":1.0},{"uri":"file:///closed/1"},{"name":"x"}])",
       R"([{"uri":"file:///open/1","size":1.0}])"},
      {ConsultationKind::list_resource_templates,
       R"([{"uriTemplate":"file:///{path}"},{"uriTemplate":"file:///open/{path}"}])",
       R"([{"uriTemplate":"file:///open/{path}"}])"},
  };
  for (const Row& row : rows) {
    const auto shown = ask_and_answer(bench, kReader, about(row.kind), said(row.said));
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_EQ(shown->result, row.shown);
    const auto all = ask_and_answer(bench, kAlice, about(row.kind), said("[]"));
    ASSERT_TRUE(all);
  }
  const std::size_t before = bench.puppet().asked();
  const auto nothing = ask(bench, kOnlooker, about(ConsultationKind::list_prompts)).get();
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->result, "[]");
  EXPECT_EQ(bench.puppet().asked(), before);
}

TEST(Engine_Consult, WhatTheAgentSaysIsChecked) {
  EngineOptions small = options();
  small.configure = [](engine::GatewayConfiguration& made) {
    made.output.result_bytes = 1'000;
    made.output.json_depth = 8;
  };
  EngineBench bench(std::move(small));
  const std::string deep = R"({"a":)" + std::string(8, '[') + std::string(8, ']') + "}";
  const std::string large = R"({"a":")" + std::string(1'000, 'x') + "\"}";
  for (const std::string& wrong :
       {std::string("[]"), std::string("{"), std::string(), deep, large}) {
    const auto got =
        ask_and_answer(bench, kAlice, about(ConsultationKind::get_prompt, "p"), said(wrong));
    ASSERT_FALSE(got) << wrong;
    EXPECT_EQ(got.error().kind, ErrorKind::internal);
  }
  Consulted asks_roots;
  asks_roots.questions.push_back(asks("roots"));
  asks_roots.questions.back().kind = tasks::QuestionKind::roots;
  // Who speaks for the caller says what it lacks; here it is passed on.
  EXPECT_TRUE(ask_and_answer(bench, kAlice, about(ConsultationKind::get_prompt, "p"), asks_roots));
  Consulted twice;
  twice.questions = {asks("a"), asks("a")};
  EXPECT_EQ(ask_and_answer(bench, kAlice, about(ConsultationKind::prepare, "do", "{}"), twice)
                .error()
                .kind,
            ErrorKind::internal);
  Consulted in_list;
  in_list.questions = {asks("a")};
  EXPECT_EQ(
      ask_and_answer(bench, kAlice, about(ConsultationKind::list_prompts), in_list).error().kind,
      ErrorKind::internal);
}

TEST(Engine_Consult, WhatTheCallerBringsIsBounded) {
  EngineBench bench(options());
  const auto kind_of = [&](Consultation asked) {
    const auto got = ask(bench, kAlice, std::move(asked)).get();
    return got ? std::string("accepted") : std::string(to_string(got.error().kind));
  };
  EXPECT_EQ(kind_of(about(ConsultationKind::get_prompt, std::string(8'193, 'x'))),
            "resource_constraint");
  EXPECT_EQ(kind_of(about(ConsultationKind::get_prompt, "p", R"({"a":1})")), "malformed");
  EXPECT_EQ(kind_of(about(ConsultationKind::get_prompt, "p", R"({"a":)")), "malformed");
  EXPECT_EQ(kind_of(about(ConsultationKind::complete, "p", R"({"ref":{"type":"x"}})")),
            "malformed");
  Consultation many = about(ConsultationKind::get_prompt, "p");
  many.answers.resize(33);
  EXPECT_EQ(kind_of(many), "resource_constraint");
  EXPECT_EQ(bench.puppet().asked(), 0U);
}

TEST(Engine_Consult, AnAgentThatNeverAnswersIsLeftAndKeepsItsPlace) {
  EngineOptions narrow = options();
  narrow.lane.consultations = 1;
  EngineBench bench(std::move(narrow));
  Consultation brief = about(ConsultationKind::get_prompt, "p");
  brief.timeout = 300ms;
  auto answer = ask(bench, kAlice, brief);
  const auto question = bench.puppet().question();
  EXPECT_EQ(answer.get().error().kind, ErrorKind::unavailable);
  EXPECT_TRUE(question->withdrawal->withdrawn());
  const auto more = ask(bench, kAlice, about(ConsultationKind::get_prompt, "p")).get();
  EXPECT_EQ(more.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(more.error().reason, ErrorReason::too_many);
  question->answer("{}");  // late, and for nobody
  // Its place is given back on another thread.
  Result<Consulted> again = std::unexpected(more.error());
  while (!again && again.error().kind == ErrorKind::resource_constraint) {
    auto next = ask(bench, kAlice, brief);
    again = next.get();
  }
  EXPECT_EQ(again.error().kind, ErrorKind::unavailable) << "asked, and not answered in time";
  bench.puppet().forget();
}

TEST(Engine_Consult, WhoIsGoneIsNotWaitedFor) {
  EngineBench bench(options());
  const auto withdrawal = std::make_shared<Withdrawal>();
  auto answer = ask(bench, kAlice, about(ConsultationKind::get_prompt, "p"), withdrawal);
  const auto question = bench.puppet().question();
  withdrawal->withdraw();
  EXPECT_EQ(answer.get().error().kind, ErrorKind::unavailable);
  EXPECT_TRUE(question->withdrawal->withdrawn());
  const std::size_t before = bench.puppet().asked();
  EXPECT_FALSE(ask(bench, kAlice, about(ConsultationKind::get_prompt, "p"), withdrawal).get());
  EXPECT_EQ(bench.puppet().asked(), before) << "gone before it was asked";
  bench.puppet().forget();
}

TEST(Engine_Consult, AClosedLaneIsUnavailableAsForACall) {
  EngineBench bench(options());
  bench.engine().close_lane("puppet");
  const auto refused = bench.admit(kAlice, bench.puppet_call());
  const auto got = ask(bench, kAlice, about(ConsultationKind::get_prompt, "p")).get();
  ASSERT_FALSE(refused || got);
  EXPECT_EQ(got.error(), refused.error());
}

TEST(Engine_Consult, ADrainAnswersWhatIsLeftWhenItsTimeIsOver) {
  EngineBench bench(options());
  auto answered = ask(bench, kAlice, about(ConsultationKind::get_prompt, "p"));
  const auto first = bench.puppet().question();
  auto left = ask(bench, kAlice, about(ConsultationKind::get_prompt, "q"));
  const auto second = bench.puppet().question();
  auto drained = bench.spawn([](EngineBench& of) -> awaitable<bool> {
    co_await of.engine().drain(200ms);
    co_return true;
  }(bench));
  bench.puppet().drained();
  first->answer("{}");
  EXPECT_TRUE(answered.get());
  EXPECT_EQ(left.get().error().kind, ErrorKind::unavailable);
  EXPECT_TRUE(second->withdrawal->withdrawn());
  EXPECT_TRUE(drained.get());
  EXPECT_EQ(ask(bench, kAlice, about(ConsultationKind::get_prompt, "p")).get().error().kind,
            ErrorKind::unavailable);
  bench.puppet().forget();
}

TEST(Engine_Consult, AStopAnswersEverybody) {
  EngineBench bench(options());
  auto answer = ask(bench, kAlice, about(ConsultationKind::get_prompt, "p"));
  const auto question = bench.puppet().question();
  bench.engine().stop();
  EXPECT_EQ(answer.get().error().kind, ErrorKind::unavailable);
  EXPECT_EQ(ask(bench, kAlice, about(ConsultationKind::get_prompt, "p")).get().error().kind,
            ErrorKind::unavailable);
  bench.puppet().forget();
}

TEST(Engine_Consult, IsChargedToARateClass) {
  EngineOptions slow = options();
  slow.configure = [](engine::GatewayConfiguration& made) {
    made.rates = policy::RateConfiguration::from(1);
  };
  EngineBench bench(std::move(slow));
  Result<Consulted> got = Consulted();
  for (int i = 0; i < 10'000 && got; ++i) {
    got = ask(bench, kOnlooker, about(ConsultationKind::list_prompts)).get();
  }
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().reason, ErrorReason::rate);
  EXPECT_GT(bench.engine().refused_charges(policy::RateClass::metadata), 0U);
}

}  // namespace
}  // namespace interline::testing
