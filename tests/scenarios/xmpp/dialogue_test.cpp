// The checklist's numbers on questions and answers, cancellation and deadlines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

/// A task of demo's `ask` that waits for its answer.
struct Asked {
  Asked(XmppBench& bench, std::string_view arguments = R"({"schema":{"type":"string"}})")
      : task(bench.invoke("ask", arguments)) {
    again(bench.asked(task));
  }
  void again(const Emitted& event) {
    request = string_member(event.payload().text(), "requestId");
    revision = std::string(*event.payload().attribute("revision"));
  }
  std::string task;
  std::string request;
  std::string revision;
};

constexpr std::string_view kAda = R"("Ada")";

TEST(XmppChecklist, C13_102_AnAcceptedAnswerIsRepeatedWhateverHappensNext) {
  XmppBench bench;
  const Asked asked(bench);
  const Reply accepted = bench.answer(asked.task, asked.request, asked.revision, kAda);
  ASSERT_TRUE(accepted.ok()) << accepted.bytes;
  EXPECT_EQ(accepted.value("revision"), std::to_string(std::stoi(asked.revision) + 1));
  const Reply again = bench.answer(asked.task, asked.request, "+0" + asked.revision,
                                   R"( "\u0041da" )", "alice@example.test/other");
  EXPECT_EQ(again.masked(), accepted.masked());
  const Emitted end = bench.event_of_type(asked.task, "completed");
  EXPECT_THAT(end.payload().text(), HasSubstr(R"("answers":["Ada"])"));
  const std::string result = bench.result(asked.task).masked();
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).masked(),
            accepted.masked());
  bench.restart();
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).masked(),
            accepted.masked());
  EXPECT_EQ(bench.result(asked.task).masked(), result);
}

TEST(XmppChecklist, C13_103_AnyOtherAnswerToAnAnsweredQuestionIsAConflict) {
  XmppBench bench;
  const Asked asked(bench);
  ASSERT_TRUE(bench.answer(asked.task, asked.request, asked.revision, kAda).ok());
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, R"("Bob")").error(),
            "conflict/cancel");
  EXPECT_EQ(bench.answer(asked.task, asked.request, "0", kAda).error(), "conflict/cancel");
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda, kOther).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_102_OneAnswerIsAppliedOnceHoweverOftenItIsSent) {
  XmppBench bench;
  const Asked asked(bench, R"({"count":1})");
  std::string all;
  for (int i = 0; i < 50; ++i) {
    all += "<iq type='set' id='copy-" + std::to_string(i) + "' from='" + std::string(kCaller) +
           "' to='" + std::string(kDemo) +
           "'><provide-input xmlns='urn:xmpp:agent-task:0' task-id='" + asked.task +
           "' request-id='" + asked.request + "' expected-revision='" + asked.revision +
           "'><input media-type='application/json'>\"Ada\"</input></provide-input></iq>";
  }
  bench.say(std::move(all));
  for (int i = 0; i < 50; ++i) {
    const Reply reply{bench.take(
        [](const Emitted& emitted) { return emitted.attribute("id").starts_with("copy-"); })};
    EXPECT_TRUE(reply.ok()) << reply.bytes;
  }
  const Emitted end = bench.event_of_type(asked.task, "completed");
  EXPECT_THAT(end.payload().text(), HasSubstr(R"("answers":["Ada"])"));
}

TEST(XmppChecklist, C13_104_AnAnswerThatIsRefusedLeavesTheQuestionOpen) {
  XmppBench bench;
  const Asked asked(bench);
  const auto pending = [&] { return bench.state(asked.task).text("pending-input"); };
  const std::string before = pending();
  EXPECT_EQ(string_member(before, "requestId"), asked.request);
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, "7").error(),
            "not-acceptable/modify");
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, R"({"a":1,"a":1})").error(),
            "not-acceptable/modify");
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, "{").error(),
            "bad-request/modify");
  EXPECT_EQ(bench.answer(asked.task, asked.request, "99", kAda).error(), "conflict/cancel");
  EXPECT_EQ(pending(), before);
  // An id that the task never asked under is absent, whatever the answer says.
  const std::string other = "never-asked-under-this-0000";
  EXPECT_EQ(bench.answer(asked.task, other, asked.revision, kAda).error(), "item-not-found/cancel");
  EXPECT_EQ(bench.answer(asked.task, other, asked.revision, "{").error(), "item-not-found/cancel");
  EXPECT_EQ(bench.answer(asked.task, asked.request, "-1", kAda).error(), "bad-request/modify");
  EXPECT_EQ(bench.answer(asked.task, "short", asked.revision, kAda).error(), "bad-request/modify");
  const std::string large = "\"" + std::string(65'536, 'x') + "\"";
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, large).error(),
            "resource-constraint/wait");
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, large, kOther).error(),
            "item-not-found/cancel");
  EXPECT_TRUE(bench.answer(asked.task, asked.request, asked.revision, kAda).ok());
}

