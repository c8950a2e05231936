// The checklist's numbers on the deployment's own rules: domains, streams, authority, rates.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"
#include "bindings/xmpp/connector.hpp"
#include "bindings/xmpp/own_domain.hpp"
#include "bindings/xmpp/reconnect.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";

TEST(XmppChecklist, C13_011_TheGatewayIsADomainAndEndpointsAreBareAddressesOfIt) {
  for (const std::string_view bad : {"gateway@agents.example.test", "agents.example.test/r", ""}) {
    EXPECT_FALSE(xmpp::OwnDomain::parse(bad)) << bad;
  }
  const auto domain = xmpp::OwnDomain::parse("Agents.Example.Test").value();
  EXPECT_EQ(domain.gateway().text(), "agents.example.test");
  EXPECT_EQ(domain.endpoint("desk").value().text(), "desk@agents.example.test");
  for (const std::string_view bad : {"", "Desk", "a@b", "a/b", "a b", "desk@elsewhere.test"}) {
    EXPECT_FALSE(domain.endpoint(bad)) << bad;
  }
}

TEST(XmppChecklist, C13_014_WithoutTlsOnlyToThisMachine) {
  xmpp::ConnectorConfig remote;
  remote.server = "192.0.2.7:5347";
  EXPECT_FALSE(xmpp::make_connector(remote));
  xmpp::ConnectorConfig local;
  local.server = "127.0.0.1:5347";
  EXPECT_TRUE(xmpp::make_connector(local));
}

