// The checklist's numbers on states, results, and the way that events take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(XmppChecklist, C13_115_TheTaskIsItsCallersBareJids) {
  XmppBench bench;
  const std::string task = bench.invoke("echo");
  bench.event_of_type(task, "completed");
  EXPECT_TRUE(bench.state(task, "alice@example.test/other").ok());
  EXPECT_TRUE(bench.result(task, "ALICE@example.test/other").ok());
  // Another principal of the same account is another caller on this wire.
  EXPECT_EQ(bench.state(task, "alice@partner.test/1").error(), "item-not-found/cancel");
  EXPECT_EQ(bench.state(task, kOther).error(), "item-not-found/cancel");
  EXPECT_EQ(bench.state(task, kAdmin).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_116_IdsThatAreNoneAreMalformedAndAllOthersAbsentAlike) {
  XmppBench bench;
  const std::string mine = bench.invoke("echo");
  const std::string absent = bench.state("no-such-task-at-all-0000000").masked();
  EXPECT_THAT(absent, HasSubstr("item-not-found"));
  EXPECT_EQ(bench.state(mine, kOther).masked(), absent);
  const std::string request = "<task-state-request xmlns='urn:xmpp:agent-task:0' task-id='" + mine;
  EXPECT_EQ(bench.get(kCaller, kHidden, request + "'/>").masked(), absent);
  EXPECT_EQ(bench.get(kCaller, kAbsent, request + "'/>").masked(), absent);
  EXPECT_EQ(bench.state("short").error(), "bad-request/modify");
  EXPECT_EQ(bench.get(kCaller, kDemo, request + "' more='1'/>").error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_117_EachStateIsToldWhole) {
  XmppBench bench;
  const std::string task =
      bench.invoke("ask", R"({"question":"How many?","schema":{"type":"integer"},)"
                          R"("expiresInMilliseconds":600000})");
  const Emitted asked = bench.asked(task);
  const Reply waiting = bench.state(task);
  EXPECT_THAT(waiting.masked(),
              StartsWith("<iq type='result'><task-state xmlns='urn:xmpp:agent-task:0' task-id='" +
                         task + "' endpoint='demo@agents.example.test' state='input_required' "));
  EXPECT_EQ(waiting.value("revision"), *asked.payload().attribute("revision"));
  EXPECT_EQ(waiting.value("result-available"), "false");
  EXPECT_EQ(waiting.text("pending-input"), asked.payload().text());
  EXPECT_NE(string_member(waiting.text("pending-input"), "expiresAt"), "");
  for (const std::string_view name : {"created", "updated", "deadline", "retain-until"}) {
    EXPECT_NE(waiting.value(name), "") << name;
  }
  bench.cancel(task, waiting.value("revision"));
  bench.event_of_type(task, "cancelled");
  const Reply over = bench.state(task);
  EXPECT_EQ(over.value("state"), "cancelled");
  EXPECT_EQ(over.value("result-available"), "true");
  EXPECT_EQ(over.text("pending-input"), "");
}

TEST(XmppChecklist, C13_117_EveryStateHasAllItsAttributes) {
  XmppBench bench;
  const auto expect_state = [&](const std::string& task, std::string_view state, bool result) {
    const Reply told = bench.state(task);
    EXPECT_EQ(told.value("state"), state) << told.bytes;
    EXPECT_EQ(told.value("task-id"), task);
    EXPECT_EQ(told.value("endpoint"), kDemo);
    EXPECT_EQ(told.value("api-version"), "1");
    EXPECT_EQ(told.value("result-available"), result ? "true" : "false") << state;
    EXPECT_THAT(told.bytes,
                HasSubstr("<manifest-hash>" + hash_xml(bench.demo_hash()) + "</manifest-hash>"));
    for (const std::string_view name : {"revision", "created", "updated", "retain-until"}) {
      EXPECT_NE(told.value(name), "") << state << name;
    }
    EXPECT_EQ(bench.result(task).ok(), result) << state;
  };
  const std::string never = bench.invoke("never");
  bench.event(never, 1);
  expect_state(never, "running", false);
  const std::string completed = bench.invoke("echo");
  bench.event_of_type(completed, "completed");
  expect_state(completed, "completed", true);
  const std::string failed = bench.invoke("fail");
  bench.event_of_type(failed, "failed");
  expect_state(failed, "failed", true);
  ASSERT_TRUE(bench.cancel(never, "1").ok());
  bench.event_of_type(never, "cancelled");
  expect_state(never, "cancelled", true);
}

TEST(XmppChecklist, C13_118_AResultIsToldOnceThereIsOneAndNeverChanges) {
  XmppBench bench;
  const std::string task = bench.invoke("never");
  EXPECT_EQ(bench.result(task).error(), "unexpected-request/wait");
  EXPECT_EQ(bench.result(task).masked().find("text"), std::string::npos);
  const std::string done = bench.invoke("echo", R"({"n":1})");
  bench.event_of_type(done, "completed");
  const std::string once = bench.result(done).masked();
  EXPECT_EQ(bench.result(done).masked(), once);
  bench.cancel(done, "99");
  EXPECT_EQ(bench.result(done).masked(), once);
}

TEST(XmppChecklist, C13_119_CommandsGoToTheBareAddress) {
  XmppBench bench;
  for (const std::string_view to :
       {"demo@agents.example.test/x", "nowhere@agents.example.test/x", "agents.example.test/x"}) {
    EXPECT_EQ(bench.set(kCaller, to, bench.invoke_xml("echo")).error(),
              "service-unavailable/cancel");
  }
}

TEST(XmppChecklist, C13_120_EventsFollowTheLastInvocationAndALostRouteFallsBack) {
  XmppBench bench;
  const std::string xml = bench.invoke_xml("ask");
  const std::string task = bench.set(kCaller, kDemo, xml).value("task-id");
  const Emitted asked = bench.asked(task);
  EXPECT_EQ(asked.attribute("to"), kCaller);
  ASSERT_TRUE(bench.set("alice@example.test/new", kDemo, xml).ok());
  const std::string request = string_member(asked.payload().text(), "requestId");
  const std::string revision(*asked.payload().attribute("revision"));
  ASSERT_TRUE(bench.answer(task, request, revision, R"("Ada")").ok());
  EXPECT_EQ(bench.event_of_type(task, "status").attribute("to"), "alice@example.test/new");
  EXPECT_EQ(bench.event_of_type(task, "completed").attribute("to"), "alice@example.test/new");

  const std::string second = bench.invoke("ask");
  const Emitted lost = bench.asked(second);
  bench.say("<message type='error' id='" + lost.attribute("id") + "' from='" +
            std::string(kCaller) +
            "' to='demo@agents.example.test'><error type='cancel'>"
            "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>");
  bench.settle();
  bench.cancel(second, std::string(*lost.payload().attribute("revision")));
  EXPECT_EQ(bench.event_of_type(second, "cancelled").attribute("to"), "alice@example.test");
  // Whoever calls from there again is there.
  EXPECT_EQ(bench.event_of_type(bench.invoke("echo"), "completed").attribute("to"), kCaller);
}

TEST(XmppChecklist, C13_120_AForgedBounceAndAGoodbyeAreTakenForWhatTheyAre) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  const Emitted asked = bench.asked(task);
  bench.say("<message type='error' id='" + asked.attribute("id") +
            "' from='eve@elsewhere.test/1' to='demo@agents.example.test'/>");
  bench.say("<message type='error' id='unknown' from='" + std::string(kCaller) +
            "' to='demo@agents.example.test'/>");
  bench.settle();
  bench.cancel(task, std::string(*asked.payload().attribute("revision")));
  EXPECT_EQ(bench.event_of_type(task, "cancelled").attribute("to"), kCaller);
  bench.say("<presence type='unavailable' from='" + std::string(kCaller) +
            "' to='demo@agents.example.test'/>");
  bench.settle();
  const std::string next = bench.invoke("ask", "{}", "alice@example.test/gone");
  const Emitted again = bench.asked(next);
  bench.say(
      "<presence type='unavailable' from='alice@example.test/gone' "
      "to='demo@agents.example.test'/>");
  bench.settle();
  bench.cancel(next, std::string(*again.payload().attribute("revision")));
  EXPECT_EQ(bench.event_of_type(next, "cancelled").attribute("to"), "alice@example.test");
}

