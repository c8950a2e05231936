// The checklist's numbers on invocation and events.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/base64.hpp"
#include "base/id.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

/// The text with one part of it replaced; the part must be there.
std::string with(std::string text, std::string_view part, std::string_view by) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part << " is not in " << text;
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

TEST(XmppChecklist, C13_085_AnInvocationIsAcceptedAndItsEventsFollow) {
  XmppBench bench;
  const Reply accepted = bench.set(
      kCaller, kDemo, bench.invoke_xml("echo", R"({"b":1,"a":"<&>"})", "request-of-mine-00000001"));
  EXPECT_EQ(accepted.value("request-id"), "request-of-mine-00000001");
  EXPECT_EQ(accepted.value("revision"), "0");
  EXPECT_THAT(accepted.value("created"), MatchesRegex("....-..-..T..:..:..Z"));
  EXPECT_THAT(accepted.value("retain-until"), MatchesRegex("....-..-..T..:..:..Z"));
  const std::string task = accepted.value("task-id");
  const Emitted done = bench.event_of_type(task, "completed");
  EXPECT_EQ(done.attribute("to"), kCaller);
  EXPECT_EQ(done.attribute("from"), kDemo);
  EXPECT_EQ(done.attribute("type"), "normal");
  EXPECT_THAT(done.payload().text(), HasSubstr(R"("structuredContent":{"a":"<&>","b":1})"));
  EXPECT_EQ(bench.result(task).payload().text(), done.payload().text());
}

TEST(XmppChecklist, C13_085_WhatIsRequiredIsRequired) {
  XmppBench bench;
  const std::string whole = bench.invoke_xml("echo");
  const std::string hash = hash_xml(bench.demo_hash());
  const std::string id =
      whole.substr(whole.find(" request-id"), whole.find(" tool") - whole.find(" request-id"));
  const std::pair<std::string, std::string> faults[] = {
      {id, ""},
      {" tool='echo'", ""},
      {" tool='echo'", " tool=''"},
      {" api-version='1'", ""},
      {" api-version='1'", " api-version='1 '"},
      {hash, ""},
      {hash, hash + hash},
      {"<manifest-hash>" + hash + "</manifest-hash>", ""},
      {"<arguments media-type='application/json'>{}</arguments>", ""},
      {" media-type='application/json'", ""},
      {"'application/json'", "'application/json; charset=utf-8'"},
      {"'application/json'", "'text/json'"},
      {"{}", ""},
      {"{}", "{"},
      {"{}", "{} {}"},
      {"{}", "{}<x/>"},
      {"</invoke>", "<deadline>tomorrow</deadline></invoke>"},
      {"</invoke>", "<more/></invoke>"},
      {"</invoke>", "<more xmlns='urn:other'/></invoke>"},
      {"</invoke>", "text</invoke>"},
      {" tool='echo'", " tool='echo' tenant='other'"},
      {id, " request-id='short'"},
      {id, " request-id='" + std::string(129, 'r') + "'"},
      {id, " request-id='a request-id with blanks'"},
      {"algo='sha-256'", ""},
      {"</hash>", "=</hash>"},
  };
  for (const auto& [part, by] : faults) {
    EXPECT_EQ(bench.set(kCaller, kDemo, with(whole, part, by)).error(), "bad-request/modify")
        << part << " -> " << by;
  }
  EXPECT_EQ(bench.get(kCaller, kDemo, whole).error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_005_TenantLikeAttributesAndMembersChangeNothing) {
  XmppBench bench;
  const std::string whole = bench.invoke_xml("echo", R"({"tenant":"other"})");
  const std::string foreign =
      with(whole, "<invoke ", "<invoke xmlns:t='urn:tenants' t:tenant='other' xml:lang='en' ");
  const Reply accepted = bench.set(kCaller, kDemo, foreign);
  ASSERT_TRUE(accepted.ok()) << accepted.bytes;
  EXPECT_EQ(bench.set(kCaller, kDemo, whole).value("task-id"), accepted.value("task-id"));
}

TEST(XmppChecklist, C13_084_TaskAndEventIdsHaveTheGrammarAndAreAllDifferent) {
  XmppBench bench;
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    const std::string task = bench.invoke("echo");
    const Emitted event = bench.event_of_type(task, "completed");
    for (const std::string& id : {task, std::string(*event.payload().attribute("event-id"))}) {
      EXPECT_TRUE(is_foreign_id(id)) << id;
      EXPECT_TRUE(seen.insert(id).second) << id;
    }
    EXPECT_EQ(event.attribute("id"), *event.payload().attribute("event-id"));
  }
}

