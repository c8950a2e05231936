// The checklist's numbers on what is advertised: each feature is kept, in its whole course.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "bench.hpp"
#include "disco_queries.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;

TEST(XmppChecklist, C13_018_ProfilesThatAreOffAreNotAdvertisedAndNotServed) {
  XmppBenchOptions options;
  options.binding.admin = false;
  options.binding.self_registration = false;
  options.binding.search = false;
  options.binding.vcards = false;
  XmppBench bench(options);
  EXPECT_THAT(features(bench.get(kAdmin, kGateway, info())),
              ElementsAre(kDi, kDt, kRsm, "urn:xmpp:agent-directory:0",
                          "urn:xmpp:hash-function-text-names:sha-256", "urn:xmpp:hashes:2",
                          "urn:xmpp:ping"));
  EXPECT_THAT(features(bench.get(kCaller, kDemo, info())), Not(::testing::Contains("vcard-temp")));
  for (const std::string_view payload :
       {"<query xmlns='jabber:iq:search'/>", "<register xmlns='urn:xmpp:agent-api:0'/>",
        "<activate xmlns='urn:xmpp:agent-api:0'/>", "<vCard xmlns='vcard-temp'/>"}) {
    EXPECT_EQ(bench.set(kAdmin, kGateway, payload).error(), "service-unavailable/cancel");
    EXPECT_EQ(bench.set(kAdmin, kDemo, payload).error(), "service-unavailable/cancel");
  }
}

/// What a feature promises, done to the end.
struct Promise {
  std::string_view feature;
  std::function<bool(XmppBench&)> kept;
};

std::function<bool(XmppBench&)> answered(std::string_view to, std::string payload) {
  return [to, payload = std::move(payload)](XmppBench& bench) {
    return bench.get(kAdmin, to, payload).ok();
  };
}

bool events_have(XmppBench& bench, std::string_view tool, std::string_view arguments,
                 std::string_view type) {
  const std::string task = bench.invoke(tool, arguments);
  return !bench.event_of_type(task, type).bytes.empty();
}
bool can_be_cancelled(XmppBench& bench, std::string_view tool) {
  const std::string task = bench.invoke(tool);
  const Emitted first = bench.event(task, 1);
  Reply taken = bench.cancel(task, "1");
  while (taken.error() == "conflict/cancel") {  // the next event came in between
    taken = bench.cancel(task, bench.state(task).value("revision"));
  }
  return taken.ok() && !bench.event_of_type(task, "cancelled").bytes.empty();
}
bool can_be_answered(XmppBench& bench) {
  const std::string task = bench.invoke("ask", R"({"schema":{"type":"string"}})");
  const Emitted asked = bench.asked(task);
  return bench
             .answer(task, string_member(asked.payload().text(), "requestId"),
                     *asked.payload().attribute("revision"), R"("x")")
             .ok() &&
         !bench.event_of_type(task, "completed").bytes.empty();
}

bool self_registers(XmppBench& bench) {
  return bench
      .set(kCaller, kGateway,
           "<register xmlns='urn:xmpp:agent-api:0'><manifest media-type='application/json'>"
           R"({"manifestSpecVersion":"0","agent":{"jid":"alice@example.test","name":"a",)"
           R"("version":"1"},"tools":[]})"
           "</manifest></register>")
      .ok();
}

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";
const std::string kStatus = "<registration-status " + kApi + " jid='demo@agents.example.test'/>";
const std::string kSearch = "<query xmlns='jabber:iq:search'/>";
constexpr std::string_view kPing = "<ping xmlns='urn:xmpp:ping'/>";