TEST(XmppChecklist, C13_120_ACallerWhoGetsNoEventFindsTheEndByAsking) {
  XmppBench bench;
  // Each event so far comes back: none of them ever arrives.
  int lost = 0;
  const auto lose_events = [&] {
    bench.settle();
    for (const Emitted& each : bench.take_all()) {
      if (each.root().name() != "message") continue;
      ++lost;
      bench.say("<message type='error' id='" + each.attribute("id") + "' from='" +
                each.attribute("to") + "' to='demo@agents.example.test'><error type='cancel'>" +
                "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>" +
                "</message>");
    }
  };
  const std::string task = bench.invoke("ask", R"({"schema":{"type":"string"}})");
  Reply state = bench.state(task);
  for (; state.value("state") != "input_required"; state = bench.state(task)) lose_events();
  lose_events();
  const std::string request = string_member(state.text("pending-input"), "requestId");
  ASSERT_TRUE(bench.answer(task, request, state.value("revision"), R"("Ada")").ok());
  Reply result = bench.result(task);
  for (; result.error() == "unexpected-request/wait"; result = bench.result(task)) lose_events();
  EXPECT_THAT(result.payload().text(), HasSubstr(R"("answers":["Ada"])"));
  EXPECT_EQ(result.value("state"), "completed");
  EXPECT_GT(lost, 0);
}

TEST(XmppChecklist, C13_125_OwnersKeepTheirTasksWhenTheirGrantsGo) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  const Emitted asked = bench.asked(task);
  policy::Configuration nobody;
  nobody.local_domains = {"example.test"};
  bench.use_policy(nobody);
  EXPECT_EQ(bench.state(task).value("state"), "input_required");
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("echo")).error(), "item-not-found/cancel");
  const std::string request = string_member(asked.payload().text(), "requestId");
  EXPECT_TRUE(bench.answer(task, request, *asked.payload().attribute("revision"), R"("x")").ok());
  bench.event_of_type(task, "completed");
  EXPECT_TRUE(bench.result(task).ok());
}

}  // namespace
}  // namespace interline::testing
