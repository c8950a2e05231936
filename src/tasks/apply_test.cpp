// Every state with every command, against a table written from the specification's words rather
// than from ours; then the rules one by one.
#include "tasks/apply.hpp"

#include <array>
#include <functional>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "tasks/testing.hpp"

namespace interline::tasks {
namespace {

using namespace testing;
using Kind = Reply::Kind;

struct Expected {
  Kind reply;
  State state;    ///< afterwards
  bool revision;  ///< whether one was made
};

struct Row {
  const char* command;
  std::function<Command(const Life&)> make;
  /// accepted, running, input_required, cancelling, completed, failed, cancelled
  std::array<Expected, kStateCount> expected;
};

constexpr auto A = State::accepted;
constexpr auto R = State::running;
constexpr auto I = State::input_required;
constexpr auto X = State::cancelling;
constexpr auto C = State::completed;
constexpr auto F = State::failed;
constexpr auto Z = State::cancelled;
constexpr auto yes = Kind::accepted;
constexpr auto no = Kind::refused;
constexpr auto same = Kind::unchanged;

// What is terminal stays as it is, whatever comes.
#define TERMINAL                    \
  {no, C, false}, {no, F, false}, { \
    no, Z, false                    \
  }

// clang-format off
const std::array<Row, 12> kRows = {{
  {"start",    [](const Life&) -> Command { return Start{}; },
    {{{yes, R, true},  {same, R, false}, {same, I, false}, {same, X, false}, TERMINAL}}},
  {"progress", [](const Life&) -> Command { return progress(10); },
    {{{no, A, false},  {yes, R, true},   {Kind::held, I, false}, {yes, X, true}, TERMINAL}}},
  {"ask",      [](const Life&) -> Command { return ask("b"); },
    {{{yes, I, true},  {yes, I, true},   {yes, I, true},   {no, X, false},   TERMINAL}}},
  {"answer",   [](const Life& life) -> Command {
                 GiveInput command = give(life.task);
                 if (command.request.empty()) command.request = "request-unknown-unknown";
                 return command;
               },
    {{{no, A, false},  {no, R, false},   {yes, R, true},   {no, X, false},   TERMINAL}}},
  {"cancel",   [](const Life&) -> Command { return Cancel{}; },
    {{{yes, X, true},  {yes, X, true},   {yes, X, true},   {Kind::replayed, X, false}, TERMINAL}}},
  {"complete", [](const Life&) -> Command { return complete(); },
    {{{yes, C, true},  {yes, C, true},   {yes, C, true},   {yes, C, true},   TERMINAL}}},
  {"fail",     [](const Life&) -> Command { return fail_with("a:b"); },
    {{{yes, F, true},  {yes, F, true},   {yes, F, true},   {yes, F, true},   TERMINAL}}},
  {"cancelled", [](const Life&) -> Command { return ConfirmCancelled{}; },
    {{{yes, Z, true},  {yes, Z, true},   {yes, Z, true},   {yes, Z, true},   TERMINAL}}},
  {"tick",     [](const Life&) -> Command { return Tick{}; },
    {{{same, A, false}, {same, R, false}, {same, I, false}, {same, X, false},
      {same, C, false}, {same, F, false}, {same, Z, false}}}},
  {"note",     [](const Life&) -> Command { return Note{EntryType::log, "{}"}; },
    {{{yes, A, false}, {yes, R, false},  {yes, I, false},  {yes, X, false},  TERMINAL}}},
  {"output",   [](const Life&) -> Command { return Output{ArtifactChunk{"a", "[]", false, true}}; },
    {{{yes, A, false}, {yes, R, false},  {yes, I, false},  {yes, X, false},  TERMINAL}}},
  {"remember", [](const Life&) -> Command { return Remember{"m"}; },
    {{{yes, A, false}, {yes, R, false},  {yes, I, false},  {yes, X, false},  TERMINAL}}},
}};
// clang-format on

TEST(Transitions, EveryStateWithEveryCommand) {
  for (const Row& row : kRows) {
    for (std::size_t s = 0; s < kStateCount; ++s) {
      Life life = life_in(static_cast<State>(s));
      ASSERT_EQ(life.task.state, static_cast<State>(s));
      SCOPED_TRACE(std::string(row.command) + " in " + std::string(to_string(life.task.state)));
      const Revision before = life.task.revision;
      const Outcome outcome = life.apply(row.make(life));
      EXPECT_EQ(outcome.reply.kind, row.expected[s].reply);
      EXPECT_EQ(life.task.state, row.expected[s].state);
      EXPECT_EQ(life.task.revision - before, row.expected[s].revision ? 1U : 0U);
      const bool event = outcome.entry && outcome.entry->revision;
      EXPECT_EQ(event, row.expected[s].revision);
      if (outcome.reply.kind == Kind::refused) {
        EXPECT_TRUE(outcome.reply.error.has_value());
      }
    }
  }
}

TEST(Transitions, TerminalRowsNeverChangeWhateverComes) {
  for (const State end : {State::completed, State::failed, State::cancelled}) {
    for (const Row& row : kRows) {
      Life life = life_in(end);
      life.now += 100h;
      const Outcome outcome = life.apply(row.make(life));
      EXPECT_FALSE(outcome.next.has_value()) << row.command;
      EXPECT_FALSE(outcome.entry.has_value()) << row.command;
    }
  }
}

TEST(Events, CarryTheirBytesStateAndTimeFixedInTheCommit) {
  Life life;
  life.now += 5ms;
  const Outcome outcome = life.apply(Start{});
  ASSERT_TRUE(outcome.entry);
  EXPECT_EQ(outcome.entry->body, R"({"state":"running","updatedAt":"2026-08-29T10:40:00.005Z"})");
  EXPECT_EQ(outcome.entry->state, State::running);
  EXPECT_EQ(outcome.entry->revision, 1U);
  EXPECT_EQ(outcome.entry->sequence, 1U);
  EXPECT_EQ(outcome.entry->event_id, "event-0000000000000000000001");
  EXPECT_EQ(life.task.updated, life.now);
}

// --- deadlines
// ------------------------------------------------------------------------------------

Life with_deadline(std::string_view text) {
  Admission made = admission();
  made.deadline.emplace(*Instant::parse_xep0082(text), DeadlineSource::caller);
  return Life(std::move(made));
}

TEST(Deadlines, AreComparedExactlyWithEveryFractionalDigit) {
  // One nanosecond is the clock's step; the deadline lies between two of them.
  Life before = with_deadline("2026-08-29T10:40:01.0000000005Z");
  before.now = kStart + 1s;
  EXPECT_EQ(before.reply(Start{}), Kind::accepted);
  Life after = with_deadline("2026-08-29T10:40:01.0000000005Z");
  after.now = kStart + 1s + 1ns;
  EXPECT_EQ(after.reply(Start{}), Kind::refused);
  EXPECT_EQ(after.task.state, State::failed);
}

TEST(Deadlines, AtTheInstantItselfHavePassed) {
  Life life = with_deadline("2026-08-29T12:40:01+02:00");
  life.now = kStart + 1s;
  EXPECT_EQ(life.reply(Tick{}), Kind::accepted);
  EXPECT_EQ(
      life.task.outcome,
      R"({"error":{"code":"deadline-expired","message":"The deadline passed before the task was done.","retryable":false}})");
}

TEST(Deadlines, EveryLaterCommitSettlesInsteadOfItsCommand) {
  for (const Row& row : kRows) {
    Life life = with_deadline("2026-08-29T10:40:01Z");
    life.apply(Dispatch{1});
    life.apply(Start{});
    life.now = kStart + 2s;
    const Outcome outcome = life.apply(row.make(life));
    if (std::string_view(row.command) == "answer") continue;  // nothing was ever asked
    EXPECT_EQ(life.task.state, State::failed) << row.command;
    EXPECT_EQ(life.task.revision, 2U) << row.command;
    if (std::string_view(row.command) != "tick") {
      EXPECT_EQ(outcome.reply.kind, Kind::refused) << row.command;
      EXPECT_EQ(outcome.reply.error->reason, ErrorReason::expired) << row.command;
    }
  }
}

TEST(Deadlines, ASettlementCommittedBeforeStays) {
  Life life = with_deadline("2026-08-29T10:40:01Z");
  life.apply(complete());
  life.now = kStart + 2s;
  EXPECT_EQ(life.reply(Tick{}), Kind::unchanged);
  EXPECT_EQ(life.task.state, State::completed);
}

TEST(Deadlines, TheGatewaysOwnBoundHasItsOwnCode) {
  Admission made = admission();
  made.deadline.emplace(Instant(kStart + 1s), DeadlineSource::max_duration);
  Life life(std::move(made));
  life.now = kStart + 1s;
  life.apply(Tick{});
  EXPECT_NE(life.task.outcome.find("interline:max-duration"), std::string::npos);
}

// --- cancellation
// ---------------------------------------------------------------------------------

TEST(Cancellation, RepeatedGetsItsFirstReplyForTheTasksWholeLife) {
  Life life = life_in(State::running);
  Cancel command;
  command.expected = 1;
  command.fingerprint = sha256("one");
  EXPECT_EQ(life.apply(command).reply.revision, 2U);
  life.apply(progress(1));
  life.apply(ConfirmCancelled{});
  const Outcome again = life.apply(command);
  EXPECT_EQ(again.reply.kind, Kind::replayed);
  EXPECT_EQ(again.reply.revision, 2U);
  EXPECT_FALSE(again.next);
}

TEST(Cancellation, AnotherOneAfterItIsAConflict) {
  Life life = life_in(State::running);
  Cancel command;
  command.fingerprint = sha256("one");
  life.apply(command);
  command.fingerprint = sha256("two");
  const Outcome other = life.apply(command);
  EXPECT_EQ(other.reply.kind, Kind::refused);
  EXPECT_EQ(other.reply.error->reason, ErrorReason::different_request);
}

TEST(Cancellation, AfterSomebodyElsesIsNoRepetition) {
  Life life = life_in(State::running);
  life.apply(Cancel{});  // an operator's
  Cancel command;
  command.expected = 1;
  command.fingerprint = sha256("one");
  const Outcome stale = life.apply(command);
  EXPECT_EQ(stale.reply.kind, Kind::refused);
  EXPECT_EQ(stale.reply.error->reason, ErrorReason::stale_revision);
  command.expected = 2;  // as it is now: it is being cancelled already
  EXPECT_EQ(life.apply(command).reply.error->reason, ErrorReason::different_request);
  EXPECT_FALSE(life.apply(command).next);
  EXPECT_EQ(life.reply(Cancel{}), Kind::replayed);  // who expects nothing has what it wanted
}

TEST(Cancellation, WithoutAFingerprintIsRepeatedWithItsRevision) {
  Life life = life_in(State::running);
  Cancel command;
  command.expected = 1;
  EXPECT_EQ(life.reply(command), Kind::accepted);
  EXPECT_EQ(life.reply(command), Kind::replayed);
  command.expected = 0;
  EXPECT_EQ(life.apply(command).reply.error->reason, ErrorReason::stale_revision);
}

TEST(Cancellation, ExpectingAnotherRevisionIsAConflict) {
  Life life = life_in(State::running);
  Cancel command;
  command.expected = 0;
  const Outcome stale = life.apply(command);
  EXPECT_EQ(stale.reply.error->reason, ErrorReason::stale_revision);
  EXPECT_EQ(life.task.state, State::running);
}

TEST(Cancellation, OfAToolThatDeclaresNoneIsRefused) {
  Admission made = admission();
  made.cancellable = false;
  Life life(std::move(made));
  EXPECT_EQ(life.apply(Cancel{}).reply.error->reason, ErrorReason::not_cancellable);
}

TEST(Cancellation, DoesNotSuppressAResultThatStillComes) {
  Life life = life_in(State::cancelling);
  EXPECT_EQ(life.reply(complete()), Kind::accepted);
  EXPECT_EQ(life.task.state, State::completed);
}

TEST(Cancellation, TakesThePendingQuestionWithIt) {
  Life life = life_in(State::input_required);
  const GiveInput late = give(life.task);
  life.apply(Cancel{});
  EXPECT_FALSE(life.task.pending);
  const Outcome refused = life.apply(late);
  EXPECT_EQ(refused.reply.error->kind, ErrorKind::conflict);
}

TEST(Cancellation, ReasonIsKeptForTheTerminalBody) {
  Life life = life_in(State::running);
  Cancel command;
  command.reason = "solved";
  life.apply(command);
  life.apply(ConfirmCancelled{});
  EXPECT_EQ(life.task.outcome, R"({"reason":"solved"})");
}

// --- restart
// --------------------------------------------------------------------------------------

TEST(Recovery, WhatMayHaveStartedIsNeverStartedAgain) {
  for (const State state :
       {State::accepted, State::running, State::input_required, State::cancelling}) {
    Life life = life_in(state);
    life.apply(Dispatch{1});
    life.apply(Recover{2, false});
    EXPECT_EQ(life.task.state, State::failed) << to_string(state);
    EXPECT_NE(life.task.outcome.find(R"("code":"unavailable")"), std::string::npos);
  }
}

TEST(Recovery, QueuedTasksWaitAgain) {
  Life life;
  const Outcome outcome = life.apply(Recover{2, false});
  EXPECT_FALSE(outcome.next);
  EXPECT_EQ(outcome.effects, std::vector<Effect>{Effect::dispatchable});
}

TEST(Recovery, HeldTasksStayHeld) {
  Life life;
  life.apply(Hold{});
  EXPECT_TRUE(life.apply(Recover{2, false}).effects.empty());
}

TEST(Recovery, SuspendedTasksWaitOnForTheirAnswers) {
  Life life = life_in(State::running);
  Ask command = ask();
  command.state = "{}";
  life.apply(command);
  const Outcome outcome = life.apply(Recover{2, false});
  EXPECT_FALSE(outcome.next);
  EXPECT_TRUE(outcome.effects.empty());
  EXPECT_EQ(life.task.state, State::input_required);
}

TEST(Recovery, RerunIsForThoseWhoseEndpointSaysSo) {
  Admission made = admission();
  made.rerun_on_restart = true;
  Life life(std::move(made));
  life.apply(Dispatch{1});
  life.apply(Start{});
  const Outcome outcome = life.apply(Recover{2, false});
  EXPECT_EQ(life.task.state, State::running);
  EXPECT_EQ(outcome.effects, std::vector<Effect>{Effect::dispatchable});
  EXPECT_EQ(life.reply(Dispatch{2}), Kind::accepted);
}

TEST(Recovery, RerunKeepsTheQuestionUntilTheWorkAsksAnew) {
  Admission made = admission();
  made.rerun_on_restart = true;
  Life life(std::move(made));
  life.apply(Dispatch{1});
  life.apply(ask("a"));
  const InputRequest asked = *life.task.pending;
  const Revision revision = life.task.revision;
  for (const std::uint64_t boot : {2U, 3U}) {  // also of a boot that did not come to it
    const Outcome outcome = life.apply(Recover{boot, false});
    EXPECT_EQ(outcome.effects, std::vector<Effect>{Effect::dispatchable});
    EXPECT_FALSE(outcome.entry);
    EXPECT_EQ(life.task.state, State::input_required);
    EXPECT_EQ(life.task.pending, asked);
    EXPECT_EQ(life.task.revision, revision);
  }
  EXPECT_EQ(life.reply(Dispatch{3}), Kind::accepted);
  EXPECT_EQ(life.reply(progress(1)), Kind::held);
  Ask again = ask("a");
  again.anew = true;
  EXPECT_EQ(life.reply(again), Kind::accepted);
  EXPECT_EQ(life.task.state, State::input_required);
  EXPECT_EQ(life.task.revision, revision + 1);
  ASSERT_EQ(life.task.pending->questions.size(), 1U);
  EXPECT_NE(life.task.pending->id, asked.id);
  EXPECT_EQ(life.task.past.back(),
            (PastRequest{asked.id, Disposition::superseded, std::nullopt, revision + 1}));
  EXPECT_EQ(life.reply(give(life.task)), Kind::accepted);
  EXPECT_EQ(life.task.state, State::running);
}

TEST(Recovery, AQuestionOfWorkThatIsGoneMayBeAnsweredBeforeItIsBegunAnew) {
  Admission made = admission();
  made.rerun_on_restart = true;
  Life life(std::move(made));
  life.apply(Dispatch{1});
  life.apply(ask("a"));
  life.apply(Recover{2, false});
  EXPECT_EQ(life.reply(give(life.task)), Kind::accepted);
  EXPECT_EQ(life.task.state, State::running);
  EXPECT_EQ(life.reply(Dispatch{2}), Kind::accepted);
  Ask again = ask("a");
  again.anew = true;
  EXPECT_EQ(life.reply(again), Kind::accepted);
}

TEST(Recovery, WorkThatWasBegunWithItsStateAndAskedIsBegunByTheAnswer) {
  Admission made = admission();
  made.rerun_on_restart = true;
  Life life(std::move(made));
  life.apply(Dispatch{1});
  Ask suspends = ask("a");
  suspends.state = "{}";
  life.apply(suspends);
  life.apply(give(life.task));
  life.apply(Dispatch{1});
  life.apply(ask("b"));
  EXPECT_TRUE(life.apply(Recover{2, false}).effects.empty());
  EXPECT_EQ(life.task.state, State::input_required);
  EXPECT_EQ(life.apply(give(life.task, "b")).effects, std::vector<Effect>{Effect::redispatch});
  EXPECT_EQ(life.reply(Dispatch{2}), Kind::accepted);
}

TEST(Recovery, RememberedWorkGoesOnWhereTheRuntimeCan) {
  Life life = life_in(State::running);
  life.apply(Remember{"handle"});
  const Outcome outcome = life.apply(Recover{2, true});
  EXPECT_EQ(life.task.state, State::running);
  EXPECT_EQ(life.task.dispatched_boot, 0U);
  EXPECT_EQ(outcome.effects, std::vector<Effect>{Effect::dispatchable});
}

TEST(Recovery, RememberedWorkGoesOnAlsoWhereItsCallerIsAskedOrHasCancelled) {
  for (const State state : {State::input_required, State::cancelling}) {
    Life life = life_in(state);
    life.apply(Remember{"handle"});
    life.apply(Recover{2, true});
    EXPECT_EQ(life.task.state, state);
    // A boot that did not come to it changes nothing.
    EXPECT_EQ(life.apply(Recover{3, true}).effects, std::vector<Effect>{Effect::dispatchable});
    EXPECT_EQ(life.reply(Dispatch{3}), Kind::accepted) << to_string(state);
    EXPECT_EQ(life.task.state, state);
  }
}

TEST(Recovery, WhatWasSuspendedWaitsForItsAnswersWhateverWasRemembered) {
  Life life = life_in(State::running);
  life.apply(Remember{"handle"});
  Ask command = ask();
  command.state = "{}";
  life.apply(command);
  EXPECT_TRUE(life.apply(Recover{2, true}).effects.empty());
  EXPECT_EQ(life.reply(Dispatch{2}), Kind::refused);
}

TEST(Recovery, CallsWhoseIdWasNeverToldAreCancelled) {
  Life life(admission(), true);
  life.apply(Dispatch{1});
  life.apply(Recover{2, false});
  EXPECT_EQ(life.task.state, State::cancelled);
  EXPECT_EQ(life.task.outcome, R"({"reason":"mcp-request-cancelled"})");
  Life told(admission(), true);
  told.apply(Detach{});
  told.apply(Recover{2, false});
  EXPECT_EQ(told.task.state, State::accepted);
}

// --- hold, dispatch, retention
// --------------------------------------------------------------------

TEST(Hold, OnlyBeforeDispatch) {
  Life life;
  EXPECT_EQ(life.reply(Hold{}), Kind::accepted);
  EXPECT_EQ(life.reply(Hold{}), Kind::unchanged);
  EXPECT_EQ(life.reply(Dispatch{1}), Kind::refused);
  const Outcome released = life.apply(Release{});
  EXPECT_EQ(released.effects, std::vector<Effect>{Effect::dispatchable});
  EXPECT_EQ(life.reply(Dispatch{1}), Kind::accepted);
  EXPECT_EQ(life.reply(Hold{}), Kind::refused);
  EXPECT_EQ(life.task.revision, 0U);
  EXPECT_EQ(life.task.sequence, 2U);
}

TEST(Dispatch, HappensOnce) {
  Life life;
  EXPECT_EQ(life.reply(Dispatch{7}), Kind::accepted);
  EXPECT_EQ(life.reply(Dispatch{7}), Kind::unchanged);
  EXPECT_EQ(life.reply(Dispatch{8}), Kind::refused);
}

TEST(Dispatch, IsTakenBackByTheBootThatMadeIt) {
  Life life;
  life.apply(Dispatch{7});
  EXPECT_EQ(life.reply(Undispatch{8}), Kind::unchanged);
  EXPECT_EQ(life.reply(Undispatch{7}), Kind::accepted);
  EXPECT_EQ(life.task.revision, 0U);
  EXPECT_EQ(life.task.sequence, 0U);
  // As if it had never been handed out: a restart starts it, and does not fail it.
  EXPECT_EQ(life.apply(Recover{8, false}).effects, std::vector<Effect>{Effect::dispatchable});
  EXPECT_EQ(life.reply(Dispatch{8}), Kind::accepted);
}

TEST(Dispatch, OfATaskThatHasAskedIsNotTakenBack) {
  Life life;
  life.apply(Dispatch{7});
  life.apply(ask());
  EXPECT_EQ(life.reply(Undispatch{7}), Kind::refused);
  EXPECT_EQ(life.task.dispatched_boot, 7U);
}

TEST(Retention, CountsFromSettlementAndIsNeverShortened) {
  Life life;
  const SystemTime promised = life.task.retain_until;
  EXPECT_EQ(promised, kStart + 24h);
  life.now = kStart + 1h;
  life.apply(complete());
  EXPECT_EQ(life.task.retain_until, kStart + 25h);
}

TEST(Progress, OfAToolThatDeclaresNoneIsDropped) {
  Admission made = admission();
  made.reports_progress = false;
  Life life(std::move(made));
  life.apply(Start{});
  EXPECT_EQ(life.reply(progress(1)), Kind::unchanged);
  EXPECT_EQ(life.task.revision, 1U);
}

TEST(Progress, ThatIsNoNumberIsNoProgress) {
  Life life = life_in(State::running);
  EXPECT_EQ(life.reply(Progress{std::numeric_limits<double>::quiet_NaN(), {}, {}}),
            Kind::unchanged);
}

TEST(Wire, EveryWordIsReadBack) {
  for (std::size_t i = 0; i < kStateCount; ++i) {
    EXPECT_EQ(state_named(to_string(static_cast<State>(i))), static_cast<State>(i));
  }
  for (std::size_t i = 0; i < kEntryTypeCount; ++i) {
    EXPECT_EQ(entry_type_named(to_string(static_cast<EntryType>(i))), static_cast<EntryType>(i));
  }
  for (std::size_t i = 0; i < kQuestionKindCount; ++i) {
    const auto kind = static_cast<QuestionKind>(i);
    EXPECT_EQ(question_kind_named(to_string(kind)), kind);
  }
  EXPECT_FALSE(state_named("done"));
}

}  // namespace
}  // namespace interline::tasks
