// The checklist's numbers on who may do what: what is pinned, what one decision covers, whose a
// task is, and all that gives no authority: ids, profiles, annotations, the locale.
#include <array>
#include <locale>
#include <set>

#include <unicode/locid.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/base64.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"
#include "bindings/xmpp/routes.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";
const std::string kDisco = "xmlns='http://jabber.org/protocol/disco#";

std::string info(std::string_view node = {}) {
  std::string xml = "<query " + kDisco + "info'";
  if (!node.empty()) xml.append(" node='").append(node).append("'");
  return xml.append("/>");
}
std::string items(std::string_view node = {}) {
  std::string xml = "<query " + kDisco + "items'";
  if (!node.empty()) xml.append(" node='").append(node).append("'");
  return xml.append("/>");
}
std::string manifest(std::string_view version) {
  return "<manifest-request " + kApi + " version='" + std::string(version) + "'/>";
}
std::string schema(const XmppBench&, const Digest& hash, std::string_view tool = "echo") {
  return "<schema-request " + kApi + " tool='" + std::string(tool) +
         "' version='1' direction='input'>" + hash_xml(hash) + "</schema-request>";
}
std::string with(std::string text, std::string_view part, std::string_view by) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part << " is not in " << text;
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

// --- pins ---------------------------------------------------------------------------------------

TEST(XmppChecklist, C13_128_EverythingStaysWithTheManifestThatWasPinned) {
  XmppBench bench;
  const Digest first = bench.demo_hash();
  const std::string task = bench.invoke("ask");
  const std::string request = string_member(bench.asked(task).payload().text(), "requestId");
  const std::string tools = bench.get(kCaller, kDemo, items("urn:xmpp:agent-tools:0#1")).masked();
  const std::string tool =
      bench.get(kCaller, kDemo, info("urn:xmpp:agent-tool:0#1#ZWNobw")).masked();
  const std::string input_schema = bench.get(kCaller, kDemo, schema(bench, first)).masked();
  const std::string whole = bench.get(kCaller, kDemo, manifest("1")).masked();
  const Reply before = bench.state(task);

  bench.add("demo", manifest_text("demo", "2"));  // which has no tool at all

  EXPECT_EQ(bench.get(kCaller, kDemo, items("urn:xmpp:agent-tools:0#1")).masked(), tools);
  EXPECT_EQ(bench.get(kCaller, kDemo, info("urn:xmpp:agent-tool:0#1#ZWNobw")).masked(), tool);
  EXPECT_EQ(bench.get(kCaller, kDemo, schema(bench, first)).masked(), input_schema);
  EXPECT_EQ(bench.get(kCaller, kDemo, manifest("1")).masked(), whole);
  EXPECT_EQ(bench.state(task).masked(), before.masked());
  // Its question is answered by its own schema, and its result told with its own version.
  EXPECT_EQ(bench.answer(task, request, before.value("revision"), "7").error(),
            "not-acceptable/modify");
  EXPECT_TRUE(bench.answer(task, request, before.value("revision"), R"("Ada")").ok());
  bench.event_of_type(task, "completed");
  EXPECT_EQ(bench.state(task).value("api-version"), "1");
  EXPECT_THAT(bench.state(task).bytes, HasSubstr(encode_base64(BytesView(first))));
  EXPECT_EQ(bench.result(task).value("state"), "completed");
}

TEST(XmppChecklist, C13_129_OneDecisionCoversAllThatIsToldOfAnEndpoint) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "1", "",
                                  R"([{"name":"echo","inputSchema":)"
                                  R"({"type":"object"}}])"));
  const std::array whos = {kCaller,   kOther, kViewer,  kRunner,
                           kOutsider, kAdmin, kPartner, kForeigner};
  int visible = 0;
  for (const std::string_view who : whos) {
    for (const std::string_view name : {"demo", "desk", "hidden"}) {
      const std::string jid = std::string(name) + "@agents.example.test";
      const auto view =
          bench.engine_bench().run(bench.engine().describe(kAlice, std::string(name), "1"));
      const Digest hash = view ? view->manifest->hash : sha256("any");
      const auto listed = [&](std::string_view payload, std::string_view type) {
        return bench.iq(type, who, kGateway, payload).bytes.find("'" + jid + "'") !=
               std::string::npos;
      };
      const std::set<bool> told = {
          listed(items(), "get"),
          listed("<query xmlns='jabber:iq:search'><nick>" + std::string(name) + "</nick></query>",
                 "set"),
          bench.get(who, jid, info()).ok(),
          bench.get(who, jid, items()).ok(),
          bench.get(who, jid, items("urn:xmpp:agent-tools:0#1")).ok(),
          bench.get(who, jid, info("urn:xmpp:agent-tool:0#1#ZWNobw")).ok(),
          bench.get(who, jid, manifest("1")).ok(),
          bench.get(who, jid, schema(bench, hash)).ok(),
          bench.get(who, jid, "<vCard xmlns='vcard-temp'/>").ok(),
      };
      EXPECT_EQ(told.size(), 1U) << who << " is told one thing of " << name << " and not another";
      visible += told.contains(true) ? 1 : 0;
    }
  }
  EXPECT_EQ(visible, 8);  // demo and desk to three, demo to the viewer and to the partner
}