TEST(XmppChecklist, C13_016_ConnectionsComeBackLaterAndLaterAndNotAllAtOnce) {
  std::uint32_t state = 1;
  xmpp::ReconnectDelay delay({}, [&state] {
    state = state * 1'664'525 + 1'013'904'223;
    return state / 4'294'967'296.0;
  });
  std::chrono::milliseconds ceiling{1'000};
  for (int i = 0; i < 1'000; ++i) {
    const auto next = delay.next(xmpp::Retry::ordinary);
    EXPECT_GE(next, ceiling / 2);
    EXPECT_LE(next, ceiling);
    ceiling = std::min(ceiling * 2, std::chrono::milliseconds(60'000));
  }
  delay.reset();
  EXPECT_LE(delay.next(xmpp::Retry::ordinary), std::chrono::milliseconds(1'000));
  EXPECT_GE(delay.next(xmpp::Retry::taken), std::chrono::seconds(5));
  EXPECT_GE(delay.next(xmpp::Retry::configuration), std::chrono::seconds(30));
}

TEST(XmppChecklist, C13_033_HintsGiveNoRights) {
  XmppBench bench;  // demo's echo says that it only reads
  EXPECT_EQ(bench.set(kViewer, kDemo, bench.invoke_xml("echo")).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_143_DestructiveToolsNeedAGrantThatNamesThem) {
  for (const bool explicit_only : {false, true}) {
    XmppBenchOptions options;
    options.policy.explicit_destructive = explicit_only;
    XmppBench bench(options);
    const Digest hash =
        bench.add("demo", manifest_text("demo", "2", "",
                                        R"([{"name":"echo","inputSchema":{"type":"object"},)"
                                        R"("annotations":{"destructiveHint":true}}])"));
    std::string xml = bench.invoke_xml("echo");
    xml.replace(xml.find("'1'"), 3, "'2'");
    const std::string old_hash = hash_xml(bench.demo_hash());
    xml.replace(xml.find(old_hash), old_hash.size(), hash_xml(hash));
    EXPECT_EQ(bench.set(kCaller, kDemo, xml).ok(), !explicit_only);
    // The partner's grant spells the tool's name.
    EXPECT_TRUE(bench.set(kPartner, kDemo, xml).ok());
  }
}

TEST(XmppChecklist, C13_147_RatesAreTheSendersAndTheSameForWhatIsNotThere) {
  ManualClock clock;  // no token comes back
  XmppBenchOptions options;
  options.clock = &clock;
  options.real_rates = true;
  XmppBench bench(options);
  const auto tries = [&](std::string_view who, std::string_view jid) {
    int answered = 0;
    const std::string xml = "<registration-status " + kApi + " jid='" + std::string(jid) + "'/>";
    while (bench.get(who, kGateway, xml).error() == "forbidden/auth") ++answered;
    EXPECT_EQ(bench.get(who, kGateway, xml).error(), "resource-constraint/wait");
    return answered;
  };
  const int one = tries(kCaller, kDemo);
  EXPECT_EQ(one, 20);
  EXPECT_EQ(tries(kOther, kHidden), one);
  EXPECT_EQ(tries(kViewer, kAbsent), one);
  // Other classes of operation have their own.
  EXPECT_TRUE(bench.get(kCaller, kGateway, "<ping xmlns='urn:xmpp:ping'/>").ok());
  clock.tick(std::chrono::seconds(1));
  EXPECT_EQ(tries(kCaller, kDemo), 2);
}

/// Requests that wait for a commit, each of its own sender's; then the commit comes.
struct Waiting {
  explicit Waiting(XmppBench& a_bench) : bench(a_bench), xml(a_bench.invoke_xml("echo")) {
    bench.engine_bench().store().hold([](const store::Work&) { return true; });
  }
  void send(std::string_view who, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) {
      all += "<iq type='set' id='copy-" + std::to_string(++sent) + "' from='" + std::string(who) +
             "' to='" + std::string(kDemo) + "'>" + xml + "</iq>";
    }
    bench.say(std::move(all));
  }
  /// So many were refused; nothing else has been answered, whoever asks is.
  void expect_refused(int times) {
    bench.settle();
    const std::vector<Emitted> all = bench.take_all();
    EXPECT_EQ(static_cast<int>(all.size()), times);
    for (const Emitted& each : all) EXPECT_EQ(Reply{each}.error(), "resource-constraint/wait");
    answered += times;
  }
  /// All others are accepted.
  void expect_the_others_accepted() {
    bench.engine_bench().store().let_go();
    for (; answered < sent; ++answered) {
      const Reply reply{bench.take(
          [](const Emitted& emitted) { return emitted.attribute("id").starts_with("copy-"); })};
      EXPECT_TRUE(reply.ok()) << reply.bytes;
    }
  }

  XmppBench& bench;
  const std::string xml;
  int sent = 0;
  int answered = 0;
};

TEST(XmppChecklist, C13_147_TheRequestsOfOneSenderDoNotFillTheGateway) {
  XmppBench bench;
  Waiting waiting(bench);
  waiting.send(kCaller, 512);
  waiting.expect_refused(0);
  waiting.send("alice@example.test/phone", 3);  // the same sender
  waiting.expect_refused(3);
  waiting.send(kOther, 2);
  waiting.expect_refused(0);
  waiting.expect_the_others_accepted();
  waiting.send(kCaller, 1);  // what has been answered does not count
  waiting.expect_the_others_accepted();
}

TEST(XmppChecklist, C13_147_TheGatewayHasSoManyRequestsInWork) {
  XmppBench bench;
  Waiting waiting(bench);
  for (int i = 0; i < 8; ++i) waiting.send("user" + std::to_string(i) + "@example.test/1", 511);
  waiting.send("user8@example.test/1", 7);  // 4,095 with the ping that asks whether they are there
  waiting.expect_refused(0);
  waiting.send("user8@example.test/1", 1);
  waiting.send("user9@example.test/1", 5);
  bench.turn();
  for (int i = 0; i < 5; ++i) {
    const Reply reply{bench.take([](const Emitted&) { return true; })};
    EXPECT_EQ(reply.error(), "resource-constraint/wait");
    ++waiting.answered;
  }
  waiting.expect_the_others_accepted();
}

TEST(XmppChecklist, C13_155_NamesGiveNoAuthority) {
  XmppBench bench;
  const std::string xml = "<deactivate " + kApi + " jid='demo@agents.example.test'/>";
  for (const std::string_view who :
       {"admin@elsewhere.test/1", "admin@sub.example.test/1", "demo@agents.example.test",
        "agents.example.test", "example.test", "root@partner.test/1"}) {
    EXPECT_EQ(bench.set(who, kGateway, xml).error(), "forbidden/auth") << who;
    EXPECT_FALSE(bench.set(who, kDemo, bench.invoke_xml("never")).ok()) << who;
  }
}

TEST(XmppChecklist, C13_156_OtherDomainsAreReachedByGrantsThatSpellThem) {
  XmppBenchOptions options;
  options.policy.grants.clear();
  for (const std::string pattern : {"*", "xmpp:*", "xmpp:*@*"}) {
    policy::Grant grant;
    grant.principals = {pattern};
    grant.endpoints = {"*"};
    grant.invoke = {"*"};
    grant.visible = true;
    options.policy.grants.push_back(grant);
  }
  XmppBench bench(options);
  EXPECT_TRUE(bench.set(kOutsider, kDemo, bench.invoke_xml("echo")).ok());
  EXPECT_EQ(bench.set(kForeigner, kDemo, bench.invoke_xml("echo")).error(),
            "item-not-found/cancel");
  EXPECT_EQ(bench.get(kForeigner, kDemo, "<manifest-request " + kApi + "/>").error(),
            "item-not-found/cancel");
  EXPECT_EQ(
      bench.get(kForeigner, kGateway, "<query xmlns='http://jabber.org/protocol/disco#info'/>")
          .error(),
      "service-unavailable/cancel");
}

}  // namespace
}  // namespace interline::testing
