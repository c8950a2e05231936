// The checklist's numbers on presence, and on messages that are no calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void presence(XmppBench& bench, std::string_view type, std::string_view from,
              std::string_view to = kDemo) {
  bench.say("<presence type='" + std::string(type) + "' from='" + std::string(from) + "' to='" +
            std::string(to) + "'/>");
}
/// The next one, as "type to" with its sender.
std::string next(XmppBench& bench) {
  const Emitted emitted =
      bench.take([](const Emitted& each) { return each.root().name() == "presence"; });
  return emitted.attribute("from") + " " + emitted.attribute("type") + " " +
         emitted.attribute("to");
}

TEST(XmppChecklist, C13_043_SubscriptionsAndProbesAreAnswered) {
  XmppBench bench;
  presence(bench, "subscribe", "alice@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test subscribed alice@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test  alice@example.test");
  presence(bench, "probe", kCaller);
  EXPECT_EQ(next(bench), "demo@agents.example.test  alice@example.test/desk");
  presence(bench, "unsubscribe", "alice@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable alice@example.test");
  presence(bench, "probe", kCaller);
  EXPECT_EQ(next(bench), "demo@agents.example.test unsubscribed alice@example.test");
  presence(bench, "subscribe", "bob@example.test", kGateway);
  EXPECT_EQ(next(bench), "agents.example.test subscribed bob@example.test");
  EXPECT_EQ(next(bench), "agents.example.test  bob@example.test");
}

TEST(XmppChecklist, C13_043_AndC13_125_HiddenAndAbsentEndpointsRefuseAlike) {
  XmppBench bench;
  for (const std::string_view type : {"subscribe", "probe"}) {
    for (const std::string_view to : {kHidden, kAbsent}) {
      presence(bench, type, "alice@example.test", to);
      EXPECT_EQ(next(bench), std::string(to) + " unsubscribed alice@example.test");
    }
    for (const std::string_view who :
         {"outsider@example.test", "eve@elsewhere.test", "runner@example.test"}) {
      presence(bench, type, who);
      EXPECT_EQ(next(bench), "demo@agents.example.test unsubscribed " + std::string(who));
    }
  }
}

TEST(XmppChecklist, C13_043_SubscriptionsOutliveARestartAndEachConnectAnnounces) {
  XmppBench bench;
  presence(bench, "subscribe", "alice@example.test");
  next(bench);
  next(bench);
  bench.restart();
  EXPECT_EQ(next(bench), "demo@agents.example.test  alice@example.test");
  bench.break_stream();
  bench.wait_for_stream(2);
  EXPECT_EQ(next(bench), "demo@agents.example.test  alice@example.test");
}

TEST(XmppChecklist, C13_045_AvailabilityIsPresenceAndInNoForm) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "1"));  // nobody works there
  presence(bench, "subscribe", "alice@example.test", "desk@agents.example.test");
  EXPECT_EQ(next(bench), "desk@agents.example.test subscribed alice@example.test");
  EXPECT_EQ(next(bench), "desk@agents.example.test unavailable alice@example.test");
  presence(bench, "subscribe", "alice@example.test");
  next(bench);
  next(bench);
  const std::string info = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
  const std::string before = bench.get(kCaller, kDemo, info).masked();
  ASSERT_TRUE(bench
                  .set(kAdmin, kGateway,
                       "<deactivate xmlns='urn:xmpp:agent-api:0' jid='demo@agents.example.test'/>")
                  .ok());
  bench.refresh_presence();
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable alice@example.test");
  ASSERT_TRUE(bench
                  .set(kAdmin, kGateway,
                       "<activate xmlns='urn:xmpp:agent-api:0' jid='demo@agents.example.test' "
                       "version='1'>" +
                           hash_xml(bench.demo_hash()) + "</activate>")
                  .ok());
  bench.refresh_presence();
  EXPECT_EQ(next(bench), "demo@agents.example.test  alice@example.test");
  EXPECT_EQ(bench.get(kCaller, kDemo, info).masked(), before);
}

TEST(XmppChecklist, C13_043_WhoMayNotSeeAnyMoreIsTakenLeaveOf) {
  XmppBench bench;
  presence(bench, "subscribe", "viewer@example.test");
  next(bench);
  next(bench);
  presence(bench, "subscribe", "alice@example.test");
  next(bench);
  next(bench);
  policy::Configuration without_viewer = bench.policy();
  std::erase_if(without_viewer.grants, [](const policy::Grant& grant) {
    return grant.principals.front() == "xmpp:viewer@example.test";
  });
  bench.use_policy(without_viewer);
  bench.refresh_presence();
  EXPECT_EQ(next(bench), "demo@agents.example.test unsubscribed viewer@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable viewer@example.test");
  bench.refresh_presence();
  presence(bench, "probe", "viewer@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test unsubscribed viewer@example.test");
}

TEST(XmppChecklist, C13_044_PresenceOfOthersIsNoEvidenceOfAnything) {
  XmppBench bench;
  bench.take_all();
  for (const std::string_view type : {"subscribed", "unsubscribed", "unavailable", "other"}) {
    presence(bench, type, kCaller);
  }
  bench.say("<presence from='alice@example.test/desk' to='demo@agents.example.test'/>");
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());
}

TEST(XmppChecklist, C13_123_AndC13_154_ConversationsAreRefusedAlikeAndNowAndThen) {
  XmppBench bench;
  bench.take_all();
  const auto chat = [&](std::string_view from, std::string_view to, std::string_view id) {
    bench.say("<message type='chat' id='" + std::string(id) + "' from='" + std::string(from) +
              "' to='" + std::string(to) + "'><body>Hello</body></message>");
  };
  chat("a@example.test/1", kDemo, "m1");
  chat("b@example.test/1", kHidden, "m2");
  chat("c@example.test/1", kAbsent, "m3");
  chat("a@example.test/2", kDemo, "m4");  // too soon
  bench.say(
      "<message type='groupchat' from='r@c/n' to='demo@agents.example.test'><body/></message>");
  bench.say(
      "<message from='d@c/n' to='demo@agents.example.test'><event "
      "xmlns='urn:xmpp:agent-task:0'/><body>x</body></message>");
  bench.say(
      "<message from='d@c/n' to='demo@agents.example.test'><composing "
      "xmlns='http://jabber.org/protocol/chatstates'/></message>");
  bench.settle();
  std::vector<std::string> errors;
  for (const Emitted& each : bench.take_all()) {
    errors.push_back(each.attribute("id"));
    EXPECT_EQ(Reply{each}.error(), "service-unavailable/cancel");
    EXPECT_EQ(each.bytes.find("Hello"), std::string::npos);
  }
  EXPECT_THAT(errors, ElementsAre("m1", "m2", "m3"));
  // Nothing of it is advertised.
  const Reply info =
      bench.get(kCaller, kDemo, "<query xmlns='http://jabber.org/protocol/disco#info'/>");
  for (const std::string_view feature :
       {"chatstates", "urn:xmpp:receipts", "urn:xmpp:reply", "directory' type='user"}) {
    EXPECT_EQ(info.bytes.find(feature), std::string::npos) << feature;
  }
}

}  // namespace
}  // namespace interline::testing