TEST(XmppChecklist, C13_086_ATaskStaysWithTheManifestItWasAdmittedUnder) {
  XmppBench bench;
  const Digest first = bench.demo_hash();
  const std::string task = bench.invoke("never");
  bench.add("demo", manifest_text("demo", "2"));
  const Reply state = bench.state(task);
  EXPECT_EQ(state.value("api-version"), "1");
  EXPECT_THAT(state.bytes, HasSubstr(encode_base64(BytesView(first))));
  EXPECT_EQ(bench.get(kCaller, kDemo, "<manifest-request xmlns='urn:xmpp:agent-api:0'/>")
                .value("version"),
            "2");
  // The pinned version can still be read; a new call of it is a stale pin.
  EXPECT_TRUE(
      bench.get(kCaller, kDemo, "<manifest-request xmlns='urn:xmpp:agent-api:0' version='1'/>")
          .ok());
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("echo")).error(), "conflict/cancel");
}

TEST(XmppChecklist, C13_087_InvocationNeedsNoVisibility) {
  XmppBench bench;
  const Reply accepted = bench.set(kRunner, kDemo, bench.invoke_xml("echo"));
  ASSERT_TRUE(accepted.ok()) << accepted.bytes;
  EXPECT_TRUE(bench.state(accepted.value("task-id"), kRunner).ok());
  EXPECT_EQ(bench.get(kRunner, kDemo, "<manifest-request xmlns='urn:xmpp:agent-api:0'/>").error(),
            "item-not-found/cancel");
  EXPECT_TRUE(bench.get(kRunner, kDemo, "<ping xmlns='urn:xmpp:ping'/>").ok());
  EXPECT_EQ(bench.set(kViewer, kDemo, bench.invoke_xml("echo")).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_088_NothingIsRevealedBeforeAuthorisation) {
  XmppBench bench;
  const std::string good = bench.invoke_xml("echo");
  const std::string absent_tool = bench.invoke_xml("no-such-tool");
  const std::string wrong_hash =
      with(good, hash_xml(bench.demo_hash()), hash_xml(sha256("another")));
  const std::string bad_json = bench.invoke_xml("echo", R"({"a":)");
  const std::string past = bench.invoke_xml("echo", "{}", "", "2001-01-01T00:00:00Z");
  const std::string other_version = with(good, "api-version='1'", "api-version='9'");
  const std::string answer = bench.set(kViewer, kDemo, good).masked();
  EXPECT_THAT(answer, HasSubstr("item-not-found"));
  for (const std::string& xml : {good, absent_tool, wrong_hash, bad_json, past, other_version}) {
    for (const std::string_view who : {kViewer, kOutsider, kForeigner}) {
      EXPECT_EQ(bench.set(who, kDemo, xml).masked(), answer);
    }
    EXPECT_EQ(bench.set(kCaller, kHidden, xml).masked(), answer);
    EXPECT_EQ(bench.set(kCaller, kAbsent, xml).masked(), answer);
  }
  // A tool outside of the grant, one that is not there, a version that is not there.
  EXPECT_EQ(bench.set(kPartner, kDemo, bench.invoke_xml("never")).masked(), answer);
  EXPECT_EQ(bench.set(kCaller, kDemo, absent_tool).masked(), answer);
  EXPECT_EQ(bench.set(kCaller, kDemo, other_version).masked(), answer);
  // For those who may call, each fault has its own answer.
  EXPECT_EQ(bench.set(kCaller, kDemo, wrong_hash).error(), "conflict/cancel");
  EXPECT_EQ(bench.set(kCaller, kDemo, bad_json).error(), "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kDemo, past).error(), "not-acceptable/modify");
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("echo", R"({"a":1,"a":1})")).error(),
            "not-acceptable/modify");
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("sleep", R"({"steps":0})")).error(),
            "not-acceptable/modify");
  const std::string other_algorithm = with(good, "algo='sha-256'", "algo='sha3-256'");
  EXPECT_EQ(bench.set(kCaller, kDemo, other_algorithm).error(), "conflict/cancel");
}

