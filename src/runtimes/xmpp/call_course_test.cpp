// Numbers in names are those of the XMPP checklist, of the caller's side.
#include "runtimes/xmpp/bench.hpp"

namespace interline::runtimes::xmpp {
namespace {

using namespace std::chrono_literals;
using namespace protocols::xmpp;
using namespace testing;
using ::testing::StartsWith;

// --- events and recovery ------------------------------------------------------------------------

TEST(Events, ThatComeBeforeTheAcceptanceIsReadAreHeard) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  auto asked = bench.script->next();
  bench.script->tell(event(1, EntryType::status, std::string(kRunning)));
  bench.complete(2);
  asked.answer(Accepted{std::get<Invoke>(asked.request).request, std::string(kTask)});
  (void)job->next();
  EXPECT_EQ(job->next(), done());
}

TEST(Events, ProgressAndTheWholeResultPassThrough) {
  Bench bench;
  auto job = bench.running();
  bench.script->tell(event(2, EntryType::progress, R"({"percent":40,"message":"half"})"));
  EXPECT_EQ(job->next(), "progress 40.000000 message=half");
  bench.complete(3);
  EXPECT_EQ(job->next(), done());
  EXPECT_EQ(bench.script->unread(), 0U);
}

TEST(Events, AFailureKeepsItsCodeAndIsNotTakenForOurs) {
  Bench bench;
  auto job = bench.running();
  bench.script->tell(
      event(2, EntryType::failed,
            R"({"error":{"code":"interline:max-duration","message":"m","retryable":true}})"));
  EXPECT_EQ(job->next(), "fail interline.remote:max-duration retryable: m");
}

TEST(Checklist98_Events, AGapIsClosedByAskingForTheState) {
  Bench bench;
  auto job = bench.running();
  bench.script->tell(event(3, EntryType::progress, R"({"message":"late"})"));
  bench.script->expect<AskState>(state(State::running, 3));
  bench.script->tell(event(4, EntryType::progress, R"({"message":"next"})"));
  EXPECT_EQ(job->next(), "progress message=next");
}

TEST(Checklist99_Events, WhatCannotBeReadIsIgnoredWholeAndTheStateAskedFor) {
  Bench bench;
  auto job = bench.running();
  bench.script->tell(event(2, EntryType::progress, R"({"percent":400})"));
  bench.script->expect<AskState>(state(State::running, 1));
  bench.complete(2);
  EXPECT_EQ(job->next(), done());
}

TEST(Checklist98_Events, RepetitionsAreIgnored) {
  Bench bench;
  auto job = bench.running();
  for (int i = 0; i < 3; ++i) {
    bench.script->tell(event(2, EntryType::progress, R"({"message":"once"})"));
  }
  bench.complete(3);
  EXPECT_EQ(job->next(), "progress message=once");
  EXPECT_EQ(job->next(), done());
}

TEST(Checklist114_Recovery, ASilentTaskIsAskedForItsStateAndNotTakenForEnded) {
  AgentLimits limits = quick();
  limits.silence_first = limits.silence_longest = 1ms;
  Bench bench(limits);
  auto job = bench.accepted();
  bench.script->expect<AskState>(state(State::running, 1));
  bench.script->expect<AskState>(refused("service-unavailable"));
  bench.script->expect<AskState>(lost());
  bench.script->expect<AskState>(state(State::failed, 2));
  bench.script->expect<AskResult>(lost());
  bench.script->expect<AskResult>(
      RemoteResult{std::string(kTask), State::failed, 2,
                   R"({"error":{"code":"a:b","message":"m","retryable":false}})"});
  EXPECT_EQ(job->next(), "fail a:b: m");
}

TEST(Recovery, ANewStreamAsksForTheStateAtOnce) {
  Bench bench;
  auto job = bench.running();
  bench.script->ready();
  for (bool looked = false; !looked;) {  // its version is looked at as well
    auto asked = bench.script->next();
    looked = std::holds_alternative<AskState>(asked.request);
    asked.answer(looked ? Script::Answer(state(State::completed, 2)) : Script::Answer(info()));
  }
}

TEST(Recovery, AResultThatIsNotKeptAnyMoreIsAFailure) {
  Bench bench;
  auto job = bench.start(Bench::resumed(std::string(kTask)));
  RemoteState gone = state(State::completed, 2);
  gone.result_available = false;
  bench.script->expect<AskState>(gone);
  EXPECT_THAT(job->next(), StartsWith("fail unavailable: "));
}

// --- questions ----------------------------------------------------------------------------------

TEST(Questions, AreAskedOfTheCallerAndTheAnswerNamesTheRevision) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::accept, R"({"x":1})");
  const auto given = bench.script->expect<ProvideInput>(taken(3));
  EXPECT_EQ(given.task, kTask);
  EXPECT_EQ(given.request, kFirst);
  EXPECT_EQ(given.expected, 2U);
  EXPECT_EQ(given.value, R"({"x":1})");
  bench.script->tell(event(3, EntryType::status, std::string(kRunning)));
  bench.complete(4);
  EXPECT_EQ(job->next(), done());
}

