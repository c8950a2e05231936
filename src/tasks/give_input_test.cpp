// Questions and answers: asking, answering in part, repeating, expiring, being too late.
#include "tasks/give_input.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/schema.hpp"
#include "tasks/event_body.hpp"
#include "tasks/testing.hpp"

namespace interline::tasks {
namespace {

using namespace testing;
using Kind = Reply::Kind;

Ask ask_expiring(std::chrono::nanoseconds after, std::uint32_t reasks = 0) {
  Ask command = ask();
  command.questions.front().expires_in = after;
  command.questions.front().reasks_left = reasks;
  return command;
}

TEST(Input, AnsweredOnceRepeatedForEver) {
  Life life = life_in(State::input_required);
  const GiveInput first = give(life.task);
  EXPECT_EQ(life.apply(first).reply.revision, 2U);
  life.apply(progress(5));
  life.apply(complete());
  const Outcome again = life.apply(first);
  EXPECT_EQ(again.reply.kind, Kind::replayed);
  EXPECT_EQ(again.reply.revision, 2U);
  EXPECT_TRUE(again.effects.empty());
}

TEST(Input, AnotherAnswerToAnAnsweredRequestIsAConflict) {
  Life life = life_in(State::input_required);
  GiveInput command = give(life.task);
  life.apply(command);
  command.fingerprint = sha256("other");
  command.answers = {answer("a", R"("y")")};
  const Outcome other = life.apply(command);
  EXPECT_EQ(other.reply.error->kind, ErrorKind::conflict);
  EXPECT_EQ(other.reply.error->reason, ErrorReason::already_answered);
}

TEST(Input, ToARequestNeverIssuedIsNotFoundEvenAfterTheEnd) {
  Life life = life_in(State::completed);
  GiveInput command;
  command.request = "request-that-never-was-issued";
  command.answers = {answer("a")};
  EXPECT_EQ(life.apply(command).reply.error->kind, ErrorKind::not_found);
}

TEST(Input, ExpectingAnotherRevisionIsAConflict) {
  Life life = life_in(State::input_required);
  GiveInput command = give(life.task);
  command.expected = 0;
  EXPECT_EQ(life.apply(command).reply.error->reason, ErrorReason::stale_revision);
  command.expected = 1;
  EXPECT_EQ(life.reply(command), Kind::accepted);
}

TEST(Input, AnswerBeforeCancelBothAccepted) {
  Life life = life_in(State::input_required);
  EXPECT_EQ(life.reply(give(life.task)), Kind::accepted);
  EXPECT_EQ(life.reply(Cancel{}), Kind::accepted);
  EXPECT_EQ(life.task.state, State::cancelling);
}

TEST(Expiry, AtTheInstantItselfIsTooLate) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1s));
  const GiveInput command = give(life.task);
  Life early = life;
  early.now = kStart + 1s - 1ns;
  EXPECT_EQ(early.reply(command), Kind::accepted);
  life.now = kStart + 1s;
  const Outcome late = life.apply(command);
  EXPECT_EQ(late.reply.kind, Kind::refused);
  EXPECT_EQ(late.reply.error->reason, ErrorReason::expired);
  // The refusal commits the consequence.
  EXPECT_EQ(life.task.state, State::failed);
  EXPECT_NE(life.task.outcome.find("interline:input-expired"), std::string::npos);
}

// The body says whole milliseconds: at the instant that it names, the question has expired.
TEST(Expiry, IsTheInstantThatItsBodyNames) {
  Life life = life_in(State::running);
  life.now += 1'999us;
  life.apply(ask_expiring(1s, 1));
  EXPECT_EQ(life.task.pending->expires_at(), kStart + 1'001ms);
  const GiveInput command = give(life.task);
  life.now = kStart + 1'001ms;
  EXPECT_EQ(life.apply(command).reply.error->reason, ErrorReason::expired);
  ASSERT_EQ(life.task.state, State::input_required);
  life.now += 999ns;  // asked anew, the same
  EXPECT_EQ(life.task.pending->expires_at(), kStart + 2'001ms);
}

TEST(Expiry, AsksAnewWhereTheRuntimeLeftThat) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1s, 1));
  const std::string first = life.task.pending->id;
  const GiveInput stale = give(life.task);
  life.now = kStart + 1s;
  EXPECT_EQ(life.reply(Tick{}), Kind::accepted);
  ASSERT_EQ(life.task.state, State::input_required);
  EXPECT_NE(life.task.pending->id, first);
  EXPECT_EQ(life.task.pending->expires_at(), life.now + 1s);
  EXPECT_EQ(life.apply(stale).reply.error->reason, ErrorReason::expired);
  EXPECT_EQ(life.reply(give(life.task)), Kind::accepted);
}

