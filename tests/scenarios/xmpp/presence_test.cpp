// The checklist's numbers on presence, and on messages that are no calls.
#include <algorithm>
#include <map>
#include <ranges>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

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

TEST(XmppChecklist, C13_045_ARuntimeThatDiesChangesPresenceAndNoForm) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const std::string puppet(kPuppet);
  presence(bench, "subscribe", "alice@example.test", kPuppet);
  EXPECT_EQ(next(bench), puppet + " subscribed alice@example.test");
  EXPECT_EQ(next(bench), puppet + "  alice@example.test");
  const std::string info = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
  const std::string before = bench.get(kCaller, kPuppet, info).masked();
  for (const bool alive : {false, true}) {
    bench.engine_bench().puppet().available(alive);
    bench.refresh_presence();
    const std::string_view type = alive ? "" : "unavailable";
    EXPECT_EQ(next(bench), puppet + " " + std::string(type) + " alice@example.test");
    presence(bench, "probe", kCaller, kPuppet);
    EXPECT_EQ(next(bench), puppet + " " + std::string(type) + " alice@example.test/desk");
    EXPECT_EQ(bench.get(kCaller, kPuppet, info).masked(), before);
  }
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

// --- the pace of what nobody asked for: 100 a second, 10 at once --------------------------------

/// Presence of demo that is there and was not taken.
std::size_t more(XmppBench& bench) {
  bench.settle();
  std::size_t count = 0;
  for (const Emitted& each : bench.take_all()) count += each.root().name() == "presence" ? 1 : 0;
  return count;
}

std::string subscriber(int number) {
  return "u" + std::to_string(number) + "@example.test";
}

void subscribe(XmppBench& bench, int number) {
  presence(bench, "subscribe", subscriber(number));
  next(bench);
  next(bench);
}

void set_demo(XmppBench& bench, bool active) {
  const std::string xml =
      active ? "<activate xmlns='urn:xmpp:agent-api:0' jid='demo@agents.example.test' "
               "version='1'>" +
                   hash_xml(bench.demo_hash()) + "</activate>"
             : "<deactivate xmlns='urn:xmpp:agent-api:0' jid='demo@agents.example.test'/>";
  ASSERT_TRUE(bench.set(kAdmin, kGateway, xml).ok());
  bench.refresh_presence();
}

TEST(BriefSection3_Presence, AChangeIsToldToAHundredSubscribersASecond) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  for (int i = 0; i < 25; ++i) subscribe(bench, i);
  bench.take_all();
  set_demo(bench, false);
  for (int i = 0; i < 10; ++i) EXPECT_THAT(next(bench), HasSubstr(" unavailable u"));
  EXPECT_EQ(more(bench), 0U);
  clock.tick(50ms);
  for (int i = 0; i < 5; ++i) next(bench);
  EXPECT_EQ(more(bench), 0U);
  // Whoever asks is answered meanwhile.
  presence(bench, "probe", subscriber(3) + "/1");
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable u3@example.test/1");
  clock.tick(1s);
  for (int i = 0; i < 10; ++i) next(bench);
  EXPECT_EQ(more(bench), 0U);
  clock.tick(1min);
  EXPECT_EQ(more(bench), 0U) << "everybody has been told once";
}

TEST(BriefSection3_Presence, ARoundTellsHowThingsAreWhenItsTurnHasCome) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  for (int i = 0; i < 15; ++i) subscribe(bench, i);
  bench.take_all();
  set_demo(bench, false);
  std::map<std::string, std::string> last;
  const auto hear = [&] {
    const Emitted told =
        bench.take([](const Emitted& each) { return each.root().name() == "presence"; });
    last[told.attribute("to")] = told.attribute("type");
  };
  for (int i = 0; i < 10; ++i) hear();
  EXPECT_EQ(more(bench), 0U);
  const auto unheard = std::ranges::find_if(
      std::views::iota(0, 15), [&](int number) { return !last.contains(subscriber(number)); });
  const std::string leaver = subscriber(*unheard);
  presence(bench, "unsubscribe", leaver);
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable " + leaver);
  set_demo(bench, true);
  // The four that had not heard yet hear what is true now; then all fourteen are told of the
  // change.
  for (int i = 0; i < 4 + 14; ++i) {
    clock.tick(10ms);
    hear();
  }
  clock.tick(1min);
  EXPECT_EQ(more(bench), 0U);
  EXPECT_EQ(last.size(), 14U);
  for (const auto& [who, type] : last) EXPECT_EQ(type, "") << who;
}

TEST(BriefSection3_Presence, ANewSubscriberHidesNoChangeFromTheOthers) {
  XmppBench bench;
  subscribe(bench, 1);
  bench.engine().close_lane("demo");  // nobody works there any more
  presence(bench, "subscribe", subscriber(2));
  EXPECT_EQ(next(bench), "demo@agents.example.test subscribed u2@example.test");
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable u2@example.test");
  bench.refresh_presence();
  EXPECT_EQ(next(bench), "demo@agents.example.test unavailable u1@example.test");
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
