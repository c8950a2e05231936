// The checklist's numbers on finding: the gateway, its directory, endpoints and their tools.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "bench.hpp"
#include "disco_queries.hpp"

namespace interline::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(XmppChecklist, C13_021_TheGatewayHasItsIdentityAndTheFeaturesItImplements) {
  XmppBench bench;
  const Reply reply = bench.get(kOutsider, kGateway, info());
  ASSERT_TRUE(reply.ok()) << reply.bytes;
  EXPECT_THAT(reply.bytes, HasSubstr("<identity category='automation' type='agent-gateway' "
                                     "name='Example Agents'/>"));
  EXPECT_THAT(features(reply),
              ElementsAre(kDi, kDt, kRsm, "jabber:iq:search", "jabber:x:data",
                          "urn:xmpp:agent-api:0#admin", "urn:xmpp:agent-api:0#self-register",
                          "urn:xmpp:agent-directory:0", "urn:xmpp:hash-function-text-names:sha-256",
                          "urn:xmpp:hashes:2", "urn:xmpp:ping"));
  EXPECT_THAT(features(bench.get(kPartner, kGateway, info())),
              ElementsAre(kDi, kDt, kRsm, "jabber:iq:search", "jabber:x:data",
                          "urn:xmpp:agent-directory:0", "urn:xmpp:hash-function-text-names:sha-256",
                          "urn:xmpp:hashes:2", "urn:xmpp:ping"));
}

TEST(XmppChecklist, C13_022_AnItemHasABareJidAndANameAndNoNode) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "2", R"("title":"Help & Desk")"));
  const Reply reply = bench.get(kCaller, kGateway, items());
  EXPECT_EQ(reply.masked(),
            "<iq type='result'><query xmlns='" + kDt +
                "'><item jid='demo@agents.example.test' name='demo'/>"
                "<item jid='desk@agents.example.test' name='Help &amp; Desk'/></query></iq>");
}

TEST(XmppChecklist, C13_023_TheDirectoryNodeHasItsIdentityAndFeatures) {
  XmppBench bench;
  const Reply reply = bench.get(kCaller, kGateway, info("urn:xmpp:agent-directory:0"));
  EXPECT_EQ(reply.masked(), "<iq type='result'><query xmlns='" + kDi +
                                "' node='urn:xmpp:agent-directory:0'><identity "
                                "category='automation' type='agent-directory'/><feature var='" +
                                kDi + "'/><feature var='" + kDt + "'/><feature var='" + kRsm +
                                "'/></query></iq>");
  EXPECT_EQ(bench.get(kCaller, kGateway, info("other")).error(), "item-not-found/cancel");
  EXPECT_EQ(bench.get(kCaller, kGateway, items("other")).error(), "item-not-found/cancel");
  EXPECT_THAT(bench.get(kCaller, kGateway, "<query xmlns='" + kDi + "' node=''/>").bytes,
              HasSubstr("node=''"));
}

/// What XEP-0059 and the directory's order make of a request, from a plain list.
struct Model {
  Strings all;

  [[nodiscard]] std::size_t below(const std::string& id) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(all, id) - all.begin());
  }
  [[nodiscard]] std::pair<Strings, std::string> answer(std::size_t begin, std::size_t end) const {
    const Strings part(all.begin() + static_cast<std::ptrdiff_t>(begin),
                       all.begin() + static_cast<std::ptrdiff_t>(end));
    std::string set;
    if (!part.empty()) {
      set = "first=" + part.front() + "@" + std::to_string(begin) + " last=" + part.back() + " ";
    }
    return {part, set + "count=" + std::to_string(all.size()) + " "};
  }
};

