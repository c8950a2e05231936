// The checklist's numbers on what others send us unasked: answers, events, stanzas that claim to be
// from somebody they are not. Nothing of it is answered, or taken for anything else.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/manual_clock.hpp"
#include "base/sha1.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kIgnored = "an event of a task that is not followed here was ignored";

std::string shown(const std::string& id, std::string_view secret) {
  return to_hex(BytesView(sha1(id + std::string(secret))));
}

std::ptrdiff_t lines_of(const XmppBench& bench, std::string_view text) {
  const auto entries = bench.log().entries();
  return std::ranges::count_if(entries, [&](const MemoryLogSink::Entry& entry) {
    return entry.line.find(text) != std::string::npos;
  });
}

/// A message of that type with these children, from a sender of its own.
std::string message(std::string_view sender, std::string_view type, std::string_view children) {
  std::string xml = "<message from='" + std::string(sender) + "' to='" + std::string(kDemo) + "'";
  if (!type.empty()) xml.append(" type='").append(type).append("'");
  return xml.append(">").append(children).append("</message>");
}
std::string event(std::string_view body, std::string_view attributes =
                                             "task-id='task-of-nobody-0000000000' "
                                             "event-id='event-of-nobody-000000000' revision='1' "
                                             "type='status'") {
  return "<event xmlns='urn:xmpp:agent-task:0' " + std::string(attributes) + ">" +
         std::string(body) + "</event>";
}
constexpr std::string_view kBody = "<body>m4rker</body>";
constexpr std::string_view kRunning =
    R"({"state":"running","updatedAt":"2026-09-01T07:58:00.112Z","note":"m4rker"})";

TEST(XmppChecklist, C13_081_AResultThatIsTooLargeIsNotAnswered) {
  XmppBench bench;
  bench.take_all();
  const std::string filling = "<json xmlns='urn:filling'>" + std::string(600'000, 'm') + "</json>";
  for (const std::string_view type : {"result", "error"}) {
    bench.say("<iq type='" + std::string(type) + "' id='r' from='a@b/c' to='" +
              std::string(kGateway) + "'>" + filling + "</iq>");
  }
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());
}

