// The checklist's numbers on how much: pages, calls that wait, time, progress, rates, XML.
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";

/// The bodies of the task's progress events, once it has settled.
std::vector<std::string> progress_of(XmppBench& bench, const std::string& task) {
  bench.event_of_type(task, "completed");
  std::vector<std::string> bodies;
  for (const Emitted& each : bench.take_all()) {
    if (each.root().name() != "message" || each.payload().attribute("task-id") != task) continue;
    if (each.payload().attribute("type") == "progress") bodies.push_back(each.payload().text());
  }
  return bodies;
}

TEST(XmppChecklist, C13_096_APercentageIsFiniteAndFromNothingToAll) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto reported = [&](double percent, std::optional<std::string> message) {
    const auto [task, work] = bench.invoke_puppet();
    work->job->progress({percent, {}, std::move(message)});
    work->job->complete(R"({"content":[]})");
    return progress_of(bench, task);
  };
  EXPECT_THAT(reported(0, {}), ::testing::ElementsAre(R"({"percent":0})"));
  EXPECT_THAT(reported(100, {}), ::testing::ElementsAre(R"({"percent":100})"));
  for (const double wrong :
       {-0.001, 100.001, 1e300, std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(reported(wrong, {}), ::testing::IsEmpty()) << wrong;
    EXPECT_THAT(reported(wrong, "told"), ::testing::ElementsAre(R"({"message":"told"})")) << wrong;
  }
}

TEST(XmppChecklist, C13_147_ProgressIsPassedOnNowAndThen) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto [task, work] = bench.invoke_puppet();
  for (int i = 1; i <= 1'000; ++i) {
    work->job->progress({i / 10.0, {}, {}});
  }
  work->job->complete(R"({"content":[]})");
  const auto bodies = progress_of(bench, task);
  EXPECT_FALSE(bodies.empty());
  EXPECT_LT(bodies.size(), 500U);  // a tenth of a second apart, whatever the machine does meanwhile
}

TEST(XmppChecklist, C13_147_EachClassOfOperationHasItsRateWhateverItIsAskedOf) {
  ManualClock clock;  // no token comes back
  XmppBenchOptions options;
  options.clock = &clock;
  options.engine = [](engine::GatewayConfiguration& configuration) {
    for (policy::Rate& rate : configuration.rates.rates) rate = {1, 3};
  };
  options.real_rates = true;
  XmppBench bench(options);
  const auto fixed = [](std::string xml) {
    return [xml = std::move(xml)](XmppBench&) { return xml; };
  };
  const std::string disco = "<query xmlns='http://jabber.org/protocol/disco#";
  const std::string task = " xmlns='urn:xmpp:agent-task:0' task-id='task-of-nobody-0000000000'";
  struct Row {
    std::string_view type;
    std::string_view to;
    std::function<std::string(XmppBench&)> payload;
  };
  const Row rows[] = {
      {"set", kGateway, fixed("<register " + kApi + "/>")},
      {"set", kGateway, fixed("<activate " + kApi + "/>")},
      {"get", kGateway, fixed(disco + "items'/>")},
      {"set", kGateway, fixed("<query xmlns='jabber:iq:search'/>")},
      {"get", kGateway, fixed(disco + "info'/>")},
      {"get", kDemo, fixed(disco + "items' node='urn:xmpp:agent-tools:0#1'/>")},
      {"get", kDemo, fixed("<manifest-request " + kApi + "/>")},
      {"get", kDemo, fixed("<schema-request " + kApi + "/>")},
      {"get", kDemo, fixed("<vCard xmlns='vcard-temp'/>")},
      {"set", kDemo, [](XmppBench& made) { return made.invoke_xml("echo"); }},
      {"get", kDemo, fixed("<task-state-request" + task + "/>")},
      {"get", kDemo, fixed("<task-result-request" + task + "/>")},
      {"set", kDemo, fixed("<cancel" + task + " expected-revision='0'/>")},
      {"set", kDemo, fixed("<provide-input" + task + "/>")},
  };
  int senders = 0;
  for (const Row& row : rows) {
    std::vector<std::string_view> addressees = {row.to};
    if (row.to == kDemo) addressees.insert(addressees.end(), {kHidden, kAbsent});
    for (const std::string_view to : addressees) {
      const std::string who = "sender" + std::to_string(++senders) + "@example.test/1";
      for (int i = 0; i < 3; ++i) {
        EXPECT_NE(bench.iq(row.type, who, to, row.payload(bench)).error(),
                  "resource-constraint/wait")
            << row.payload(bench);
      }
      EXPECT_EQ(bench.iq(row.type, who, to, row.payload(bench)).error(), "resource-constraint/wait")
          << row.payload(bench);
      EXPECT_NE(bench.iq(row.type, kOther, to, "<unknown xmlns='urn:unknown'/>").error(),
                "resource-constraint/wait");
    }
  }
}