TEST(Expiry, OfTheSecondAskingSettles) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1s, 1));
  life.now = kStart + 1s;
  life.apply(Tick{});
  life.now += 1s;
  life.apply(Tick{});
  EXPECT_EQ(life.task.state, State::failed);
}

TEST(Expiry, IsNotAskedAnewForEver) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1ns, 1'000'000));
  while (!is_terminal(life.task.state)) {
    life.now += 1s;
    ASSERT_EQ(life.reply(Tick{}), Kind::accepted);
    ASSERT_LE(life.task.past.size(), kMaxRequests + 1);
  }
  EXPECT_NE(life.task.outcome.find("interline:input-expired"), std::string::npos);
}

TEST(Expiry, LeavesAnAcceptedAnswerAccepted) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1s));
  const GiveInput command = give(life.task);
  life.apply(command);
  life.now = kStart + 5s;
  EXPECT_EQ(life.reply(Tick{}), Kind::unchanged);
  EXPECT_EQ(life.reply(command), Kind::replayed);
}

TEST(Expiry, PrecedesEveryCommandThatComesAtItsInstantOrLater) {
  const std::vector<Command> commands = {complete(),
                                         fail_with("a:b"),
                                         ConfirmCancelled{},
                                         Cancel{},
                                         Start{},
                                         progress(1),
                                         Note{EntryType::log, "{}"},
                                         Output{ArtifactChunk{"a", "[]", false, false}},
                                         ask("b"),
                                         Remember{"m"},
                                         Hold{},
                                         Release{},
                                         Dispatch{2},
                                         Recover{2, true}};
  for (const Command& command : commands) {
    Life life = life_in(State::running);
    life.apply(ask_expiring(1s));
    Life early = life;
    life.now = kStart + 1s;
    const Outcome late = life.apply(command);
    EXPECT_EQ(late.reply.kind, Kind::refused) << command.index();
    EXPECT_EQ(late.reply.error->reason, ErrorReason::expired) << command.index();
    EXPECT_EQ(life.task.state, State::failed) << command.index();
    EXPECT_EQ(life.task.revision, early.task.revision + 1) << command.index();
    EXPECT_NE(life.task.outcome.find("interline:input-expired"), std::string::npos);
    EXPECT_TRUE(std::ranges::count(late.effects, Effect::stop_work)) << command.index();
    early.now = kStart + 1s - 1ns;
    const Outcome timely = early.apply(command);
    EXPECT_FALSE(timely.reply.error && timely.reply.error->reason == ErrorReason::expired)
        << command.index();
  }
}

TEST(Expiry, ThatAsksAnewLetsTheSameCommandFollow) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(1s, 1));
  const std::string first = life.task.pending->id;
  life.now = kStart + 5s;
  EXPECT_EQ(life.apply(complete()).reply.error->reason, ErrorReason::expired);
  ASSERT_EQ(life.task.state, State::input_required);
  EXPECT_NE(life.task.pending->id, first);
  EXPECT_EQ(life.reply(complete()), Kind::accepted);
  EXPECT_EQ(life.task.past.front().disposition, Disposition::expired);
  EXPECT_EQ(life.task.past.back().disposition, Disposition::settled);
}

TEST(Expiry, DoesNotKeepACallFromBeingDetached) {
  Life life(admission(), true);
  life.apply(Dispatch{1});
  life.apply(ask_expiring(1s));
  life.now = kStart + 5s;
  EXPECT_EQ(life.reply(Detach{}), Kind::accepted);
}