const Promise kOfTheGateway[] = {
    {kDi, answered(kGateway, info())},
    {kDt, answered(kGateway, items())},
    {kRsm,
     [](XmppBench& bench) {
       return page(bench.get(kAdmin, kGateway, items("", "<max>0</max>"))) == "count=1 ";
     }},
    {"jabber:iq:search", answered(kGateway, kSearch)},
    {"jabber:x:data",
     [](XmppBench& bench) {
       return bench.get(kAdmin, kGateway, kSearch)
           .payload()
           .child("jabber:x:data", "x")
           .has_value();
     }},
    {"urn:xmpp:agent-api:0#admin", answered(kGateway, kStatus)},
    {"urn:xmpp:agent-api:0#self-register", self_registers},
    {"urn:xmpp:agent-directory:0", answered(kGateway, info("urn:xmpp:agent-directory:0"))},
    {"urn:xmpp:hashes:2",
     [](XmppBench& bench) {
       return bench.get(kAdmin, kGateway, kStatus).bytes.find(hash_xml(bench.demo_hash())) !=
              std::string::npos;
     }},
    {"urn:xmpp:hash-function-text-names:sha-256",
     [](XmppBench& bench) {
       return bench.get(kAdmin, kGateway, kStatus).bytes.find("algo='sha-256'") !=
              std::string::npos;
     }},
    {"urn:xmpp:ping", answered(kGateway, std::string(kPing))},
};

std::string schema_request(XmppBench& bench, std::string_view algorithm = "sha-256") {
  return "<schema-request " + kApi + " tool='echo' version='1' direction='input'>" +
         hash_xml(bench.demo_hash(), algorithm) + "</schema-request>";
}

const Promise kOfAnEndpoint[] = {
    {kDi, answered(kDemo, info())},
    {kDt, answered(kDemo, items())},
    {kRsm,
     [](XmppBench& bench) {
       return all(bench.get(kAdmin, kDemo, items("urn:xmpp:agent-tools:0#1", "<max>1</max>")),
                  "item", "jid")
                  .size() == 1;
     }},
    {"urn:xmpp:agent-endpoint:0",
     [](XmppBench& bench) {
       const Strings all = fields(bench.get(kAdmin, kDemo, info()));
       return all.front() == "FORM_TYPE=urn:xmpp:agent-endpoint-info:0";
     }},
    {"urn:xmpp:agent-api:0#manifest",
     answered(kDemo, "<manifest-request " + kApi + " version='1'/>")},
    {"urn:xmpp:agent-api:0#schema",
     [](XmppBench& bench) { return bench.get(kAdmin, kDemo, schema_request(bench)).ok(); }},
    {"urn:xmpp:agent-task:0",
     [](XmppBench& bench) { return events_have(bench, "echo", "{}", "completed"); }},
    {"urn:xmpp:agent-task:0#progress",
     [](XmppBench& bench) {
       return events_have(bench, "sleep", R"({"milliseconds":400,"steps":2})", "progress");
     }},
    {"urn:xmpp:agent-task:0#cancel",
     [](XmppBench& bench) { return can_be_cancelled(bench, "never"); }},
    {"urn:xmpp:agent-task:0#input", can_be_answered},
    {"urn:xmpp:ping", answered(kDemo, std::string(kPing))},
    {"urn:xmpp:hashes:2",
     [](XmppBench& bench) {
       return bench.get(kAdmin, kDemo, schema_request(bench, "md5")).error() == "conflict/cancel";
     }},
    {"urn:xmpp:hash-function-text-names:sha-256",
     [](XmppBench& bench) { return bench.get(kAdmin, kDemo, schema_request(bench)).ok(); }},
    {"vcard-temp", answered(kDemo, "<vCard xmlns='vcard-temp'/>")},
    {"urn:ietf:params:xml:ns:vcard-4.0",
     answered(kDemo, "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'/>")},
};

TEST(XmppChecklist, C13_018_EveryAdvertisedFeatureIsServed) {
  XmppBench bench;
  const auto expect_kept = [&](std::string_view to, std::span<const Promise> promises) {
    for (const std::string& feature : features(bench.get(kAdmin, to, info()))) {
      const auto promise = std::ranges::find(promises, feature, &Promise::feature);
      ASSERT_NE(promise, promises.end())
          << feature << " is advertised, and nothing shows that it works";
      EXPECT_TRUE(promise->kept(bench)) << to << " " << feature;
    }
  };
  expect_kept(kGateway, kOfTheGateway);
  expect_kept(kDemo, kOfAnEndpoint);
}