TEST(Questions, AnAnswerWhoseAcceptanceWasLostIsRepeatedAsItIs) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  bench.script->expect<ProvideInput>(lost());
  bench.script->expect<AskState>(state(State::running, 3));
  const auto again = bench.script->expect<ProvideInput>(taken(3));
  EXPECT_EQ(again.expected, 2U);
  bench.complete(4);
  EXPECT_EQ(job->next(), done());
}

TEST(Questions, ThatAreAskedAnewAreTheSameToTheCaller) {
  Bench bench;
  auto job = bench.asked();
  bench.script->tell(event(3, EntryType::input_required, question_body(kSecond)));
  bench.script->tell(event(5, EntryType::progress, R"({"message":"a gap, to be sure"})"));
  bench.script->expect<AskState>(state(State::input_required, 3, question_body(kSecond)));
  EXPECT_EQ(job->unread(), 0U);
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  const auto given = bench.script->expect<ProvideInput>(taken(4));
  EXPECT_EQ(given.request, kSecond);
  EXPECT_EQ(given.expected, 3U);
}

TEST(Questions, AnAnswerThatCameTooLateGoesToTheOneThatIsOpen) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  bench.script->expect<ProvideInput>(refused("conflict"));
  bench.script->expect<AskState>(state(State::input_required, 3, question_body(kSecond)));
  const auto given = bench.script->expect<ProvideInput>(taken(4));
  EXPECT_EQ(given.request, kSecond);
}

TEST(Questions, OfAnotherTextAreAskedAsWell) {
  Bench bench;
  auto job = bench.asked();
  bench.script->tell(event(3, EntryType::input_required, question_body(kSecond, "And?")));
  EXPECT_THAT(job->next(), StartsWith("ask " + kSecond + " form And?"));
}

TEST(Questions, AnAnswerThatSomebodyElseHasGivenIsNotFoughtOver) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  bench.script->expect<ProvideInput>(refused("conflict"));
  bench.script->expect<AskState>(state(State::running, 3));
  bench.complete(4);
  EXPECT_EQ(job->next(), done());
  EXPECT_EQ(bench.script->unread(), 0U);
}

TEST(Questions, AnAnswerThatIsNotTakenEndsTheCall) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::accept, "{}");
  bench.script->expect<ProvideInput>(refused("conflict"));
  bench.script->expect<AskState>(state(State::input_required, 2, question_body(kFirst)));
  EXPECT_THAT(job->next(), StartsWith("fail xmpp:conflict"));
  bench.script->expect<CancelTask>(taken(3));
}

TEST(Questions, ThatAreDeclinedOrRefusedCancelTheCallThere) {
  Bench bench;
  auto job = bench.asked();
  job->answer(kFirst, tasks::AnswerAction::decline, "");
  EXPECT_THAT(job->next(), StartsWith("fail xmpp:declined"));
  EXPECT_EQ(bench.script->expect<CancelTask>(taken(3)).expected, 2U);

  Bench other;
  auto refusing = other.running();
  refusing->refuse_questions();
  other.script->tell(event(2, EntryType::input_required, question_body(kFirst)));
  EXPECT_THAT(refusing->next(), StartsWith("fail internal-error"));
  other.script->expect<CancelTask>(taken(3));
}