TEST(XmppChecklist, C13_088_AFaultInTheFormIsTheSameForEverybody) {
  XmppBench bench;
  const std::string bad = with(bench.invoke_xml("echo"), " api-version='1'", "");
  const std::string answer = bench.set(kCaller, kDemo, bad).masked();
  EXPECT_EQ(bench.set(kForeigner, kDemo, bad).masked(), answer);
  EXPECT_EQ(bench.set(kCaller, kAbsent, bad).masked(), answer);
  EXPECT_EQ(bench.set(kCaller, kHidden, bad).masked(), answer);
}

TEST(XmppChecklist, C13_090_TheSameRequestIsOneTaskHoweverOftenItIsSent) {
  XmppBench bench;
  constexpr int kCopies = 300;
  const std::string xml = bench.invoke_xml("wait", R"({"milliseconds":1})");
  std::string all;
  for (int i = 0; i < kCopies; ++i) {
    all += "<iq type='set' id='copy-" + std::to_string(i) + "' from='" + std::string(kCaller) +
           "' to='" + std::string(kDemo) + "'>" + xml + "</iq>";
  }
  bench.say(std::move(all));
  std::set<std::string> answers;
  for (int i = 0; i < kCopies; ++i) {
    answers.insert(Reply{bench.take([](const Emitted& emitted) {
                     return emitted.attribute("id").starts_with("copy-");
                   })}.masked());
  }
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_THAT(*answers.begin(), HasSubstr("<accepted "));
}