TEST(XmppChecklist, C13_134_APageIsAsLongAsTheGatewaySaysWhateverIsAskedFor) {
  XmppBenchOptions options;
  options.binding.page.usual = 2;
  options.binding.page.most = 3;
  XmppBench bench(options);
  for (const std::string name : {"a", "b", "c", "d"}) bench.add(name, manifest_text(name, "1"));
  const auto page = [&](std::string_view inside) {
    const Reply reply = bench.get(kCaller, kGateway,
                                  "<query xmlns='http://jabber.org/protocol/disco#items'>" +
                                      std::string(inside) + "</query>");
    int found = 0;
    for (const xmpp::Element child : reply.payload().children()) {
      found += child.name() == "item" ? 1 : 0;
    }
    return found;
  };
  const auto most = [](std::string_view number) {
    return "<set xmlns='http://jabber.org/protocol/rsm'><max>" + std::string(number) +
           "</max></set>";
  };
  EXPECT_EQ(page(""), 3);  // who does not know of pages gets as much as there may be
  EXPECT_EQ(page("<set xmlns='http://jabber.org/protocol/rsm'/>"), 2);
  EXPECT_EQ(page(most("1")), 1);
  EXPECT_EQ(page(most("3")), 3);
  EXPECT_EQ(page(most("4")), 3);
  EXPECT_EQ(page(most("2147483647")), 3);
}

TEST(XmppChecklist, C13_134_SoManyCallsMayRunAndSoManyWait) {
  XmppBenchOptions options;
  options.lane = [](engine::LaneConfiguration& lane) {
    lane.concurrency = 1;
    lane.queue = 2;
  };
  XmppBench bench(options);
  for (int i = 0; i < 3; ++i) bench.invoke("never");
  EXPECT_EQ(bench.set(kCaller, kDemo, bench.invoke_xml("never")).error(),
            "resource-constraint/wait");
  // Which is told to those alone who may call.
  EXPECT_EQ(bench.set(kViewer, kDemo, bench.invoke_xml("never")).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_134_ATaskHasALongestLife) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  options.engine = [](engine::GatewayConfiguration& configuration) {
    configuration.max_duration = std::chrono::hours(1);
  };
  XmppBench bench(options);
  const std::string plain = bench.invoke("never");
  const Reply later =
      bench.set(kCaller, kDemo, bench.invoke_xml("never", "{}", "", "2026-01-01T09:00:00Z"));
  for (const std::string& task : {plain, later.value("task-id")}) {
    EXPECT_EQ(bench.state(task).value("deadline").substr(0, 19), "2026-01-01T01:00:00");
  }
  bench.event_of_type(plain, "status");
  clock.tick(std::chrono::hours(1));
  EXPECT_EQ(bench.cancel(plain, "1").error(), "conflict/cancel");
  const Emitted end = bench.event_of_type(plain, "failed");
  EXPECT_EQ(string_member(member(end.payload().text(), "error"), "code"), "interline:max-duration");
}