TEST(XmppChecklist, C13_130_ArgumentsAreCheckedHereAgainstTheRegisteredSchema) {
  XmppBench bench;
  const Digest hash = bench.add(
      "demo", manifest_text("demo", "2", "",
                            R"([{"name":"echo","inputSchema":{"type":"object","required":["x"],)"
                            R"("properties":{"x":{"type":"integer"}}}}])"));
  const auto call = [&](std::string_view arguments) {
    std::string xml =
        with(bench.invoke_xml("echo", arguments), "api-version='1'", "api-version='2'");
    return bench.set(kCaller, kDemo, with(xml, hash_xml(bench.demo_hash()), hash_xml(hash)));
  };
  EXPECT_TRUE(call(R"({"x":1})").ok());
  for (const std::string_view bad : {"{}", R"({"x":1.5})", R"({"x":"1"})", "[]", "1"}) {
    EXPECT_EQ(call(bad).error(), "not-acceptable/modify") << bad;
  }
}

// --- whose a task is ----------------------------------------------------------------------------

TEST(XmppChecklist, C13_131_OnlyItsOwnWorkReportsAndSettles) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto [first, work_of_first] = bench.invoke_puppet();
  const auto [second, work_of_second] = bench.invoke_puppet();
  EXPECT_NE(work_of_first->job->input().handle, work_of_second->job->input().handle);
  EXPECT_THAT(work_of_first->job->input().handle, Not(HasSubstr(first)));
  work_of_first->job->complete(R"({"content":[]})");
  const Emitted end = bench.event_of_type(first, "completed");
  // A handle of what has settled moves nothing any more.
  work_of_first->job->progress({50.0, {}, {}});
  work_of_first->job->fail(tasks::Failure("late", "late", false));
  work_of_first->job->complete(R"({"content":[{"type":"text","text":"late"}]})");
  work_of_first->job->cancelled({});
  // Nor does a message that says it comes from the target.
  bench.say("<message from='" + std::string(kPuppet) + "' to='" + std::string(kPuppet) +
            "'><event xmlns='urn:xmpp:agent-task:0' task-id='" + second +
            "' event-id='event-of-nobody-000000000' revision='2' type='completed'>"
            R"({"result":{"content":[]}})"
            "</event></message>");
  work_of_second->job->fail(tasks::Failure("enough", "Enough.", false));
  bench.event_of_type(second, "failed");
  const auto ask = [&](const std::string& task) {
    return bench.get(kCaller, kPuppet,
                     "<task-result-request xmlns='urn:xmpp:agent-task:0' task-id='" + task + "'/>");
  };
  EXPECT_EQ(ask(first).text(), end.payload().text());
  EXPECT_EQ(ask(second).value("state"), "failed");
  for (const Emitted& each : bench.take_all()) {
    if (each.root().name() != "message") continue;
    const bool late = each.payload().attribute("task-id") == first &&
                      each.payload().attribute("type") != "status";
    EXPECT_FALSE(late) << each.bytes;
  }
}

TEST(XmppChecklist, C13_132_OnlyItsCallersOwnAddressesAnswerCancelAndRead) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  const std::string request = string_member(bench.asked(task).payload().text(), "requestId");
  const std::string revision = bench.state(task).value("revision");
  // Another address of the same account is another caller on this wire, and so is everybody else.
  for (const std::string_view who : {std::string_view("alice@partner.test/desk"), kAdmin, kOther,
                                     std::string_view("alice@elsewhere.test/desk")}) {
    EXPECT_EQ(bench.state(task, who).error(), "item-not-found/cancel") << who;
    EXPECT_EQ(bench.result(task, who).error(), "item-not-found/cancel") << who;
    EXPECT_EQ(bench.cancel(task, revision, {}, who).error(), "item-not-found/cancel") << who;
    EXPECT_EQ(bench.answer(task, request, revision, R"("Eve")", who).error(),
              "item-not-found/cancel")
        << who;
  }
  EXPECT_TRUE(bench.state(task, "alice@example.test/elsewhere").ok());
  EXPECT_TRUE(bench.answer(task, request, revision, R"("Ada")", "alice@example.test/phone").ok());
}