TEST(XmppChecklist, C13_105_AnAnswerAtTheInstantOfExpiryIsLate) {
  for (const auto early : {milliseconds(1), milliseconds(0)}) {
    ManualClock clock;
    XmppBenchOptions options;
    options.clock = &clock;
    XmppBench bench(options);
    const Asked asked(bench, R"({"expiresInMilliseconds":60000})");
    clock.tick(milliseconds(60'000) - early);
    const Reply reply = bench.answer(asked.task, asked.request, asked.revision, kAda);
    if (early > milliseconds(0)) {
      EXPECT_TRUE(reply.ok()) << reply.bytes;
      continue;
    }
    EXPECT_EQ(reply.error(), "conflict/cancel");
    const Emitted end = bench.event_of_type(asked.task, "failed");
    EXPECT_THAT(end.payload().text(), HasSubstr("interline:input-expired"));
  }
}

// Whatever fraction of a second the question was asked at: what is compared is what was told.
TEST(XmppChecklist, C13_105_TheInstantOfExpiryIsTheOneThatWasTold) {
  constexpr std::chrono::nanoseconds kOne(1);
  for (const std::int64_t asked_at : {1, 400'000, 999'999, 1'000'001}) {
    for (const bool late : {false, true}) {
      ManualClock clock;
      clock.tick(std::chrono::nanoseconds(asked_at));
      const SystemTime before = clock.now();
      XmppBenchOptions options;
      options.clock = &clock;
      XmppBench bench(options);
      const Asked asked(bench, R"({"expiresInMilliseconds":60000})");
      const std::string told =
          string_member(bench.state(asked.task).text("pending-input"), "expiresAt");
      // 2026-01-01T00:01:00 and three digits.
      const auto milliseconds_told = milliseconds(std::stoi(told.substr(20, 3)));
      ASSERT_EQ(told.substr(0, 20), "2026-01-01T00:01:00.") << told;
      const SystemTime start = before - std::chrono::nanoseconds(asked_at);
      const SystemTime expiry = start + std::chrono::minutes(1) + milliseconds_told;
      clock.tick(expiry - clock.now() - (late ? kOne * 0 : kOne));
      const Reply reply = bench.answer(asked.task, asked.request, asked.revision, kAda);
      EXPECT_EQ(reply.error(), late ? "conflict/cancel" : "") << told << " " << reply.bytes;
    }
  }
}

TEST(XmppChecklist, C13_106_AndC13_107_AnExpiredQuestionIsAskedAnewAndItsIdStaysKnown) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  Asked asked(bench, R"({"expiresInMilliseconds":60000,"reasks":1})");
  const std::string old_request = asked.request;
  clock.tick(milliseconds(60'000));
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).error(),
            "conflict/cancel");
  asked.again(bench.asked(asked.task));
  EXPECT_NE(asked.request, old_request);
  EXPECT_EQ(bench.state(asked.task).value("state"), "input_required");
  EXPECT_EQ(bench.answer(asked.task, old_request, asked.revision, kAda).error(), "conflict/cancel");
  EXPECT_TRUE(bench.answer(asked.task, asked.request, asked.revision, kAda).ok());
  bench.event_of_type(asked.task, "completed");
  EXPECT_EQ(bench.answer(asked.task, old_request, asked.revision, kAda).error(), "conflict/cancel");
}

TEST(XmppChecklist, C13_107_AndC13_108_AnAnswerAfterACancellationIsLate) {
  XmppBench bench;
  const Asked asked(bench);
  ASSERT_TRUE(bench.cancel(asked.task, asked.revision).ok());
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).error(),
            "conflict/cancel");
  bench.event_of_type(asked.task, "cancelled");
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).error(),
            "conflict/cancel");
}