TEST(SeveralQuestions, APartialAnswerReissuesTheRest) {
  Life life = life_in(State::running);
  Ask command = ask("a");
  command.questions.push_back(question("b"));
  life.apply(command);
  const std::string first = life.task.pending->id;
  const Outcome part = life.apply(give(life.task, "a"));
  EXPECT_EQ(part.reply.kind, Kind::accepted);
  EXPECT_EQ(life.task.state, State::input_required);
  ASSERT_EQ(life.task.pending->questions.size(), 1U);
  EXPECT_EQ(life.task.pending->questions.front().key, "b");
  EXPECT_NE(life.task.pending->id, first);
  EXPECT_EQ(part.entry->type, EntryType::input_required);
  EXPECT_EQ(part.effects, std::vector<Effect>{Effect::deliver_answers});
  life.apply(give(life.task, "b"));
  EXPECT_EQ(life.task.state, State::running);
  EXPECT_EQ(life.task.answers.size(), 2U);
}

TEST(SeveralQuestions, ByKeyAcrossRequestsWithoutARequestId) {
  Life life = life_in(State::running);
  life.apply(ask("a"));
  life.apply(ask("b"));  // re-issues a beside b
  EXPECT_EQ(life.task.pending->questions.size(), 2U);
  GiveInput both;
  both.answers = {answer("a"), answer("b")};
  EXPECT_EQ(life.reply(both), Kind::accepted);
  EXPECT_EQ(life.task.state, State::running);
  EXPECT_EQ(life.apply(both).reply.kind, Kind::replayed);
  both.answers[1] = answer("b", R"("other")");
  EXPECT_EQ(life.apply(both).reply.error->reason, ErrorReason::already_answered);
}

TEST(SeveralQuestions, ARepeatedAnswerBesideANewOneIsPassedOver) {
  Life life = life_in(State::running);
  Ask command = ask("a");
  command.questions.push_back(question("b"));
  life.apply(command);
  life.apply(give(life.task, "a"));
  GiveInput both;
  both.answers = {answer("a"), answer("b")};
  EXPECT_EQ(life.reply(both), Kind::accepted);
  EXPECT_EQ(life.task.answers.size(), 2U);
}

TEST(SeveralQuestions, OneQuestionTwiceInOneAnswerIsMalformed) {
  Life life = life_in(State::input_required);
  GiveInput twice = give(life.task);
  twice.answers.push_back(answer("a", R"("z")"));
  EXPECT_EQ(life.apply(twice).reply.error->kind, ErrorKind::malformed);
  EXPECT_EQ(life.task.state, State::input_required);
}

TEST(SeveralQuestions, SupersededRequestIsAConflict) {
  Life life = life_in(State::running);
  life.apply(ask("a"));
  const GiveInput old = give(life.task);
  life.apply(ask("b"));
  EXPECT_EQ(life.apply(old).reply.error->kind, ErrorKind::conflict);
}

TEST(SeveralQuestions, AKeyThatIsOpenIsRefused) {
  Life life = life_in(State::running);
  life.apply(ask("a"));
  EXPECT_EQ(life.apply(ask("a")).reply.error->kind, ErrorKind::malformed);
}

TEST(Asking, KindsTheCallerCannotAnswerAreRefused) {
  Life life = life_in(State::running);
  Ask command = ask();
  command.questions.front().kind = QuestionKind::sampling;
  EXPECT_EQ(life.apply(command).reply.error->kind, ErrorKind::not_acceptable);
}

TEST(Asking, MoreThanTheLimitIsRefused) {
  Life life = life_in(State::running);
  Ask command;
  for (std::size_t i = 0; i <= kMaxOpenQuestions; ++i) {
    command.questions.push_back(question("q" + std::to_string(i)));
  }
  EXPECT_EQ(life.apply(command).reply.error->reason, ErrorReason::too_many);
}

TEST(Asking, ForEverIsBounded) {
  Life life = life_in(State::running);
  for (std::size_t i = 0; i < kMaxRequests; ++i) {
    ASSERT_EQ(life.reply(ask()), Kind::accepted) << i;
    ASSERT_EQ(life.reply(give(life.task)), Kind::accepted) << i;
  }
  EXPECT_EQ(life.apply(ask()).reply.error->reason, ErrorReason::too_many);
  EXPECT_EQ(life.reply(complete()), Kind::accepted);
}