// --- cancellation -------------------------------------------------------------------------------

TEST(Cancellation, IsPassedOnAndItsEndIsWhatTheAgentMakesOfIt) {
  Bench bench;
  auto job = bench.running();
  job->cancel();
  bench.script->expect<CancelTask>(taken(2));
  bench.script->tell(
      event(2, EntryType::status, R"({"state":"cancelling","updatedAt":"2026-01-01T00:00:00Z"})"));
  bench.script->tell(event(3, EntryType::cancelled, "{}"));
  EXPECT_EQ(job->next(), "cancelled");

  Bench other;
  auto late = other.running();
  late->cancel();
  other.script->expect<CancelTask>(taken(2));
  other.script->tell(
      event(2, EntryType::status, R"({"state":"cancelling","updatedAt":"2026-01-01T00:00:00Z"})"));
  other.complete(3);
  EXPECT_EQ(late->next(), done());
}

TEST(Cancellation, ThatWasInConflictNamesTheNewRevision) {
  Bench bench;
  auto job = bench.running();
  job->cancel();
  bench.script->expect<CancelTask>(refused("conflict"));
  bench.script->expect<AskState>(state(State::running, 7));
  EXPECT_EQ(bench.script->expect<CancelTask>(taken(8)).expected, 7U);
}

TEST(Cancellation, ThatWasLostIsRepeatedAsItIs) {
  Bench bench;
  auto job = bench.running();
  job->cancel();
  const auto first = bench.script->expect<CancelTask>(lost());
  bench.script->expect<AskState>(state(State::cancelling, first.expected + 1));
  bench.script->tell(event(first.expected + 2, EntryType::cancelled, R"({"reason":"r"})"));
  EXPECT_EQ(job->next(), "cancelled");
}

TEST(Cancellation, OfWhatWasNeverSentIsTheEnd) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  auto asked = bench.script->next();
  job->cancel();
  asked.answer(refused("service-unavailable"));
  EXPECT_EQ(job->next(), "cancelled");
  EXPECT_EQ(bench.script->unread(), 0U);
}

TEST(Cancellation, OfWhatMayHaveArrivedIsOfTheTaskThatItBecame) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  auto asked = bench.script->next();
  job->cancel();
  asked.answer(lost());
  bench.accept();
  (void)job->next();
  bench.script->expect<AskState>(state(State::running, 1));
  bench.script->expect<CancelTask>(taken(2));
}

TEST(Deadlines, ATaskThatSettledHereIsCancelledThere) {
  Bench bench;
  auto job = bench.running();
  job->stop();
  bench.script->expect<CancelTask>(taken(2));
  EXPECT_EQ(job->unread(), 0U);
}

TEST(Deadlines, SoIsOneWhoseAcceptanceWasOnItsWay) {
  Bench bench;
  bench.meet();
  auto job = bench.start();
  (void)job->next();
  auto asked = bench.script->next();
  job->stop();
  // The stop is on the strand before the answer is.
  (void)bench.fixture.run(bench.runtime->drain(0ms));
  asked.answer(Accepted{std::get<Invoke>(asked.request).request, std::string(kTask)});
  bench.script->expect<CancelTask>(taken(1));
}

// --- neighbours ---------------------------------------------------------------------------------

TEST(Neighbours, AnAgentThatNeverAnswersHoldsUpNobodyElse) {
  Bench silent;
  silent.meet();
  auto waiting = silent.start();
  (void)waiting->next();
  Bench healthy;
  auto job = healthy.running();
  healthy.complete(2);
  EXPECT_EQ(job->next(), done());
  EXPECT_EQ(waiting->unread(), 0U);
}
}  // namespace
}  // namespace interline::runtimes::xmpp