TEST(XmppChecklist, C13_133_APermissionNeedsAGrantAndAnApprovalNobodyCanVerify) {
  XmppBenchOptions options;
  policy::Grant grant;
  grant.principals = {"xmpp:bob@example.test"};
  grant.endpoints = {"demo"};
  grant.invoke = {"*"};
  grant.permissions = {"files"};
  options.policy.grants.push_back(grant);
  XmppBench bench(options);
  const Digest hash = bench.add(
      "demo", manifest_text("demo", "2", "",
                            R"([{"name":"echo","inputSchema":{"type":"object"},)"
                            R"("annotations":{"readOnlyHint":true},)"
                            R"("urn:xmpp:agent-api:0":{"requiredPermissions":["files"]}},)"
                            R"({"name":"wait","inputSchema":{"type":"object"},)"
                            R"("annotations":{"readOnlyHint":true,"destructiveHint":false},)"
                            R"("urn:xmpp:agent-api:0":{"approvalRequired":true}}])"));
  const auto call = [&](std::string_view tool, std::string_view who) {
    const std::string xml = with(bench.invoke_xml(tool), "api-version='1'", "api-version='2'");
    return bench.set(who, kDemo, with(xml, hash_xml(bench.demo_hash()), hash_xml(hash)));
  };
  EXPECT_EQ(call("echo", kCaller).error(), "item-not-found/cancel");
  EXPECT_TRUE(call("echo", kOther).ok());
  EXPECT_EQ(call("wait", kCaller).error(), "item-not-found/cancel");
  EXPECT_EQ(call("wait", kOther).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_146_IdsCannotBeGuessed) {
  XmppBench bench;
  constexpr std::size_t kTail = 21;  // of six bits each: 126 of the 128 that are random
  std::array<std::set<char>, kTail> seen;
  std::set<std::string> tails;
  for (int i = 0; i < 100; ++i) {
    const std::string task = bench.invoke("echo");
    const std::string event(bench.event_of_type(task, "completed").attribute("id"));
    for (const std::string& id : {task, event}) {
      ASSERT_GT(id.size(), kTail);
      const std::string tail = id.substr(id.size() - kTail - 1, kTail);
      EXPECT_TRUE(tails.insert(tail).second) << id;
      for (std::size_t at = 0; at < kTail; ++at) seen[at].insert(tail[at]);
    }
  }
  for (std::size_t at = 0; at < kTail; ++at) EXPECT_GT(seen[at].size(), 30U) << "position " << at;
}

// --- what gives no authority --------------------------------------------------------------------

TEST(XmppChecklist, C13_153_NobodyOutsideOfTheDomainIsSpokenFor) {
  XmppBench bench;
  bench.take_all();
  for (const std::string to : {"demo@elsewhere.test", "elsewhere.test", "sub.agents.example.test",
                               "demo@sub.agents.example.test", "alice@example.test"}) {
    const std::string addresses = "from='" + std::string(kCaller) + "' to='" + to + "'";
    bench.say("<iq type='get' id='g' " + addresses + "><ping xmlns='urn:xmpp:ping'/></iq>");
    bench.say("<message type='chat' " + addresses + "><body>Hello</body></message>");
    for (const std::string type : {"subscribe", "probe", "unsubscribe"}) {
      bench.say("<presence type='" + type + "' " + addresses + "/>");
    }
  }
  bench.settle();
  EXPECT_THAT(bench.take_all(), IsEmpty());
}

TEST(XmppChecklist, C13_158_TheRouteOfATaskIsShownToNobodyAndGoesWithItsTask) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  options.policy.operators = {"local:root"};
  XmppBench bench(options);
  const std::string task = bench.invoke("echo");
  bench.event_of_type(task, "completed");
  engine::RecordKey key;
  key.binding = xmpp::kBinding;
  key.kind = xmpp::kRouteKind;
  key.key = task;
  const auto route = [&] { return bench.engine_bench().run(bench.engine().record(key)).value(); };
  ASSERT_TRUE(route());
  EXPECT_EQ(route()->bytes, kCaller);  // the address alone
  const std::string_view again = "alice@example.test/phone";
  for (const Reply& told : {bench.state(task, again), bench.result(task, again)}) {
    EXPECT_THAT(told.bytes, Not(HasSubstr("/desk")));
  }
  clock.tick(std::chrono::hours(49));
  const auto trusted =
      bench.engine_bench().run(bench.engine().trust_clock(engine::Principal::of("local", "root")));
  ASSERT_TRUE(trusted);
  EXPECT_GT(bench.engine_bench().run(bench.engine().purge()).value(), 0U);
  EXPECT_EQ(bench.state(task).masked(), bench.state("task-of-nobody-0000000000").masked());
  EXPECT_EQ(bench.state(task).error(), "item-not-found/cancel");
  EXPECT_FALSE(route());
}

