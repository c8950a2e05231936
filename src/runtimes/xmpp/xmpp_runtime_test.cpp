// Numbers in names are those of the XMPP checklist, of the caller's side.
#include "runtimes/xmpp/bench.hpp"

namespace interline::runtimes::xmpp {
namespace {

using namespace std::chrono_literals;
using namespace protocols::xmpp;
using namespace testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// --- discovery and pins -------------------------------------------------------------------------

TEST(Checklist67_Pinning, EachToolSaysWhichManifestItCameFrom) {
  Bench bench;
  const auto tools = bench.import(
      info("7"),
      R"({"implementation":{"name":"n","version":"v"},"tools":[{"inputSchema":{"type":"object"},"name":"a","urn:interline:remote:0":{"hash":"x","version":"y"}}]})",
      info("7").pins);
  ASSERT_TRUE(tools);
  ASSERT_EQ(tools->definitions.size(), 1U);
  EXPECT_EQ(
      tools->definitions.front(),
      R"({"inputSchema":{"type":"object"},"name":"a","urn:interline:remote:0":{"hash":"hash","version":"7"}})");
  EXPECT_EQ(tools->server_name, "n");
  EXPECT_EQ(pins_of(tools->definitions.front()), info("7").pins);
}

TEST(Checklist67_Pinning, AManifestOfAnotherHashIsNotTakenOver) {
  Bench bench;
  const auto tools = bench.import(info(), R"({"tools":[]})", Pins{"1", "other"});
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().kind, ErrorKind::unavailable);
}

TEST(Checklist138_Pinning, AHashThatFitsMakesNoManifestOfWhatIsNone) {
  for (const char* text : {"[]", "{}", R"({"tools":{}})", "no JSON", ""}) {
    Bench bench;
    const auto tools = bench.import(info(), text, info().pins);
    ASSERT_FALSE(tools) << text;
    EXPECT_EQ(tools.error().kind, ErrorKind::unavailable);
  }
}

TEST(Checklist137_Discovery, EachEndpointLearnsOfItsAgentUnderItsOwnName) {
  Bench one;
  Bench other;
  one.meet();
  EXPECT_FALSE(other.runtime->available());
  auto job = other.start();  // nothing is known here: it is asked first
  other.script->expect<AskEndpoint>(info());
  EXPECT_THAT(job->next(), StartsWith("remember"));
  other.accept();
}

TEST(Checklist19_Discovery, WhatHasNoTasksIsNoAgent) {
  Bench bench;
  EndpointInfo person = info();
  person.tasks = false;
  auto listed = std::async([&bench] { return bench.fixture.run(bench.runtime->list_tools()); });
  bench.script->expect<AskEndpoint>(person);
  EXPECT_FALSE(listed.get());
}

TEST(Discovery, FeaturesAreThoseOfTheAgent) {
  Bench bench;
  EndpointInfo plain = info();
  plain.cancel = plain.input = false;
  (void)bench.import(plain, R"({"tools":[]})", plain.pins);
  EXPECT_TRUE(bench.runtime->features().progress);
  EXPECT_FALSE(bench.runtime->features().cancel);
  EXPECT_FALSE(bench.runtime->features().input);
  EXPECT_TRUE(bench.runtime->features().resumable);
  EXPECT_TRUE(bench.runtime->available());
}

TEST(Discovery, AnotherVersionIsAChangeOfTools) {
  AgentLimits limits = quick();
  limits.look_every = 1ms;
  Bench bench(limits);
  std::promise<void> changed;
  bench.runtime->on_change([&changed](const engine::AgentChange& change) {
    EXPECT_EQ(change.kind, engine::ChangeKind::tools);
    changed.set_value();
  });
  bench.meet();
  bench.script->expect<AskEndpoint>(info());  // nothing new
  bench.script->expect<AskEndpoint>(info("2"));
  changed.get_future().get();
  bench.script->expect<AskEndpoint>(info("2"));  // told once
}

// --- invocation ---------------------------------------------------------------------------------

TEST(Checklist92_Invocation, IsRememberedBeforeItIsSentAndSaysWhatWasImported) {
  Bench bench;
  bench.meet();
  engine::JobInput input = Bench::input();
  input.deadline = *Instant::parse_xep0082("2026-09-01T10:00:00.250+02:00");
  auto job = bench.start(std::move(input));
  const std::string remembered = job->next();
  EXPECT_THAT(remembered, HasSubstr(R"("request":"il.0123456789abcdefghijkl")"));
  EXPECT_THAT(remembered, HasSubstr(R"("task":"")"));
  const Invoke invoke = bench.accept();
  EXPECT_EQ(invoke.request, "il.0123456789abcdefghijkl");
  EXPECT_EQ(invoke.tool, "work");
  EXPECT_EQ(invoke.pins, info().pins);
  EXPECT_EQ(invoke.arguments, R"({"a":1})");
  EXPECT_EQ(invoke.deadline, "2026-09-01T08:00:00.25Z");
  EXPECT_THAT(job->next(), HasSubstr(std::string(R"("task":")").append(kTask)));
}

TEST(Checklist93_Invocation, IsRepeatedAsItIsAfterALostAcceptanceAndThenLookedAfter) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  const auto first = bench.script->expect<Invoke>(lost());
  const Invoke second = bench.accept();
  EXPECT_EQ(first.request, second.request);
  EXPECT_EQ(first.arguments, second.arguments);
  EXPECT_EQ(first.deadline, second.deadline);
  (void)job->next();
  bench.script->expect<AskState>(state(State::completed, 2));
  bench.script->expect<AskResult>(RemoteResult{std::string(kTask), State::completed, 2,
                                               R"({"result":)" + std::string(kResult) + "}"});
  EXPECT_EQ(job->next(), done());
}

TEST(Checklist148_Invocation, GoesOnThroughGatewaysAndServersThatAreAway) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  for (const char* passing :
       {"service-unavailable", "remote-server-timeout", "remote-server-not-found",
        "recipient-unavailable", "internal-server-error", "resource-constraint"}) {
    bench.script->expect<Invoke>(refused(passing));
  }
  bench.script->expect<Invoke>(std::unexpected(Fault(Fault::Kind::unsent)));
  bench.accept();
  (void)job->next();
  bench.complete(1);
  EXPECT_EQ(job->next(), done());
}

TEST(Checklist89_Invocation, AnyOtherRefusalIsTheEnd) {
  const std::pair<Script::Answer, const char*> ends[] = {
      {refused("item-not-found"), "fail xmpp:item-not-found: "},
      {refused("not-acceptable"), "fail xmpp:not-acceptable: "},
      {refused("forbidden"), "fail xmpp:forbidden: "},
      {std::unexpected(Fault(Fault::Kind::too_large)), "fail xmpp:too-large: "},
      {std::unexpected(Fault(Fault::Kind::unreadable)), "fail xmpp:unreadable: "},
      {Accepted{"another request's", std::string(kTask)}, "fail xmpp:unreadable: "},
  };
  for (const auto& [answer, report] : ends) {
    Bench bench;
    bench.meet();
    auto job = bench.start();
    (void)job->next();
    bench.script->expect<Invoke>(answer);
    EXPECT_THAT(job->next(), StartsWith(report));
    EXPECT_EQ(bench.script->unread(), 0U);
  }
}

TEST(Checklist89_Invocation, AStalePinEndsItAndTheVersionIsLookedAt) {
  Bench bench;
  std::promise<void> changed;
  bench.runtime->on_change([&changed](const engine::AgentChange&) { changed.set_value(); });
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  bench.script->expect<Invoke>(refused("conflict"));
  EXPECT_THAT(job->next(), StartsWith("fail unavailable retryable: "));
  bench.script->expect<AskEndpoint>(info("2"));
  changed.get_future().get();
}

TEST(Invocation, ThatAnAgentHasNoRoomForIsGivenUpAfterAWhile) {
  AgentLimits limits = quick();
  limits.busy_retries = 2;
  Bench bench(limits);
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  for (int i = 0; i < 3; ++i) bench.script->expect<Invoke>(refused("resource-constraint"));
  EXPECT_THAT(job->next(), StartsWith("fail unavailable retryable: "));
}

// --- restarts of ours ---------------------------------------------------------------------------

TEST(Checklist3_Restart, AnInvocationThatMayHaveBeenSentIsRepeatedUnderItsRequestId) {
  Bench bench;
  auto job = bench.start(Bench::resumed(""));
  const Invoke invoke = bench.accept();
  EXPECT_EQ(invoke.request, "il.0123456789abcdefghijkl");
  EXPECT_EQ(invoke.pins, (Pins{"1", "hash"}));
  (void)job->next();
  bench.script->expect<AskState>(state(State::running, 1));
  bench.complete(2);
  EXPECT_EQ(job->next(), done());
}

TEST(Restart, ATaskThatIsKnownIsAskedForItsStateAndNotInvokedAgain) {
  Bench bench;
  auto job = bench.start(Bench::resumed(std::string(kTask)));
  bench.script->expect<AskState>(state(State::running, 4));
  bench.complete(5);
  EXPECT_EQ(job->next(), done());
}

TEST(Checklist92_Restart, WhatIsNotRecognisedAnyMoreIsNotRepeated) {
  Bench bench;
  bench.clock->tick(1h);
  auto job = bench.start(Bench::resumed(""));
  EXPECT_THAT(job->next(), StartsWith("fail unavailable: "));
  EXPECT_EQ(bench.script->unread(), 0U);
}

TEST(Restart, AnAnswerThatWasGivenBeforeItIsPassedOnWithoutAskingAgain) {
  Bench bench;
  engine::JobInput input = Bench::resumed(std::string(kTask));
  tasks::Answer answer;
  answer.key = kFirst;
  answer.value = R"({"x":1})";
  input.answers.push_back(answer);
  auto job = bench.start(std::move(input));
  bench.script->expect<AskState>(state(State::input_required, 3, question_body(kFirst)));
  const auto given = bench.script->expect<ProvideInput>(taken(4));
  EXPECT_EQ(given.request, kFirst);
  EXPECT_EQ(given.expected, 3U);
  EXPECT_EQ(given.value, R"({"x":1})");
  EXPECT_EQ(job->unread(), 0U);
}

TEST(Restart, AQuestionThatIsOpenStillIsNotAskedAgain) {
  Bench bench;
  engine::JobInput input = Bench::resumed(std::string(kTask));
  input.open_questions.push_back(kFirst);
  auto job = bench.start(std::move(input));
  bench.script->expect<AskState>(state(State::input_required, 3, question_body(kFirst)));
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  bench.script->expect<ProvideInput>(taken(4));
  EXPECT_EQ(job->unread(), 0U);
}
}  // namespace
}  // namespace interline::runtimes::xmpp
