// The checklist's numbers on what is in no stanza of ours. emitted_output.cpp asks it of every
// stanza of every test of this folder; here it is shown that it would find something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"
#include "bindings/xmpp/testing.hpp"
#include "emitted_output.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> faults(const std::string& xml) {
  return faults_of({xml, std::make_shared<const xmpp::Stanza>(xmpp::testing::read_stanza(xml))});
}
std::string event(std::string_view type, std::string_view body, std::string_view more = {},
                  std::string_view from = kDemo) {
  return "<message from='" + std::string(from) +
         "' to='a@b/c'><event xmlns='urn:xmpp:agent-task:0'"
         " task-id='task-of-nobody-0000000000' event-id='event-of-nobody-000000000' revision='1' "
         "type='" +
         std::string(type) + "'>" + std::string(body) + "</event>" + std::string(more) +
         "</message>";
}
constexpr std::string_view kRunning =
    R"({"state":"running","updatedAt":"2026-09-01T07:58:00.112Z"})";

TEST(XmppChecklist, C13_073_PayloadsWithoutTheirMediaTypeWouldBeFound) {
  const std::string good =
      "<task-result xmlns='urn:xmpp:agent-task:0' task-id='task-of-nobody-0000000000' "
      "state='completed' revision='4' media-type='application/json'>{}</task-result>";
  EXPECT_EQ(schema_faults({good}), "");
  std::string bad = good;
  bad.replace(bad.find(" media-type='application/json'"), 30, "");
  EXPECT_THAT(schema_faults({good, bad}), HasSubstr("media-type"));
}

TEST(XmppChecklist, C13_083_BodiesThatAreNoneWouldBeFound) {
  EXPECT_THAT(faults(event("status", kRunning)), IsEmpty());
  for (const std::string_view bad :
       {R"({"state":"running","updated-at":"2026-09-01T07:58:00.112Z"})", R"({"state":"running"})",
        "{}", "[]", "{"}) {
    EXPECT_THAT(faults(event("status", bad)), ElementsAre(StartsWith("no body of an event")))
        << bad;
  }
  EXPECT_THAT(faults(event("progress", R"({"percent":101})")), Not(IsEmpty()));
  for (const std::string_view bad : {"yesterday", "2026-09-01 07:58:00Z", "2026-09-01T07:58:00"}) {
    EXPECT_THAT(
        faults(event("status", R"({"state":"running","updatedAt":")" + std::string(bad) + "\"}")),
        ElementsAre(StartsWith("no time of XEP-0082")))
        << bad;
  }
}

TEST(XmppChecklist, C13_121_NoEventAsksThatItBeNotCopied) {
  EXPECT_THAT(faults(event("status", kRunning, "<no-copy xmlns='urn:xmpp:hints'/>")),
              ElementsAre(StartsWith("a wish for no copies")));
  XmppBench bench;
  const Emitted done = bench.event_of_type(bench.invoke("echo"), "completed");
  EXPECT_EQ(done.root().children().size(), 1U);  // the event, and no hint beside it
}

TEST(XmppChecklist, C13_144_AForeignSenderWouldBeFound) {
  for (const std::string_view from : {"demo@elsewhere.test", "agents.example.test.elsewhere.test",
                                      "demo@sub.agents.example.test", ""}) {
    EXPECT_THAT(faults(event("status", kRunning, "", from)),
                ElementsAre(StartsWith("a foreign sender")))
        << from;
  }
}

TEST(XmppChecklist, C13_149_TheSecretOfTheComponentIsInNoStanzaAndNoLine) {
  EXPECT_THAT(faults(event("status", kRunning, kComponentSecret)),
              ElementsAre(StartsWith("the component's secret")));
  XmppBench bench;
  bench.break_stream();
  bench.wait_for_stream(2);
  bench.settle();
  EXPECT_THAT(bench.log().text(), HasSubstr("connect"));
  EXPECT_THAT(bench.log().text(), Not(HasSubstr(kComponentSecret)));
  EXPECT_THAT(bench.handshake(), Not(HasSubstr(kComponentSecret)));
}

}  // namespace
}  // namespace interline::testing