TEST(XmppChecklist, C13_082_AnEventThatIsTooLargeIsIgnoredAsAnInvalidOne) {
  XmppBench bench;
  bench.take_all();
  bench.say(message("a@b/c", "normal", event(std::string(600'000, 'm'))));
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());
  EXPECT_EQ(lines_of(bench, kIgnored), 1);
}

TEST(XmppChecklist, C13_099_AnInvalidLifecycleMessageIsIgnoredWholeAndNoted) {
  XmppBench bench;
  bench.take_all();
  const std::string good = event(kRunning);
  const std::string bodies[] = {
      good,  // well-formed, of a task that is not ours
      good + good,
      good + std::string(kBody),
      std::string(kBody) + good,
      event("{"),
      event("m4rker"),
      event("{}", ""),
      event("{}", "task-id='short' event-id='short' revision='-1' type='m4rker'"),
      event("<m4rker/>"),
      good + "<composing xmlns='http://jabber.org/protocol/chatstates'/>",
  };
  std::ptrdiff_t senders = 0;
  for (const std::string& children : bodies) {
    const std::string sender = "s" + std::to_string(++senders) + "@b/c";
    bench.say(message(sender, "", children));
  }
  for (const std::string_view type : {"chat", "groupchat", "headline", "other"}) {
    const std::string sender = "s" + std::to_string(++senders) + "@b/c";
    bench.say(message(sender, type, good + std::string(kBody)));
  }
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());  // not as a conversation either, which is refused
  EXPECT_EQ(lines_of(bench, kIgnored), senders);
  EXPECT_THAT(bench.log().text(), Not(HasSubstr("m4rker")));
}

TEST(XmppChecklist, C13_099_WhoSendsManyFillsNoLog) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const auto send = [&] {
    for (int i = 0; i < 50; ++i) {
      bench.say(message("a@b/r" + std::to_string(i), "", event(kRunning)));
    }
    bench.settle();
  };
  send();
  EXPECT_EQ(lines_of(bench, kIgnored), 1);
  clock.tick(std::chrono::seconds(10));
  send();
  EXPECT_EQ(lines_of(bench, kIgnored), 2);
  const std::string long_name(1'000, 'n');
  bench.say(message(long_name + "@b/c", "", event(kRunning)));
  bench.settle();
  EXPECT_EQ(lines_of(bench, kIgnored), 3);
  EXPECT_THAT(bench.log().text(), Not(HasSubstr(long_name)));
}

TEST(XmppChecklist, C13_100_AnEventOfAnotherNamespaceIsNoLifecycleMessage) {
  XmppBench bench;
  bench.take_all();
  const std::string foreign = "<event xmlns='http://jabber.org/protocol/pubsub#event'/>";
  bench.say(message("a@b/c", "", foreign));
  bench.say(message("a@b/c", "", "<x xmlns='urn:other'>" + event(kRunning) + "</x>"));
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());
  EXPECT_EQ(lines_of(bench, kIgnored), 0);
  // Beside what is known, that alone counts: a conversation, which is refused.
  bench.say(message("a@b/c", "chat", foreign + std::string(kBody)));
  const Reply refusal{bench.take([](const Emitted&) { return true; })};
  EXPECT_EQ(refusal.error(), "service-unavailable/cancel");
}

TEST(XmppChecklist, C13_015_ANewSecretIsShownToTheNextStream) {
  XmppBench bench;
  const std::string id = "3BF96D32";
  EXPECT_EQ(bench.handshake(), shown(id, kComponentSecret));
  bench.use_secret("rotated");
  bench.settle();
  bench.break_stream();
  bench.wait_for_stream(2);
  EXPECT_EQ(bench.handshake(), shown(id, "rotated"));
}

TEST(XmppChecklist, C13_122_AndC13_144_WhoeverSendsIsWhatTheServerSaysAndNothingElse) {
  XmppBench bench;
  const std::string mine = bench.invoke("never");
  const std::string state =
      "<task-state-request xmlns='urn:xmpp:agent-task:0' task-id='" + mine + "'/>";
  const std::string absent = bench.get(kOther, kDemo, state).masked();
  EXPECT_THAT(absent, HasSubstr("item-not-found"));
  // Addresses that look like the owner's, and claims of being the owner inside of the stanza.
  for (const std::string_view who :
       {"alice@example.test.elsewhere.test/desk", "alice@sub.example.test/desk",
        "alice%example.test@elsewhere.test/desk", "example.test/alice@example.test",
        "demo@agents.example.test", "agents.example.test"}) {
    EXPECT_EQ(bench.get(who, kDemo, state).masked(), absent) << who;
  }
  const std::string claims =
      "<task-state-request xmlns='urn:xmpp:agent-task:0' xmlns:o='urn:xmpp:forward:0' o:from='" +
      std::string(kCaller) + "' task-id='" + mine + "'/>";
  EXPECT_EQ(bench.get(kOther, kDemo, claims).masked(), absent);
  for (const std::string_view wrapper :
       {"<forwarded xmlns='urn:xmpp:forward:0'>", "<delegation xmlns='urn:xmpp:delegation:2'>",
        "<privilege xmlns='urn:xmpp:privilege:2'>"}) {
    const std::string name(wrapper.substr(1, wrapper.find(' ') - 1));
    const std::string inside = "<iq xmlns='jabber:client' type='get' id='i' from='" +
                               std::string(kCaller) + "' to='" + std::string(kDemo) + "'>" + state +
                               "</iq>";
    EXPECT_EQ(bench.set(kOther, kDemo, std::string(wrapper) + inside + "</" + name + ">").error(),
              "service-unavailable/cancel");
  }
  EXPECT_TRUE(bench.state(mine).ok());
}

}  // namespace
}  // namespace interline::testing