// The other order: both commits count, in the order in which they were made.
TEST(XmppChecklist, C13_108_ACancellationAfterAnAnswerCountsToo) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto [task, work] = bench.invoke_puppet();
  work->ask({asks("q")});
  const Emitted asked = bench.asked(task);
  const std::uint64_t revision = std::stoull(std::string(*asked.payload().attribute("revision")));
  const auto with_puppet = [&, id = task](const std::string& name, std::uint64_t expected,
                                          std::string_view more, std::string_view inside) {
    std::string xml = "<" + name + " xmlns='urn:xmpp:agent-task:0' task-id='" + id +
                      "' expected-revision='" + std::to_string(expected) + "'";
    xml.append(more).append(">").append(inside).append("</").append(name).append(">");
    return bench.set(kCaller, kPuppet, xml);
  };
  const std::string request =
      " request-id='" + string_member(asked.payload().text(), "requestId") + "'";
  const std::string input = "<input media-type='application/json'>\"Ada\"</input>";
  const Reply answered = with_puppet("provide-input", revision, request, input);
  EXPECT_EQ(answered.value("revision"), std::to_string(revision + 1)) << answered.bytes;
  EXPECT_EQ(with_puppet("cancel", revision, "", "").error(), "conflict/cancel");
  const Reply cancelled = with_puppet("cancel", revision + 1, "", "");
  EXPECT_EQ(cancelled.value("revision"), std::to_string(revision + 2)) << cancelled.bytes;
  for (const auto& [at, state] :
       {std::pair(revision + 1, "running"), {revision + 2, "cancelling"}}) {
    EXPECT_EQ(string_member(bench.event(task, at).payload().text(), "state"), state);
  }
  // A settlement after it is the end all the same, and a cancellation after that is late.
  work->job->complete(R"({"content":[]})");
  bench.event_of_type(task, "completed");
  EXPECT_EQ(with_puppet("cancel", revision + 3, "", "").error(), "conflict/cancel");
  EXPECT_EQ(with_puppet("cancel", revision + 1, "", "").masked(), cancelled.masked());
  EXPECT_EQ(with_puppet("provide-input", revision, request, input).masked(), answered.masked());
}