TEST(XmppChecklist, C13_018_EachToolDoesWhatItsNodeSaysAndNothingElse) {
  XmppBench bench;
  const std::map<std::string, std::string> arguments = {
      {"sleep", R"({"milliseconds":400,"steps":2})"}};
  const Strings names =
      all(bench.get(kCaller, kDemo, items("urn:xmpp:agent-tools:0#1")), "item", "node");
  ASSERT_EQ(names.size(), 7U);
  std::set<std::string> seen;
  for (const std::string& node : names) {
    const Reply told = bench.get(kCaller, kDemo, info(node));
    const Strings tool_fields = fields(told);
    const std::string tool = tool_fields.at(1).substr(std::string_view("name=").size());
    const Strings all_features = features(told);
    const auto has = [&](std::string_view feature) {
      return std::ranges::find(all_features, feature) != all_features.end();
    };
    EXPECT_TRUE(has(kDi) && has("urn:xmpp:agent-tool:0")) << tool;
    for (const std::string& feature : all_features) seen.insert(feature);
    const auto given = arguments.find(tool);
    if (has("urn:xmpp:agent-task:0#cancel")) {
      EXPECT_TRUE(can_be_cancelled(bench, tool == "sleep" ? "never" : tool)) << tool;
    } else {
      const std::string task = bench.invoke(tool);
      EXPECT_EQ(bench.cancel(task, "0").error(), "service-unavailable/cancel") << tool;
    }
    if (tool == "sleep") {
      EXPECT_EQ(has("urn:xmpp:agent-task:0#progress"),
                events_have(bench, tool, given->second, "progress"));
    }
    EXPECT_EQ(has("urn:xmpp:agent-task:0#input"), tool == "ask") << tool;
  }
  EXPECT_EQ(seen.size(), 5U) << "not every feature of a tool was met";
  EXPECT_TRUE(can_be_answered(bench));
}

TEST(XmppChecklist, C13_056_AToolsDeclarationDoesNotOverrideItsEndpoint) {
  constexpr std::string_view kFeatures[] = {"urn:xmpp:agent-task:0#progress",
                                            "urn:xmpp:agent-task:0#cancel",
                                            "urn:xmpp:agent-task:0#input"};
  // The puppet's tool declares all three; its runtime can what the bits say.
  for (unsigned bits = 0; bits < 8; ++bits) {
    XmppBenchOptions options;
    options.puppet = true;
    const bool progress = (bits & 1U) != 0;
    const bool cancel = (bits & 2U) != 0;
    const bool input = (bits & 4U) != 0;
    options.puppet_features = {progress, cancel, input, false};
    XmppBench bench(options);
    const Strings offered =
        features(bench.get(kCaller, kPuppet, info("urn:xmpp:agent-tool:0#1#ZG8")));
    const Strings of_endpoint = features(bench.get(kCaller, kPuppet, info()));
    for (unsigned i = 0; i < 3; ++i) {
      const bool can = (bits >> i & 1U) != 0;
      EXPECT_EQ(std::ranges::count(offered, kFeatures[i]), can ? 1 : 0) << bits << kFeatures[i];
      EXPECT_EQ(std::ranges::count(of_endpoint, kFeatures[i]), can ? 1 : 0) << bits;
    }
    // It is not only said: what the endpoint cannot is not taken from its runtime either.
    const auto [task, work] = bench.invoke_puppet();
    bench.event(task, 1);
    work->job->progress({50, {}, {}});
    if (!input) {
      work->ask({asks("q")});
      work->refused();
    }
    const auto cancelled = [&, id = task] {
      const std::string to(kPuppet);
      return bench.set(
          kCaller, to,
          "<cancel xmlns='urn:xmpp:agent-task:0' task-id='" + id + "' expected-revision='999'/>");
    };
    EXPECT_EQ(cancelled().error(), cancel ? "conflict/cancel" : "service-unavailable/cancel");
    work->job->complete(R"({"content":[]})");
    const Emitted end = bench.event_of_type(task, "completed");
    EXPECT_EQ(*end.payload().attribute("revision"), progress ? "3" : "2");
  }
  // Without a runtime nothing can be done at all.
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "2", "",
                                  R"([{"name":"a","inputSchema":{"type":"object"},)"
                                  R"("urn:xmpp:agent-api:0":{"supportsProgress":true,)"
                                  R"("supportsCancellation":true,"supportsInput":true}}])"));
  const Reply reply =
      bench.get(kCaller, "desk@agents.example.test", info("urn:xmpp:agent-tool:0#2#YQ"));
  EXPECT_THAT(features(reply), ElementsAre(kDi, "urn:xmpp:agent-tool:0"));
}

}  // namespace
}  // namespace interline::testing