TEST(XmppChecklist, C13_159_AProfileAndAnItemGiveNoToolsAndNoRightToCall) {
  XmppBench bench;
  const std::string tools = R"([{"name":"t00l","description":"inn3r","inputSchema":)"
                            R"({"type":"object","properties":{"f1eld":{}}}}])";
  bench.add("demo",
            manifest_text("demo", "2", R"("title":"Demo","description":"For all.")", tools));
  const std::string_view pubsub =
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:vcard4'/></pubsub>";
  for (const std::string& told :
       {bench.get(kViewer, kDemo, "<vCard xmlns='vcard-temp'/>").bytes,
        bench.get(kViewer, kDemo, "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'/>").bytes,
        bench.get(kViewer, kDemo, pubsub).bytes, bench.get(kViewer, kGateway, items()).bytes,
        bench.set(kViewer, kGateway, "<query xmlns='jabber:iq:search'/>").bytes}) {
    EXPECT_THAT(told, HasSubstr("Demo"));
    for (const std::string_view inner : {"t00l", "inn3r", "f1eld"}) {
      EXPECT_THAT(told, Not(HasSubstr(inner)));
    }
  }
  EXPECT_EQ(bench.set(kViewer, kDemo, bench.invoke_xml("echo")).error(), "item-not-found/cancel");
}

// --- languages ----------------------------------------------------------------------------------

TEST(XmppChecklist, C13_141_SentencesOfOursSayTheirLanguage) {
  XmppBench bench;
  for (const Reply& refused :
       {bench.set(kCaller, kDemo, "<invoke xmlns='urn:xmpp:agent-task:0'/>"),
        bench.set(kCaller, kGateway,
                  "<deactivate " + kApi + " jid='demo@agents.example.test'/>")}) {
    EXPECT_THAT(refused.bytes, HasSubstr("<text "));
    EXPECT_THAT(refused.bytes, HasSubstr(" xml:lang='en'"));
  }
  const Reply form = bench.get(kCaller, kGateway, "<query xmlns='jabber:iq:search'/>");
  EXPECT_THAT(form.bytes,
              HasSubstr("<query xmlns='jabber:iq:search' xml:lang='en'><instructions>"));
}

/// Turkish, where the capital of i is another letter; numbers with commas, as in many places.
class InTurkey {
 public:
  InTurkey() : before_icu_(icu::Locale::getDefault()), before_(std::locale()) {
    UErrorCode status = U_ZERO_ERROR;
    icu::Locale::setDefault(icu::Locale("tr", "TR"), status);
    EXPECT_TRUE(U_SUCCESS(status));
    std::locale::global(std::locale(std::locale::classic(), new Commas));
  }
  ~InTurkey() {
    UErrorCode status = U_ZERO_ERROR;
    icu::Locale::setDefault(before_icu_, status);
    std::locale::global(before_);
  }
  InTurkey(const InTurkey&) = delete;
  InTurkey& operator=(const InTurkey&) = delete;

 private:
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  icu::Locale before_icu_;
  std::locale before_;
};

TEST(XmppChecklist, C13_142_TheLocaleOfTheMachineDecidesNothing) {
  const InTurkey here;
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "1", R"("title":"Istanbul INFO")"));
  // Addresses, authority.
  const std::string task = bench.invoke("sleep", R"({"milliseconds":1.5e3,"steps":1})");
  EXPECT_TRUE(bench.state(task, "ALICE@EXAMPLE.TEST/desk").ok());
  EXPECT_TRUE(bench.get("VIEWER@example.test/1", kDemo, manifest("1")).ok());
  EXPECT_EQ(bench.set("VIEWER@example.test/1", kDemo, bench.invoke_xml("echo")).error(),
            "item-not-found/cancel");
  // Words of a search.
  for (const std::string_view words : {"info", "INFO", "istanbul", "ISTANBUL", "Info"}) {
    EXPECT_THAT(
        bench
            .set(kCaller, kGateway,
                 "<query xmlns='jabber:iq:search'><nick>" + std::string(words) + "</nick></query>")
            .bytes,
        HasSubstr("'desk@agents.example.test'"))
        << words;
  }
  // Names, versions, hashes are what they are.
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("\u0130")).error(), "item-not-found/cancel");
  EXPECT_EQ(bench.set(kCaller, kDemo, with(bench.invoke_xml("echo"), "sha-256", "SHA-256")).error(),
            "conflict/cancel");
  // Numbers on the wire.
  EXPECT_THAT(bench.get(kCaller, kDemo, info()).bytes, HasSubstr("<value>86400</value>"));
  const Reply again =
      bench.set(kCaller, kDemo, bench.invoke_xml("echo", R"({"a":1234567.5,"b":0.5})"));
  EXPECT_THAT(bench.event_of_type(again.value("task-id"), "completed").payload().text(),
              HasSubstr(R"({"a":1234567.5,"b":0.5})"));
}

}  // namespace
}  // namespace interline::testing