TEST(XmppChecklist, C13_024_PagesAreInTheOrderOfAddressesForEveryFormOfRequest) {
  XmppBench bench;
  Model model;
  for (const std::string name : {"a", "a-b", "a.b", "a0", "ab", "b", "b2", "z"}) {
    bench.add(name, manifest_text(name, "1"));
    model.all.push_back(name + "@agents.example.test");
  }
  model.all.push_back("demo@agents.example.test");
  std::ranges::sort(model.all);
  const std::size_t n = model.all.size();
  const auto check = [&](const std::string& set, std::size_t begin, std::size_t end) {
    const Reply reply = bench.get(kCaller, kGateway, items("urn:xmpp:agent-directory:0", set));
    const auto [part, page_text] = model.answer(begin, end);
    EXPECT_EQ(all(reply, "item", "jid"), part) << set;
    EXPECT_EQ(page(reply), page_text) << set;
  };
  EXPECT_EQ(all(bench.get(kCaller, kGateway, items()), "item", "jid"), model.all);
  EXPECT_EQ(page(bench.get(kCaller, kGateway, items())), "none");
  for (std::size_t max = 0; max <= n + 1; ++max) {
    const std::string max_text = "<max>" + std::to_string(max) + "</max>";
    check(max_text, 0, std::min(max, n));
    check(max_text + "<before/>", n - std::min(max, n), n);
    check(max_text + "<after/>", 0, std::min(max, n));
    for (std::size_t i = 0; i <= n + 1; ++i) {
      const std::size_t from = std::min(i, n);
      check(max_text + "<index>" + std::to_string(i) + "</index>", from, std::min(from + max, n));
      if (i >= n) continue;
      check(max_text + "<after>" + model.all[i] + "</after>", i + 1, std::min(i + 1 + max, n));
      check(max_text + "<before>" + model.all[i] + "</before>", i - std::min(max, i), i);
    }
  }
}

TEST(XmppChecklist, C13_024_ARequestForAPageThatMakesNoSenseIsRefused) {
  XmppBench bench;
  for (const std::string set :
       {"<max>-1</max>", "<max>x</max>", "<max>2147483648</max>", "<max/>", "<index>+1</index>",
        "<max>1</max><max>1</max>", "<after>a@b</after><before/>", "<index>0</index><before/>",
        "<after/><after/>"}) {
    EXPECT_EQ(bench.get(kCaller, kGateway, items("", set)).error(), "bad-request/modify") << set;
    EXPECT_EQ(bench.get(kCaller, kDemo, items("urn:xmpp:agent-tools:0#1", set)).error(),
              "bad-request/modify")
        << set;
  }
  for (const std::string id : {"nowhere@agents.example.test", "hidden@agents.example.test", "x",
                               "demo@agents.example.test/r", "demo@elsewhere.test"}) {
    EXPECT_EQ(bench.get(kCaller, kGateway, items("", "<after>" + id + "</after>")).error(),
              "item-not-found/cancel")
        << id;
  }
}