TEST(XmppChecklist, C13_134_ManifestsAndSchemasHaveALargestSizeToTheByte) {
  XmppBenchOptions options;
  const std::string_view schema = R"([{"name":"a","inputSchema":{"type":"object"}}])";
  const std::string text = manifest_text("desk", "1", "", schema);
  options.engine = [size = text.size()](engine::GatewayConfiguration& configuration) {
    // The builtin agent's manifest is larger: it is the configuration's, and made here.
    configuration.manifest.manifest_bytes = std::max<std::size_t>(size, 8'192);
    configuration.manifest.schema_bytes = 1'024;
  };
  XmppBench bench(options);
  const auto enrol = [&](const std::string& manifest) {
    return bench.set(kAdmin, kGateway,
                     "<register " + kApi + "><manifest media-type='application/json'>" +
                         escape_xml(manifest) + "</manifest></register>");
  };
  const auto padded = [&](std::size_t bytes) {
    std::string all = text;
    return all.insert(1, bytes - all.size(), ' ');
  };
  EXPECT_EQ(enrol(padded(8'193)).error(), "resource-constraint/wait");
  EXPECT_TRUE(enrol(padded(8'192)).ok());
  const auto with_schema = [&](std::size_t bytes) {
    const std::string_view empty = R"({"type":"object","title":""})";
    const std::string made =
        R"({"type":"object","title":")" + std::string(bytes - empty.size(), 't') + "\"}";
    return manifest_text("desk", "2", "", R"([{"name":"a","inputSchema":)" + made + "}]");
  };
  EXPECT_EQ(enrol(with_schema(1'025)).error(), "resource-constraint/wait");
  EXPECT_TRUE(enrol(with_schema(1'024)).ok());
}

TEST(XmppChecklist, C13_041_APatternHasABudget) {
  XmppBench bench;
  const Digest hash = bench.add(
      "demo", manifest_text("demo", "2", "",
                            R"([{"name":"echo","inputSchema":{"type":"object","properties":)"
                            R"({"a":{"type":"string","pattern":"^(a*)*\\1b$"}}}}])"));
  const auto call = [&](std::string_view text) {
    std::string xml = bench.invoke_xml("echo", R"({"a":")" + std::string(text) + R"("})");
    xml.replace(xml.find("api-version='1'"), 15, "api-version='2'");
    const std::string old_hash = hash_xml(bench.demo_hash());
    return bench.set(kCaller, kDemo,
                     xml.replace(xml.find(old_hash), old_hash.size(), hash_xml(hash)));
  };
  EXPECT_TRUE(call("aab").ok());
  EXPECT_EQ(call("aac").error(), "not-acceptable/modify");
  EXPECT_EQ(call(std::string(5'000, 'a')).error(), "resource-constraint/wait");
}

TEST(XmppChecklist, C13_145_HostileXmlCostsItsStreamAtMost) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  bench.asked(task);
  const std::string addresses = "from='a@b/c' to='" + std::string(kDemo) + "'";
  const std::string hostile[] = {
      "<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;'>]>",
      "<iq type='get' id='h' " + addresses + "><a>&lol;</a></iq>",
      "<iq type='get' id='h' " + addresses + "><!-- a comment --></iq>",
      "<?xml-stylesheet href='http://elsewhere.test/'?>",
      "<iq type='get' id='h' " + addresses + "><a></b></iq>",
      "<iq type='get' id='h' " + addresses + "><a>\x01</a></iq>",
      "<iq type='get' id='h' " + addresses + "><a>\xff\xfe</a></iq>",
      "<iq type='get' id='h' " + addresses + "><" + std::string(9 << 20, 'b') + "/></iq>",
      "text outside of any stanza",
  };
  std::size_t streams = 1;
  for (const std::string& xml : hostile) {
    bench.say(xml);
    bench.wait_for_stream(++streams);
    EXPECT_EQ(bench.state(task).value("state"), "input_required") << xml.substr(0, 80);
  }
  EXPECT_THAT(bench.log().text(), HasSubstr("restricted-xml"));
  EXPECT_THAT(bench.log().text(), HasSubstr("policy-violation"));
  // What is merely too deep or too wide costs nothing but its own answer.
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "<a>";
  for (int i = 0; i < 10'000; ++i) deep += "</a>";
  EXPECT_EQ(bench.get("a@b/c", kDemo, deep).error(), "bad-request/modify");
  std::string wide = "<a>";
  for (int i = 0; i < 20'000; ++i) wide += "<b/>";
  EXPECT_EQ(bench.get("a@b/c", kDemo, wide + "</a>").error(), "bad-request/modify");
  EXPECT_TRUE(bench.state(task).ok());
}

TEST(XmppChecklist, C13_145_ALongTagCostsItsStanzaAlone) {
  XmppBench bench;
  std::string apostrophes;  // as servers write what was one byte
  for (int i = 0; i < 80'000; ++i) apostrophes += "&apos;";
  std::string many;
  for (int i = 0; i < 1'200; ++i) many += " a" + std::to_string(i) + "=''";
  const std::string addresses = " from='a@b/c' to='" + std::string(kDemo) + "'";
  EXPECT_EQ(bench.get("a@b/c", kDemo, "<a b='" + apostrophes + "'/>").error(),
            "bad-request/modify");
  EXPECT_EQ(bench.get("a@b/c", kDemo, "<a" + many + "/>").error(), "bad-request/modify");
  // As Prosody writes attributes and elements whose namespace has a name of 10,000 bytes.
  const std::string ns(10'000, 'u');
  std::string repeated;
  for (int i = 0; i < 2'000; ++i) {
    const std::string prefix = "ns" + std::to_string(i);
    repeated.append(" xmlns:").append(prefix).append("='").append(ns).append("' ");
    repeated.append(prefix).append(":a=''");
  }
  EXPECT_EQ(bench.get("a@b/c", kDemo, "<a" + repeated + "/>").error(), "bad-request/modify");
  std::string children = "<a>";
  for (int i = 0; i < 2'000; ++i) children += "<b xmlns='" + ns + "'/>";
  EXPECT_EQ(bench.get("a@b/c", kDemo, children + "</a>").error(), "bad-request/modify");
  bench.say("<iq" + repeated + " type='get' id='far'" + addresses + "><a/></iq>");
  const Reply far{bench.take([](const Emitted& each) { return each.attribute("id") == "far"; })};
  EXPECT_EQ(far.error(), "bad-request/modify");
  bench.say("<iq type='get' id='h" + apostrophes + "'" + addresses + "><a/></iq>");
  const Reply long_id{bench.take([](const Emitted& each) { return each.root().name() == "iq"; })};
  EXPECT_EQ(long_id.error(), "bad-request/modify");
  bench.say("<message" + addresses + " a='" + apostrophes + "'><body>text</body></message>");
  bench.say("<presence type='subscribe'" + addresses + " a='" + apostrophes + "'/>");
  bench.say("<presence" + addresses + many + "/>");
  EXPECT_TRUE(
      bench.get(kCaller, kDemo, "<query xmlns='http://jabber.org/protocol/disco#info'/>").ok());
  EXPECT_THAT(bench.log().text(), ::testing::Not(HasSubstr("policy-violation")));
}

}  // namespace
}  // namespace interline::testing