TEST(XmppChecklist, C13_090_AnyDifferenceIsAConflictAndOtherSpellingsAreNone) {
  XmppBench bench;
  const std::string id = bench.fresh_id();
  const std::string xml =
      bench.invoke_xml("echo", R"({"a":1,"b":"x"})", id, "2199-01-01T00:00:00Z");
  const Reply first = bench.set(kCaller, kDemo, xml);
  ASSERT_TRUE(first.ok()) << first.bytes;
  const std::pair<std::string, std::string> same[] = {
      {R"({"a":1,"b":"x"})", R"( { "b" : "\u0078", "a" : 1.0 } )"},
      {"2199-01-01T00:00:00Z", "2199-01-01T01:00:00.000+01:00"},
      {"<arguments", "\n  <arguments"},
      {R"({"a":1,"b":"x"})", R"(<![CDATA[{"a":1,]]>"b":"&#x78;"})"},
  };
  for (const auto& [part, by] : same) {
    EXPECT_EQ(bench.set("alice@example.test/other", kDemo, with(xml, part, by)).masked(),
              first.masked())
        << by;
  }
  const std::pair<std::string, std::string> other[] = {
      {R"("a":1)", R"("a":2)"},
      {R"("x")", R"("X")"},
      {"tool='echo'", "tool='fail'"},
      {"api-version='1'", "api-version='2'"},
      {"2199-01-01T00:00:00Z", "2199-01-01T00:00:00.000000000000000001Z"},
      {"<deadline>2199-01-01T00:00:00Z</deadline>", ""},
      {hash_xml(bench.demo_hash()), hash_xml(sha256("another"))},
      {"algo='sha-256'", "algo='sha3-256'"},
  };
  for (const auto& [part, by] : other) {
    EXPECT_EQ(bench.set(kCaller, kDemo, with(xml, part, by)).error(), "conflict/cancel") << by;
  }
  // Nothing is told before authorisation: a tool that is not there is not found.
  EXPECT_EQ(bench.set(kCaller, kDemo, with(xml, "tool='echo'", "tool='absent'")).error(),
            "item-not-found/cancel");
  EXPECT_NE(bench.set(kOther, kDemo, xml).value("task-id"), first.value("task-id"));
}

TEST(XmppChecklist, C13_091_ARequestIsRememberedThroughItsWindowAndGrantsAreNotAskedAgain) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const std::string xml = bench.invoke_xml("echo");
  const Reply first = bench.set(kCaller, kDemo, xml);
  clock.tick(std::chrono::hours(23));
  EXPECT_EQ(bench.set(kCaller, kDemo, xml).masked(), first.masked());
  policy::Configuration nobody;
  nobody.local_domains = {"example.test"};
  bench.use_policy(nobody);
  EXPECT_EQ(bench.set(kCaller, kDemo, xml).masked(), first.masked());
  EXPECT_EQ(bench.set(kCaller, kDemo, with(xml, "{}", R"({"a":1})")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_092_AcceptedTasksAndTheirAnswersOutliveARestart) {
  XmppBench bench;
  const std::string xml = bench.invoke_xml("echo", R"({"kept":true})");
  const Reply first = bench.set(kCaller, kDemo, xml);
  const std::string task = first.value("task-id");
  bench.event_of_type(task, "completed");
  const std::string result = bench.result(task).masked();
  bench.restart();
  EXPECT_EQ(bench.set(kCaller, kDemo, xml).masked(), first.masked());
  EXPECT_EQ(bench.result(task).masked(), result);
}

TEST(XmppChecklist, C13_094_AndC13_160_RevisionsCountByOneWithOneEventEach) {
  XmppBench bench;
  const std::string task = bench.invoke("sleep", R"({"milliseconds":1200,"steps":4})");
  std::uint64_t revision = 0;
  std::set<std::string> ids;
  for (std::string type; type != "completed";) {
    const Emitted event = bench.take([&](const Emitted& emitted) {
      return emitted.root().name() == "message" && emitted.payload().attribute("task-id") == task;
    });
    type = *event.payload().attribute("type");
    EXPECT_EQ(*event.payload().attribute("revision"), std::to_string(++revision));
    EXPECT_TRUE(ids.insert(event.attribute("id")).second);
  }
  EXPECT_EQ(bench.state(task).value("revision"), std::to_string(revision));
}

/// What was sent is the entry that was committed: id, revision, type and the bytes of its body.
void expect_as_committed(XmppBench& bench, const std::string& task, const Emitted& event) {
  const std::string revision(*event.payload().attribute("revision"));
  for (const tasks::LogEntry& entry : bench.engine_bench().log(task)) {
    if (!entry.revision || std::to_string(*entry.revision) != revision) continue;
    EXPECT_EQ(event.attribute("id"), entry.event_id);
    EXPECT_EQ(*event.payload().attribute("event-id"), entry.event_id);
    EXPECT_EQ(*event.payload().attribute("type"), tasks::to_string(entry.type));
    EXPECT_EQ(event.payload().text(), entry.body);
    return;
  }
  ADD_FAILURE() << "revision " << revision << " was sent and is not there";
}

TEST(XmppChecklist, C13_097_WhatCouldNotBeSentIsSentOnTheNextStreamWithItsBytes) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  const Emitted asked = bench.asked(task);
  const std::string request = string_member(asked.payload().text(), "requestId");
  bench.let_in(false);
  bench.say("<iq type='set' id='last' from='" + std::string(kCaller) + "' to='" +
            std::string(kDemo) + "'><cancel xmlns='urn:xmpp:agent-task:0' task-id='" + task +
            "' expected-revision='" + std::string(*asked.payload().attribute("revision")) +
            "'/></iq>");
  bench.break_stream();
  bench.let_in(true);
  bench.wait_for_stream(2);
  const Emitted end = bench.event_of_type(task, "cancelled");
  EXPECT_EQ(end.payload().text(), bench.result(task).payload().text());
  expect_as_committed(bench, task, end);
}

TEST(XmppChecklist, C13_097_WhatWasBeingWrittenWhenTheStreamBrokeIsSentOnTheNext) {
  XmppBench bench;
  bench.stop_reading();
  const std::string large = R"({"a":")" + std::string(100'000, 'a') + R"("})";
  bench.say("<iq type='set' id='last' from='" + std::string(kCaller) + "' to='" +
            std::string(kDemo) + "'>" + bench.invoke_xml("echo", large) + "</iq>");
  const Reply accepted{
      bench.take([](const Emitted& emitted) { return emitted.attribute("id") == "last"; })};
  const std::string task = accepted.value("task-id");
  bench.engine_bench().until(task, tasks::State::completed);
  for (int i = 0; i < 10; ++i) bench.turn();  // its event waits for a server that does not read
  bench.break_stream();
  bench.wait_for_stream(2);
  const Emitted end = bench.event_of_type(task, "completed");
  EXPECT_EQ(end.attribute("to"), kCaller);
  EXPECT_EQ(end.payload().text(), bench.result(task).payload().text());
  expect_as_committed(bench, task, end);
}

TEST(XmppChecklist, C13_097_AfterARestartTheRouteIsKnown) {
  XmppBench bench;
  const std::string task = bench.invoke("never");
  bench.event_of_type(task, "status");
  bench.restart();  // what was at work fails, and its caller hears of it
  const Emitted end = bench.event_of_type(task, "failed");
  EXPECT_EQ(end.attribute("to"), kCaller);
  EXPECT_EQ(string_member(member(end.payload().text(), "error"), "code"), "unavailable");
  EXPECT_EQ(end.payload().text(), bench.result(task).payload().text());
  expect_as_committed(bench, task, end);
}

TEST(XmppChecklist, C13_101_AResultThatIsAnErrorIsACompletedTask) {
  XmppBench bench;
  const std::string task = bench.invoke("fail", R"({"isError":true})");
  const Emitted end = bench.event_of_type(task, "completed");
  EXPECT_EQ(member(member(end.payload().text(), "result"), "isError"), "true");
  EXPECT_EQ(bench.state(task).value("state"), "completed");
}

TEST(XmppChecklist, C13_126_AFailureHasACodeOfItsOwnAMessageAndASignToRetry) {
  XmppBench bench;
  const std::pair<std::string, std::string> codes[] = {
      {R"({})", "interline.runtime:builtin-failure"},
      {R"({"code":"com.example:quota","retryable":true})", "com.example:quota"},
      {R"({"code":"unavailable"})", "unavailable"},
      {R"({"code":"deadline-expired"})", "interline.runtime:deadline-expired"},
      {R"({"code":"not a code"})", "internal-error"},
      {R"({"code":"interline:max-duration"})", "internal-error"},
  };
  for (const auto& [arguments, code] : codes) {
    const std::string task = bench.invoke("fail", arguments);
    const Emitted end = bench.event_of_type(task, "failed");
    const std::string error = member(end.payload().text(), "error");
    EXPECT_EQ(string_member(error, "code"), code) << arguments;
    EXPECT_EQ(bench.result(task).value("state"), "failed");
  }
}

TEST(XmppChecklist, C13_134_AResultThatNoStanzaCarriesFailsItsTask) {
  XmppBenchOptions options;
  options.binding.stanza_out = 20'000;
  XmppBench bench(options);
  const auto echoed = [&](std::size_t bytes) {
    return bench.invoke("echo", R"({"a":")" + std::string(bytes, 'a') + R"("})");
  };
  const std::string small = echoed(4'000);
  EXPECT_EQ(bench.event_of_type(small, "completed").payload().attribute("task-id"), small);
  const std::string large = echoed(12'000);
  const Emitted end = bench.event_of_type(large, "failed");
  EXPECT_EQ(string_member(member(end.payload().text(), "error"), "code"),
            "interline:result-too-large");
  EXPECT_EQ(bench.result(large).value("state"), "failed");
}

TEST(XmppChecklist, C13_134_WhatTheOperatorLetsPassIsSent) {
  XmppBenchOptions options;
  options.binding.stanza_out = 1'000'000;
  XmppBench bench(options);
  const std::string task = bench.invoke("echo", R"({"a":")" + std::string(220'000, 'a') + R"("})");
  const Emitted end = bench.event_of_type(task, "completed");
  EXPECT_GT(end.bytes.size(), 400'000U);
  EXPECT_EQ(bench.result(task).text(), end.payload().text());
}

TEST(XmppChecklist, C13_074_WhatXmlCannotCarryIsEscapedInJson) {
  XmppBench bench;
  const std::string arguments =
      R"({"a":"\u0000\u0001\u001f\u007f\u0085\uffff\ufffe\ud83d\ude00 \" ' <>&"})";
  const std::string task = bench.invoke("echo", arguments);
  const Emitted end = bench.event_of_type(task, "completed");
  const std::string structured =
      member(member(end.payload().text(), "result"), "structuredContent");
  EXPECT_THAT(structured, HasSubstr(R"(\u0000\u0001\u001f)"));
  EXPECT_THAT(structured, HasSubstr(R"(\uffff\ufffe)"));
  EXPECT_THAT(structured, HasSubstr("\U0001F600"));
  EXPECT_THAT(end.bytes, Not(HasSubstr("\uFFFD")));
  EXPECT_EQ(bench.result(task).payload().text(), end.payload().text());
  const std::string failing = bench.invoke("fail", R"({"message":"odd \uffff \u0001 text"})");
  const Emitted failed = bench.event_of_type(failing, "failed");
  EXPECT_THAT(failed.payload().text(), HasSubstr(R"(odd \uffff \u0001 text)"));
  EXPECT_EQ(bench.result(failing).payload().text(), failed.payload().text());
}

TEST(XmppChecklist, C13_075_WhiteSpaceInStringsIsKept) {
  XmppBench bench;
  const std::string task = bench.invoke("echo", R"({"a":"  two\r\n\tlines  "})");
  const Emitted end = bench.event_of_type(task, "completed");
  EXPECT_THAT(end.payload().text(), HasSubstr(R"({"a":"  two\r\n\tlines  "})"));
}

TEST(XmppChecklist, C13_076_ArgumentsAreIJson) {
  XmppBench bench;
  for (const std::string_view bad :
       {R"({"a":1,"a":2})", R"({"a":1,"\u0061":2})", R"({"a":"\ud800"})", R"({"a":"\udc00\ud800"})",
        R"({"a":1e400})", R"({"a":-1e999})"}) {
    EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("echo", bad)).error(),
              "not-acceptable/modify")
        << bad;
  }
}