TEST(XmppChecklist, C13_024_ARemovedEndpointKeepsItsPlaceInPaging) {
  XmppBench bench;
  bench.add("alpha", manifest_text("alpha", "1"));
  const std::string jid = "alpha@agents.example.test";
  ASSERT_TRUE(
      bench.set(kAdmin, kGateway, "<deactivate xmlns='urn:xmpp:agent-api:0' jid='" + jid + "'/>")
          .ok());
  const Reply reply = bench.get(kCaller, kGateway, items("", "<after>" + jid + "</after>"));
  EXPECT_THAT(all(reply, "item", "jid"), ElementsAre("demo@agents.example.test"));
  EXPECT_EQ(bench.get(kViewer, kGateway, items("", "<after>" + jid + "</after>")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_025_EachRequesterSeesItsOwnList) {
  XmppBench bench;
  bench.add("alpha", manifest_text("alpha", "1"));
  const auto list = [&](std::string_view who) {
    return all(bench.get(who, kGateway, items()), "item", "jid");
  };
  EXPECT_THAT(list(kCaller), ElementsAre("alpha@agents.example.test", kDemo));
  EXPECT_THAT(list(kViewer), ElementsAre(kDemo));
  EXPECT_THAT(list(kPartner), ElementsAre(kDemo));
  EXPECT_THAT(list(kRunner), IsEmpty());
  EXPECT_THAT(list(kOutsider), IsEmpty());
  EXPECT_THAT(list(kForeigner), IsEmpty());
  EXPECT_EQ(page(bench.get(kViewer, kGateway, items("", "<max>0</max>"))), "count=1 ");
}

TEST(XmppChecklist, C13_026_AnEndpointHasItsIdentityFeaturesAndForm) {
  XmppBench bench;
  const Digest hash = bench.add(
      "desk", manifest_text("desk", "2", R"("title":"Help Desk","description":"one\ntwo")"));
  EXPECT_EQ(
      bench.get(kCaller, "desk@agents.example.test", info()).masked(),
      "<iq type='result'><query xmlns='" + kDi +
          "'><identity category='automation' type='agent-endpoint' name='Help Desk'/>"
          "<feature var='" +
          kDi + "'/><feature var='" + kDt + "'/><feature var='" + kRsm +
          "'/><feature var='urn:ietf:params:xml:ns:vcard-4.0'/>"
          "<feature var='urn:xmpp:agent-api:0#manifest'/>"
          "<feature var='urn:xmpp:agent-api:0#schema'/><feature var='urn:xmpp:agent-endpoint:0'/>"
          "<feature var='urn:xmpp:hash-function-text-names:sha-256'/>"
          "<feature var='urn:xmpp:hashes:2'/><feature var='urn:xmpp:ping'/>"
          "<feature var='vcard-temp'/><x xmlns='jabber:x:data' type='result'>"
          "<field var='FORM_TYPE' type='hidden'><value>urn:xmpp:agent-endpoint-info:0</value>"
          "</field><field var='server_name'><value>desk</value></field>"
          "<field var='server_title'><value>Help Desk</value></field>"
          "<field var='description' type='text-multi'><value>one</value><value>two</value></field>"
          "<field var='version'><value>2</value></field>"
          "<field var='manifest_hash_algo'><value>sha-256</value></field>"
          "<field var='manifest_hash_value'><value>" +
          encode_base64(BytesView(hash)) +
          "</value></field><field var='cold_start_supported'><value>0</value></field>"
          "<field var='request_replay_seconds'><value>86400</value></field></x></query></iq>");
  EXPECT_THAT(
      features(bench.get(kCaller, kDemo, info())),
      ::testing::IsSupersetOf({"urn:xmpp:agent-task:0", "urn:xmpp:agent-task:0#progress",
                               "urn:xmpp:agent-task:0#cancel", "urn:xmpp:agent-task:0#input"}));
  EXPECT_EQ(bench.get(kCaller, kDemo, info("urn:xmpp:agent-endpoint:0")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_027_TheRequiredFieldsAreThereAndATitleFallsBackToTheName) {
  XmppBench bench;
  EXPECT_THAT(fields(bench.get(kCaller, kDemo, info())),
              ElementsAre("FORM_TYPE=urn:xmpp:agent-endpoint-info:0", "server_name=demo",
                          "server_title=demo", "version=1", "manifest_hash_algo=sha-256",
                          "manifest_hash_value=" + encode_base64(BytesView(bench.demo_hash())),
                          "cold_start_supported=1", "request_replay_seconds=86400"));
}

TEST(XmppChecklist, C13_028_ToolItemsHaveTheEndpointTheVersionAndAName) {
  XmppBench bench;
  const Reply reply = bench.get(kCaller, kDemo, items("urn:xmpp:agent-tools:0#1"));
  EXPECT_THAT(reply.bytes, HasSubstr("<item jid='demo@agents.example.test' name='Echo' node='" +
                                     kEchoNode + "'/>"));
  EXPECT_EQ(all(reply, "item", "jid").size(), 7U);
  EXPECT_EQ(bench.get(kCaller, kDemo, items()).masked(),
            "<iq type='result'><query xmlns='" + kDt +
                "'><item jid='demo@agents.example.test' node='urn:xmpp:agent-tools:0#1'/></query>"
                "</iq>");
  EXPECT_EQ(bench.get(kCaller, kDemo, items(kEchoNode)).masked(),
            "<iq type='result'><query xmlns='" + kDt + "' node='" + kEchoNode + "'/></iq>");
}

TEST(XmppChecklist, C13_029_ToolsAreOrderedByTheBytesOfTheirNamesAndPagedByTheirNodes) {
  XmppBench bench;
  // In base64url: "a" is YQ, "a0" YTA, "ab" YWI, "é" w6k, "z" eg: another order than the names'.
  bench.add("desk", manifest_text("desk", "2", "",
                                  R"([{"name":"z","inputSchema":{"type":"object"}},)"
                                  R"({"name":"a0","inputSchema":{"type":"object"}},)"
                                  R"({"name":"é","inputSchema":{"type":"object"}},)"
                                  R"({"name":"a","inputSchema":{"type":"object"}},)"
                                  R"({"name":"ab","inputSchema":{"type":"object"}}])"));
  const std::string to = "desk@agents.example.test";
  const std::string node = "urn:xmpp:agent-tools:0#2";
  const std::string tool = "urn:xmpp:agent-tool:0#2#";
  EXPECT_THAT(all(bench.get(kCaller, to, items(node)), "item", "name"),
              ElementsAre("a", "a0", "ab", "z", "é"));
  const Reply second =
      bench.get(kCaller, to, items(node, "<max>2</max><after>" + tool + "YTA</after>"));
  EXPECT_THAT(all(second, "item", "node"), ElementsAre(tool + "YWI", tool + "eg"));
  EXPECT_EQ(page(second), "first=" + tool + "YWI@2 last=" + tool + "eg count=5 ");
  EXPECT_THAT(all(bench.get(kCaller, to, items(node, "<max>1</max><before/>")), "item", "name"),
              ElementsAre("é"));
  EXPECT_EQ(bench.get(kCaller, to, items(node, "<after>" + tool + "eA</after>")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_030_TheCollectionHasItsIdentityAndFeatures) {
  XmppBench bench;
  EXPECT_EQ(bench.get(kCaller, kDemo, info("urn:xmpp:agent-tools:0#1")).masked(),
            "<iq type='result'><query xmlns='" + kDi +
                "' node='urn:xmpp:agent-tools:0#1'><identity category='automation' "
                "type='agent-tool-collection'/><feature var='" +
                kDi + "'/><feature var='" + kDt + "'/><feature var='" + kRsm + "'/></query></iq>");
  EXPECT_EQ(bench.get(kCaller, kDemo, info("urn:xmpp:agent-tools:0#2")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_031_AToolHasItsIdentityFeaturesAndForm) {
  XmppBench bench;
  const Reply reply = bench.get(kCaller, kDemo, info(kEchoNode));
  EXPECT_THAT(reply.bytes,
              HasSubstr("<identity category='automation' type='agent-tool' name='Echo'/>"));
  EXPECT_THAT(features(reply),
              ElementsAre(kDi, "urn:xmpp:agent-task:0#progress", "urn:xmpp:agent-tool:0"));
  EXPECT_THAT(
      fields(reply),
      ElementsAre(
          "FORM_TYPE=urn:xmpp:agent-tool-info:0", "name=echo", "title=Echo",
          "description=Returns its arguments.", "api_version=1", "input_schema_hash_algo=sha-256",
          "input_schema_hash_value=" + encode_base64(BytesView(sha256(R"({"type":"object"})"))),
          "read_only=1", "idempotent=1"));
}

TEST(XmppChecklist, C13_032_HashesOfSchemasComeInPairs) {
  XmppBench bench;
  bench.add("desk",
            manifest_text("desk", "2", "",
                          R"([{"name":"a","inputSchema":{"type":"object"},"outputSchema":{}}])"));
  const Strings with =
      fields(bench.get(kCaller, "desk@agents.example.test", info("urn:xmpp:agent-tool:0#2#YQ")));
  EXPECT_THAT(with, ::testing::IsSupersetOf(
                        {std::string("output_schema_hash_algo=sha-256"),
                         "output_schema_hash_value=" + encode_base64(BytesView(sha256("{}")))}));
  for (const std::string& field : fields(bench.get(kCaller, kDemo, info(kEchoNode)))) {
    EXPECT_FALSE(field.starts_with("output_schema")) << field;
  }
}

TEST(XmppChecklist, C13_034_HintsThatAToolDoesNotGiveAreNotMadeUp) {
  XmppBench bench;
  for (const std::string& field :
       fields(bench.get(kCaller, kDemo, info("urn:xmpp:agent-tool:0#1#ZmFpbA")))) {
    for (const std::string_view hint : {"read_only", "destructive", "idempotent", "open_world"}) {
      EXPECT_FALSE(field.starts_with(hint)) << field;
    }
  }
}

TEST(XmppChecklist, C13_006_AddressesAreComparedAsAddresses) {
  XmppBench bench;
  EXPECT_TRUE(bench.get(kCaller, "Demo@AGENTS.example.test.", info()).ok());
  EXPECT_TRUE(bench.get("ALICE@Example.Test/desk", kDemo, info()).ok());
  EXPECT_EQ(bench.get(kCaller, "demo@agents.example.test/r", info()).error(),
            "service-unavailable/cancel");
  const auto status = [&](std::string_view jid) {
    return bench.get(
        kAdmin, kGateway,
        "<registration-status xmlns='urn:xmpp:agent-api:0' jid='" + std::string(jid) + "'/>");
  };
  const Reply prepared = status("Demo@AGENTS.example.test");
  EXPECT_EQ(prepared.value("jid"), kDemo);
  // Not only letters of ASCII have several spellings (RFC 6122 appendix A: nodeprep).
  for (const std::string_view spelling :
       {"\uff24\uff25\uff2d\uff2f@agents.example.test", "de\u00admo@agents.example.test",
        "DEMO@agents.example.test."}) {
    EXPECT_EQ(status(spelling).value("jid"), kDemo) << spelling;
    EXPECT_TRUE(bench.get(kCaller, spelling, info()).ok()) << spelling;
  }
  const std::string task = bench.invoke("echo");
  EXPECT_TRUE(bench.state(task, "\uff21L\u0399CE@example.test/desk").error() ==
              "item-not-found/cancel");  // another letter that looks alike
  EXPECT_TRUE(bench.state(task, "\uff21lice@EXAMPLE.test/desk").ok());
  // Display strings and URIs are no addresses.
  EXPECT_EQ(status("xmpp:demo@agents.example.test").error(), "bad-request/modify");
  EXPECT_EQ(status("&quot;Demo&quot; &lt;demo@agents.example.test&gt;").error(),
            "bad-request/modify");
  EXPECT_EQ(status("demo@agents.example.test/r").error(), "bad-request/modify");
  EXPECT_EQ(status("agents.example.test").error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_007_VersionsAreComparedExactly) {
  XmppBench bench;
  const std::string longest(64, 'v');
  bench.add("desk", manifest_text("desk", longest));
  const auto manifest = [&](std::string_view version) {
    return bench.get(
        kCaller, "desk@agents.example.test",
        "<manifest-request xmlns='urn:xmpp:agent-api:0' version='" + std::string(version) + "'/>");
  };
  EXPECT_TRUE(manifest(longest).ok());
  EXPECT_EQ(manifest(std::string(64, 'V')).error(), "item-not-found/cancel");
  EXPECT_EQ(manifest(longest + "v").error(), "bad-request/modify");
  EXPECT_EQ(manifest("").error(), "bad-request/modify");
  EXPECT_EQ(manifest("1 0").error(), "bad-request/modify");
  EXPECT_EQ(bench.get(kCaller, kDemo, info("urn:xmpp:agent-tools:0#1 ")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_008_ToolNamesAreComparedByCodePoints) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "2", "",
                                  "[{\"name\":\"caf\u00e9\",\"inputSchema\":{\"type\":\"object\"}},"
                                  "{\"name\":\"cafe\u0301\",\"inputSchema\":{\"type\":\"object\"},"
                                  "\"title\":\"decomposed\"}]"));
  const std::string to = "desk@agents.example.test";
  const auto node = [](std::string_view tool) {
    return "urn:xmpp:agent-tool:0#2#" + encode_base64url(tool);
  };
  EXPECT_THAT(bench.get(kCaller, to, info(node("cafe\u0301"))).bytes, HasSubstr("decomposed"));
  EXPECT_THAT(bench.get(kCaller, to, info(node("caf\u00e9"))).bytes, Not(HasSubstr("decomposed")));
  EXPECT_EQ(bench.get(kCaller, to, info(node("Caf\u00e9"))).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_010_NodesThatNoEncoderWritesNameNothing) {
  XmppBench bench;
  for (const std::string_view rest :
       {"1", "1#", "1#ZWNobw==", "1#ZWNobx", "1#Z", "1#ZWNo+w", "1#_w", "1#AA", "1##ZWNobw",
        "1#ZWNobw#", "1# ZWNobw", "#ZWNobw", "2#ZWNobw", "1#ZWNobwA", "1#77-_", "1#77--"}) {
    const std::string node = "urn:xmpp:agent-tool:0#" + std::string(rest);
    EXPECT_EQ(bench.get(kCaller, kDemo, info(node)).error(), "item-not-found/cancel") << node;
    EXPECT_EQ(bench.get(kCaller, kDemo, items(node)).error(), "item-not-found/cancel") << node;
  }
  EXPECT_TRUE(bench.get(kCaller, kDemo, info(kEchoNode)).ok());
}

}  // namespace
}  // namespace interline::testing