TEST(Suspension, EndsTheWorkAndStartsItAgainWithTheAnswers) {
  Life life = life_in(State::running);
  life.apply(ask());
  life.apply(give(life.task));
  Ask command = ask("later");
  command.state = R"({"step":2})";
  life.apply(command);
  EXPECT_EQ(life.task.dispatched_boot, 0U);
  EXPECT_EQ(life.task.resume_from, 1U);
  const Outcome answered = life.apply(give(life.task, "later"));
  EXPECT_EQ(answered.effects, std::vector<Effect>{Effect::redispatch});
  EXPECT_EQ(life.reply(Dispatch{1}), Kind::accepted);
  EXPECT_EQ(life.task.suspended, R"({"step":2})");
}

TEST(Suspension, WorkThatCameAgainIsToldAnswersLikeAnyOther) {
  Life life = life_in(State::running);
  Ask first = ask("first");
  first.state = "{}";
  life.apply(first);
  life.apply(give(life.task, "first"));
  life.apply(Dispatch{1});
  life.apply(ask("second"));  // at work, without a state
  EXPECT_EQ(life.apply(give(life.task, "second")).effects,
            std::vector<Effect>{Effect::deliver_answers});
}

TEST(Suspension, WaitsForAllQuestionsBeforeItComesAgain) {
  Life life = life_in(State::running);
  Ask command = ask("a");
  command.questions.push_back(question("b"));
  command.state = "{}";
  life.apply(command);
  EXPECT_TRUE(life.apply(give(life.task, "a")).effects.empty());
  EXPECT_EQ(life.apply(give(life.task, "b")).effects, std::vector<Effect>{Effect::redispatch});
}

TEST(Bodies, OneQuestionIsShownAsItself) {
  Life life = life_in(State::running);
  life.apply(ask_expiring(90s));
  EXPECT_EQ(
      input_required_body(*life.task.pending),
      R"({"requestId":")" + life.task.pending->id +
          R"(","question":"Which?","inputSchema":{"type":"string"},"createdAt":"2026-08-29T10:40:00.000Z","expiresAt":"2026-08-29T10:41:30.000Z"})");
}

TEST(Bodies, SeveralQuestionsAreOneObjectWhoseSchemasKeepTheirOwnRoots) {
  Life life = life_in(State::running);
  Ask command = ask("a");
  command.questions.push_back(question("b"));
  command.questions.back().schema = R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}})";
  life.apply(command);
  const std::string body = input_required_body(*life.task.pending);
  const auto parsed = json::parse(body);
  ASSERT_TRUE(parsed);
  const json::Value& schema = *parsed->root().find("inputSchema");
  const auto compiled = schema::Schema::compile(schema);
  ASSERT_TRUE(compiled) << to_string(compiled.error());
  const auto good = json::parse(R"({"a":"x","b":3})");
  const auto bad = json::parse(R"({"a":"x","b":"three"})");
  EXPECT_EQ(compiled->validate(good->root()), schema::Verdict::valid);
  EXPECT_EQ(compiled->validate(bad->root()), schema::Verdict::invalid);
}

TEST(Bodies, LongTextIsCutAtTheSchemasLimitInCodePoints) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "é";
  const std::string body = progress_body({}, {}, text);
  const auto parsed = json::parse(body);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->root().find("message")->as_string().size(), 2U * 4'096U);
}

TEST(Bodies, CarryNoCharacterThatXmlCannot) {
  const std::string message = "a\xEF\xBF\xBE\xEF\xBF\xBD\xEF\xBF\xBF\xEE\x80\x80z";
  EXPECT_EQ(progress_body(std::nullopt, std::nullopt, message),
            "{\"message\":\"a\\ufffe\xEF\xBF\xBD\\uffff\xEE\x80\x80z\"}");
  EXPECT_EQ(cancelled_body("\xEF\xBF\xBF"), R"({"reason":"\uffff"})");
}

}  // namespace
}  // namespace interline::tasks