TEST(XmppChecklist, C13_077_AndC13_079_LimitsAreToldToThoseWhoMayCall) {
  XmppBench bench;
  const auto arguments = [](std::size_t bytes) {
    return R"({"a":")" + std::string(bytes - 8, 'x') + R"("})";
  };
  const std::string fits = bench.invoke_xml("fail", arguments(262'144));
  const std::string large = bench.invoke_xml("fail", arguments(262'145));
  const std::string huge = bench.invoke_xml("fail", arguments(600'000));
  EXPECT_EQ(bench.set(kCaller, kDemo, fits).error(), "not-acceptable/modify");  // by its schema
  EXPECT_EQ(bench.set(kCaller, kDemo, large).error(), "resource-constraint/wait");
  EXPECT_EQ(bench.set(kCaller, kDemo, huge).error(), "resource-constraint/wait");
  for (const std::string& xml : {fits, large, huge}) {
    EXPECT_EQ(bench.set(kViewer, kDemo, xml).error(), "item-not-found/cancel");
    EXPECT_EQ(bench.set(kCaller, kHidden, xml).error(), "item-not-found/cancel");
    EXPECT_EQ(bench.set(kCaller, kAbsent, xml).error(), "item-not-found/cancel");
  }
  const std::string deep = R"({"a":)" + std::string(63, '[') + std::string(63, ']') + "}";
  const std::string deeper = R"({"a":)" + std::string(64, '[') + std::string(64, ']') + "}";
  EXPECT_TRUE(bench.set(kCaller, kDemo, bench.invoke_xml("echo", deep)).ok());
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("echo", deeper)).error(),
            "resource-constraint/wait");
}

}  // namespace
}  // namespace interline::testing