TEST(XmppChecklist, C13_110_AnAcceptedCancellationIsRepeatedAndAnyOtherIsAConflict) {
  XmppBench bench;
  const Asked asked(bench);
  EXPECT_EQ(bench.cancel(asked.task, "99", "solved").error(), "conflict/cancel");
  const Reply accepted = bench.cancel(asked.task, asked.revision, "solved");
  ASSERT_TRUE(accepted.ok()) << accepted.bytes;
  const Emitted status = bench.event_of_type(asked.task, "status");
  EXPECT_EQ(*status.payload().attribute("revision"), accepted.value("revision"));
  EXPECT_EQ(string_member(status.payload().text(), "state"), "cancelling");
  const Emitted end = bench.event_of_type(asked.task, "cancelled");
  EXPECT_EQ(string_member(end.payload().text(), "reason"), "solved");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bench.cancel(asked.task, asked.revision, "solved").masked(), accepted.masked());
    EXPECT_EQ(bench.cancel(asked.task, asked.revision, " solved").error(), "conflict/cancel");
    EXPECT_EQ(bench.cancel(asked.task, asked.revision, "").error(), "conflict/cancel");
    EXPECT_EQ(bench.cancel(asked.task, asked.revision).error(), "conflict/cancel");
    EXPECT_EQ(bench.cancel(asked.task, "0", "solved").error(), "conflict/cancel");
    bench.restart();
  }
  EXPECT_EQ(bench.cancel(asked.task, asked.revision, "solved", kOther).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_110_WhatHasSettledOrCannotBeCancelledIsNot) {
  XmppBench bench;
  const std::string done = bench.invoke("sleep", R"({"milliseconds":0})");
  const Emitted end = bench.event_of_type(done, "completed");
  EXPECT_EQ(bench.cancel(done, std::string(*end.payload().attribute("revision"))).error(),
            "conflict/cancel");
  const std::string echo = bench.invoke("echo");
  bench.event_of_type(echo, "completed");
  EXPECT_EQ(bench.cancel(echo, "1").error(), "service-unavailable/cancel");
  const Asked asked(bench);
  EXPECT_EQ(bench.cancel(asked.task, asked.revision, std::string(4'097, 'r')).error(),
            "bad-request/modify");
  EXPECT_TRUE(bench.cancel(asked.task, asked.revision, std::string(4'096, 'r')).ok());
}

TEST(XmppChecklist, C13_111_ATaskThatIsCancelledStaysSo) {
  XmppBench bench;
  const std::string task = bench.invoke("sleep", R"({"milliseconds":86400000})");
  std::string revision;
  Reply cancelled;
  do {  // the first event may come in between
    revision = bench.state(task).value("revision");
    cancelled = bench.cancel(task, revision);
  } while (!cancelled.ok());
  const Emitted end = bench.event_of_type(task, "cancelled");
  EXPECT_EQ(bench.result(task).value("state"), "cancelled");
  EXPECT_EQ(bench.result(task).value("revision"), *end.payload().attribute("revision"));
}

TEST(XmppChecklist, C13_112_DeadlinesAreInstantsToTheirLastDigit) {
  ManualClock clock;  // 2026-01-01T00:00:00Z
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const auto invoke = [&](std::string_view deadline) {
    return bench.set(kCaller, kDemo, bench.invoke_xml("never", "{}", "", deadline));
  };
  EXPECT_TRUE(invoke("2026-01-01T00:00:00.000000000000000000000000000001Z").ok());
  EXPECT_EQ(invoke("2026-01-01T00:00:00.000000000000000000000000000000Z").error(),
            "not-acceptable/modify");
  EXPECT_EQ(invoke("2026-01-01T01:00:00+01:00").error(), "not-acceptable/modify");
  EXPECT_TRUE(invoke("2025-12-31T23:00:00.5-01:00").ok());
  EXPECT_EQ(invoke("2025-12-31T24:00:00Z").error(), "not-acceptable/modify");
  EXPECT_TRUE(invoke(" 2026-01-01T24:00:00Z ").ok());
  for (const std::string_view bad :
       {"2026-02-30T00:00:00Z", "2026-01-01t00:00:00Z", "2026-01-01T00:00:00", "2027-01-01",
        "2026-01-01T00:00:00.Z", "2026-01-01T24:00:01Z", "2027-01-01T00:00:00+15:00", ""}) {
    const Reply reply =
        bench.set(kCaller, kDemo, bench.invoke_xml("never", "{}", "", bad.empty() ? "<x/>" : bad));
    EXPECT_EQ(reply.error(), "bad-request/modify") << bad;
  }
}

TEST(XmppChecklist, C13_113_AtItsDeadlineATaskFailsAndTheCommandLoses) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const std::string deadline = "2026-01-01T00:01:00.000000001Z";
  const Reply accepted = bench.set(kCaller, kDemo, bench.invoke_xml("ask", "{}", "", deadline));
  Asked asked(bench);  // another one, to compare the clock with
  const std::string task = accepted.value("task-id");
  const Emitted question = bench.asked(task);
  EXPECT_EQ(bench.state(task).value("deadline"), deadline);
  clock.tick(std::chrono::minutes(1));
  EXPECT_EQ(bench.state(task).value("state"), "input_required");
  clock.tick(std::chrono::nanoseconds(1));
  EXPECT_EQ(bench
                .answer(task, string_member(question.payload().text(), "requestId"),
                        *question.payload().attribute("revision"), kAda)
                .error(),
            "conflict/cancel");
  const Emitted end = bench.event_of_type(task, "failed");
  EXPECT_EQ(string_member(member(end.payload().text(), "error"), "code"), "deadline-expired");
  EXPECT_EQ(bench.state(asked.task).value("state"), "input_required");
}

TEST(XmppChecklist, C13_095_AResultIsKeptAsLongAsWasPromised) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const std::string task = bench.invoke("echo");
  bench.event_of_type(task, "completed");
  clock.tick(std::chrono::hours(23));
  EXPECT_TRUE(bench.result(task).ok());
  EXPECT_EQ(bench.state(task).value("retain-until"), "2026-01-02T00:00:00Z");
}

TEST(XmppChecklist, C13_104_SeveralQuestionsAreOneObject) {
  XmppBench bench;
  const Asked asked(bench, R"({"count":2})");
  const std::string pending = bench.state(asked.task).text("pending-input");
  EXPECT_THAT(member(pending, "inputSchema"),
              HasSubstr(R"("required":["question-1","question-2"])"));
  EXPECT_EQ(bench.answer(asked.task, asked.request, asked.revision, kAda).error(),
            "not-acceptable/modify");
  EXPECT_TRUE(bench
                  .answer(asked.task, asked.request, asked.revision,
                          R"({"question-1":"a","question-2":"b"})")
                  .ok());
  EXPECT_THAT(bench.event_of_type(asked.task, "completed").payload().text(),
              HasSubstr(R"("answers":["a","b"])"));
}

}  // namespace
}  // namespace interline::testing
