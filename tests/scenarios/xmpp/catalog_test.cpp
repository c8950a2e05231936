// The checklist's numbers on manifests, schemas, registration, provisioning.
#include <memory>
#include <poll.h>
#include <set>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "base/base64.hpp"
#include "base/manual_clock.hpp"
#include "bench.hpp"
#include "json/writer.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";
const std::string kDesk = "desk@agents.example.test";

std::string register_xml(std::string_view manifest) {
  return "<register " + kApi + "><manifest media-type='application/json'>" + escape_xml(manifest) +
         "</manifest></register>";
}
Reply enrol(XmppBench& bench, std::string_view manifest, std::string_view who = kAdmin) {
  return bench.set(who, kGateway, register_xml(manifest));
}
/// An administrative operation on one endpoint.
Reply administer(XmppBench& bench, std::string_view operation, std::string_view jid,
                 std::string_view version = {}, std::string_view inside = {},
                 std::string_view who = kAdmin) {
  std::string xml = "<" + std::string(operation) + " " + kApi + " jid='" + std::string(jid) + "'";
  if (!version.empty()) xml.append(" version='").append(version).append("'");
  xml.append(">").append(inside).append("</").append(operation).append(">");
  return bench.set(who, kGateway, xml);
}
Reply manifest(XmppBench& bench, std::string_view to, std::string_view version = {},
               std::string_view who = kCaller) {
  std::string xml = "<manifest-request " + kApi;
  if (!version.empty()) xml.append(" version='").append(version).append("'");
  return bench.get(who, to, xml + "/>");
}
std::string schema_xml(std::string_view tool, std::string_view direction, std::string_view hash,
                       std::string_view version = "2") {
  return "<schema-request " + kApi + " tool='" + std::string(tool) + "' version='" +
         std::string(version) + "' direction='" + std::string(direction) + "'>" +
         std::string(hash) + "</schema-request>";
}
std::string tool_list(std::string_view input_schema, std::string_view more = {}) {
  return R"([{"name":"a","inputSchema":)" + std::string(input_schema) + std::string(more) + "}]";
}

// --- manifests and schemas ----------------------------------------------------------------------

TEST(XmppChecklist, C13_035_ASchemaIsAskedForWhole) {
  XmppBench bench;
  const std::string hash = hash_xml(
      bench.add("desk", manifest_text("desk", "2", "", tool_list(R"({"type":"object"})"))));
  ASSERT_TRUE(bench.get(kCaller, kDesk, schema_xml("a", "input", hash)).ok());
  for (const std::string& xml :
       {schema_xml("a", "sideways", hash), schema_xml("", "input", hash),
        schema_xml("a", "input", ""), schema_xml("a", "input", hash + hash),
        schema_xml("a", "input", hash, ""),
        "<schema-request " + kApi + " version='2' direction='input'>" + hash + "</schema-request>",
        "<schema-request " + kApi + " tool='a' direction='input'>" + hash + "</schema-request>",
        "<schema-request " + kApi + " tool='a' version='2'>" + hash + "</schema-request>"}) {
    EXPECT_EQ(bench.get(kCaller, kDesk, xml).error(), "bad-request/modify") << xml;
  }
  EXPECT_EQ(bench.get(kCaller, kDesk, schema_xml("b", "input", hash)).error(),
            "item-not-found/cancel");
  EXPECT_EQ(bench.get(kCaller, kDesk, schema_xml("a", "output", hash)).error(),
            "item-not-found/cancel");
  EXPECT_EQ(bench.get(kCaller, kDesk, schema_xml("a", "input", hash, "3")).error(),
            "item-not-found/cancel");
}

TEST(XmppChecklist, C13_036_ASchemaIsTheBytesOfItsHash) {
  XmppBench bench;
  const std::string canonical = R"({"$defs":{"ü":{"enum":["<&>'",1]}},"type":"object"})";
  const Digest hash = bench.add(
      "desk", manifest_text(
                  "desk", "2", "",
                  tool_list(R"({ "type":"object", "$defs" : {"\u00fc":{"enum":["<&>'",1.0]}} })")));
  const Reply reply = bench.get(kCaller, kDesk, schema_xml("a", "input", hash_xml(hash)));
  EXPECT_EQ(reply.text("json"), canonical);
  EXPECT_THAT(reply.bytes, HasSubstr("<manifest-hash>" + hash_xml(hash) +
                                     "</manifest-hash>"
                                     "<schema-hash>" +
                                     hash_xml(sha256(canonical)) + "</schema-hash>"));
  EXPECT_EQ(reply.value("media-type"), "application/schema+json");
}

TEST(XmppChecklist, C13_037_AHashThatSelectsNothingIsAConflict) {
  XmppBench bench;
  const Digest first =
      bench.add("desk", manifest_text("desk", "1", "", tool_list(R"({"type":"object"})")));
  bench.add("desk", manifest_text("desk", "2", "", tool_list(R"({"type":"object"})")));
  for (const std::string& hash :
       {hash_xml(first), hash_xml(sha256("x")), hash_xml(first, "sha-512")}) {
    EXPECT_EQ(bench.get(kCaller, kDesk, schema_xml("a", "input", hash)).error(), "conflict/cancel");
  }
  EXPECT_TRUE(bench.get(kCaller, kDesk, schema_xml("a", "input", hash_xml(first), "1")).ok());
}

TEST(XmppChecklist, C13_038_To_C13_040_SchemasThatCannotBeHonouredAreRefused) {
  XmppBench bench;
  for (const std::string_view schema :
       {R"({"type":"array"})", R"({})", R"(true)", R"({"type":"object","properties":7})",
        R"({"type":"object","$ref":"https://example.test/schema"})",
        R"({"type":"object","$ref":"#/$defs/none"})",
        R"({"type":"object","$schema":"http://json-schema.org/draft-04/schema#"})",
        R"({"type":"object","$vocabulary":{"https://example.test/vocabulary":true}})",
        R"({"type":"object","pattern":"("})"}) {
    const Reply reply = enrol(bench, manifest_text("desk", "2", "", tool_list(schema)));
    EXPECT_EQ(reply.error(), "not-acceptable/modify") << schema << "\n" << reply.bytes;
  }
  EXPECT_TRUE(enrol(bench, manifest_text("desk", "2", "",
                                         tool_list(R"({"type":"object","$anchor":"top",)"
                                                   R"("properties":{"a":{"$ref":"#top"}}})")))
                  .ok());
}

// What a reference inside of the document means decides about arguments.
TEST(XmppChecklist, C13_039_ReferencesWithinTheDocumentAreFollowed) {
  XmppBench bench;
  const std::string_view schemas[] = {
      R"({"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}})",
      R"({"type":"object","properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}})",
      R"({"type":"object","properties":{"a":{"$dynamicRef":"#n"}},"$defs":{"x":{"$dynamicAnchor":"n","type":"integer"}}})",
  };
  int version = 2;
  for (const std::string_view schema : schemas) {
    const std::string name = std::to_string(version++);
    const std::string hash = hash_xml(bench.add(
        "demo", manifest_text("demo", name, "",
                              R"([{"name":"echo","inputSchema":)" + std::string(schema) + "}]")));
    const auto call = [&](std::string_view arguments) {
      std::string xml = bench.invoke_xml("echo", arguments);
      xml.replace(xml.find("api-version='1'"), 15, "api-version='" + name + "'");
      const std::string first = hash_xml(bench.demo_hash());
      xml.replace(xml.find(first), first.size(), hash);
      return bench.set(kCaller, kDemo, xml);
    };
    EXPECT_TRUE(call(R"({"a":1})").ok()) << schema;
    EXPECT_EQ(call(R"({"a":"1"})").error(), "not-acceptable/modify") << schema;
  }
}

TEST(XmppChecklist, C13_052_WhatAManifestNeeds) {
  XmppBench bench;
  const std::string whole = manifest_text("desk", "2");
  const std::pair<std::string, std::string> faults[] = {
      {R"("manifestSpecVersion":"0",)", ""},
      {R"("manifestSpecVersion":"0")", R"("manifestSpecVersion":"1")"},
      {R"("jid":"desk@agents.example.test",)", ""},
      {R"("name":"desk",)", ""},
      {R"(,"version":"2")", ""},
      {R"(,"tools":[])", ""},
      {R"("tools":[])", R"("tools":[],"more":1)"},
      {R"("version":"2")", R"("version":"2 3")"},
  };
  for (const auto& [part, by] : faults) {
    std::string text = whole;
    ASSERT_NE(text.find(part), std::string::npos) << part;
    text.replace(text.find(part), part.size(), by);
    EXPECT_EQ(enrol(bench, text).error(), "not-acceptable/modify") << text;
  }
  EXPECT_EQ(enrol(bench, "{").error(), "bad-request/modify");
  EXPECT_EQ(enrol(bench, "").error(), "bad-request/modify");
  EXPECT_EQ(enrol(bench, whole + "{}").error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_053_AndC13_078_NobodyVisitsTheAddressesInAManifest) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 4), 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string url = "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  auto bench_here = std::make_unique<XmppBench>();
  XmppBench& bench = *bench_here;
  bench.add("desk", manifest_text("desk", "2",
                                  R"("homepage":")" + url + R"(","avatarUrl":")" + url + "\""));
  bench.get(kCaller, kDesk, "<vCard xmlns='vcard-temp'/>");
  bench.get(kCaller, kDesk, "<query xmlns='http://jabber.org/protocol/disco#info'/>");
  for (const std::string_view keyword : {"$ref", "$dynamicRef"}) {
    const std::string elsewhere = R"({"type":"object","properties":{"a":{")" +
                                  std::string(keyword) + R"(":")" + url + "\"}}}";
    EXPECT_EQ(enrol(bench, manifest_text("desk", "3", "", tool_list(elsewhere))).error(),
              "not-acceptable/modify")
        << keyword;
  }
  const std::string dialect = R"({"type":"object","$schema":")" + url + "\"}";
  EXPECT_EQ(enrol(bench, manifest_text("desk", "3", "", tool_list(dialect))).error(),
            "not-acceptable/modify");
  // Calls of a tool whose schema would have to be fetched, and a search over what is registered.
  bench.set(kCaller, kGateway, "<query xmlns='jabber:iq:search'><nick>desk</nick></query>");
  // Once nothing of the gateway is left, whoever had come would be waiting; one who comes is seen.
  bench_here.reset();
  pollfd waiting{listener, POLLIN, 0};
  EXPECT_EQ(poll(&waiting, 1, 0), 0);
  const int visitor = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(connect(visitor, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(poll(&waiting, 1, -1), 1);
  close(visitor);
  close(listener);
}

TEST(XmppChecklist, C13_054_AddressesInAManifestAreHttps) {
  XmppBench bench;
  for (const std::string_view good :
       {"https://example.test", "https://example.test:8443/a?b#c", "https://[2001:db8::1]/"}) {
    EXPECT_TRUE(
        enrol(bench, manifest_text("desk", std::to_string(std::hash<std::string_view>()(good)),
                                   R"("homepage":")" + std::string(good) + "\""))
            .ok())
        << good;
  }
  for (const std::string_view bad :
       {"http://example.test", "HTTPS://example.test", "https:///path", "https://", "https://:443/",
        "https://me@example.test/", "//example.test", "example.test", "https://a b/", "",
        "https://example.test:99999/", "https://exa<mple.test/"}) {
    for (const std::string_view name : {"homepage", "avatarUrl"}) {
      const std::string text = "\"" + std::string(name) + R"(":")" + std::string(bad) + "\"";
      EXPECT_EQ(enrol(bench, manifest_text("desk", "2", text)).error(), "not-acceptable/modify")
          << text;
    }
  }
}

TEST(XmppChecklist, C13_055_ToolsHaveLegalAndUniqueNames) {
  XmppBench bench;
  const auto tools = [](std::string_view a, std::string_view b) {
    return "[{\"name\":\"" + std::string(a) + R"(","inputSchema":{"type":"object"}},{"name":")" +
           std::string(b) + R"(","inputSchema":{"type":"object"}}])";
  };
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", tools("a", "a"))).error(),
            "not-acceptable/modify");
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", tools("a", "\\u0061"))).error(),
            "not-acceptable/modify");
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", tools("a", ""))).error(),
            "not-acceptable/modify");
  for (const std::string_view illegal : {"\\u0000", "\\u0001", "\\ufffe", "\\uffff"}) {
    EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", tools("a", illegal))).error(),
              "not-acceptable/modify");
  }
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", R"([{"name":"a"}])")).error(),
            "not-acceptable/modify");
}

TEST(XmppChecklist, C13_008_AndC13_009_UnusualToolNamesAreToolsLikeAllOthers) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const std::string names[] = {"a tool, \u00fcber/\U0001F600",
                               std::string(5'000, 'n'),
                               "<&>\"'",
                               "caf\u00e9",
                               "cafe\u0301",
                               " ",
                               "#",
                               "1.0#Zg"};
  std::string tools;
  for (const std::string& name : names) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    writer.member("name", name);
    writer.name("inputSchema");
    writer.raw(R"({"type":"object"})");
    writer.end_object();
    tools += (tools.empty() ? "[" : ",") + text;
  }
  const std::string hash =
      hash_xml(bench.add("puppet", manifest_text("puppet", "2", "", tools + "]")));
  const std::string disco = "<query xmlns='http://jabber.org/protocol/disco#";
  const Reply listed =
      bench.get(kCaller, kPuppet, disco + "items' node='urn:xmpp:agent-tools:0#2'/>");
  std::set<std::string> nodes;
  for (const xmpp::Element item : listed.payload().children()) {
    nodes.emplace(item.attribute("node").value_or(""));
  }
  EXPECT_EQ(nodes.size(), std::size(names));
  for (const std::string& name : names) {
    const std::string node = "urn:xmpp:agent-tool:0#2#" + encode_base64url(name);
    EXPECT_TRUE(nodes.contains(node)) << name;
    const Reply info = bench.get(kCaller, kPuppet, disco + "info' node='" + node + "'/>");
    EXPECT_THAT(info.bytes, HasSubstr("<field var='name'><value>")) << name;
    const xmpp::Element form = *info.payload().child("jabber:x:data", "x");
    for (const xmpp::Element field : form.children()) {
      if (field.attribute("var") == "name") {
        EXPECT_EQ(field.children().front().text(), name);
      }
    }
    const std::string written = escape_xml(name);
    EXPECT_EQ(bench.get(kCaller, kPuppet, schema_xml(written, "input", hash)).text("json"),
              R"({"type":"object"})");
    std::string xml = bench.invoke_xml(name);
    xml.replace(xml.find("api-version='1'"), 15, "api-version='2'");
    const std::string demo = hash_xml(bench.demo_hash());
    xml.replace(xml.find(demo), demo.size(), hash);
    ASSERT_TRUE(bench.set(kCaller, kPuppet, xml).ok()) << name;
    EXPECT_EQ(bench.engine_bench().puppet().next()->job->input().tool, name);
  }
  // Names that are more than what MCP recommends are taken from administrators, too.
  const std::string long_name(5'000, 'n');
  EXPECT_TRUE(enrol(bench, manifest_text("desk", "2", "",
                                         "[{\"name\":\"a tool, \u00fcber/\U0001F600\","
                                         "\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"" +
                                             long_name + R"(","inputSchema":{"type":"object"}}])"))
                  .ok());
}

TEST(XmppChecklist, C13_057_AndC13_109_PermissionsAndApprovalsThatNobodyGrantsAreClosed) {
  XmppBench bench;
  bench.add("demo", manifest_text("demo", "1x", "",
                                  R"([{"name":"echo","inputSchema":{"type":"object"},)"
                                  R"("urn:xmpp:agent-api:0":{"requiredPermissions":["files"]}},)"
                                  R"({"name":"never","inputSchema":{"type":"object"},)"
                                  R"("urn:xmpp:agent-api:0":{"approvalRequired":true}}])"));
  std::string absent = bench.set(kViewer, kDemo, bench.invoke_xml("echo")).masked();
  for (const std::string_view tool : {"echo", "never"}) {
    std::string xml = bench.invoke_xml(tool);
    xml.replace(xml.find("'1'"), 3, "'1x'");
    EXPECT_EQ(bench.set(kCaller, kDemo, xml).masked(), absent);
  }
}

TEST(XmppChecklist, C13_058_EverybodyWhoSeesAManifestSeesTheSame) {
  XmppBench bench;
  const Reply one = manifest(bench, kDemo, "1", kCaller);
  EXPECT_EQ(manifest(bench, kDemo, "1", kViewer).masked(), one.masked());
  EXPECT_EQ(manifest(bench, kDemo, "1", kPartner).masked(), one.masked());
}

TEST(XmppChecklist, C13_068_AManifestIsTheBytesOfItsHash) {
  XmppBench bench;
  const std::string spaced =
      R"( { "tools" : [ ] , "agent" : {"version":"2","name":"d\u0065sk","jid":"desk@agents.example.test"}, "manifestSpecVersion":"0" } )";
  const std::string canonical = manifest_text("desk", "2");
  const Digest hash = bench.add("desk", spaced);
  const Reply reply = manifest(bench, kDesk);
  EXPECT_EQ(reply.masked(), "<iq type='result'><manifest " + kApi +
                                " media-type='application/json' version='2'>" + hash_xml(hash) +
                                "<json>" + reply.text("json") + "</json></manifest></iq>");
  EXPECT_EQ(sha256(reply.text("json")), hash);
  EXPECT_EQ(bench.add("desk", canonical), hash);
  EXPECT_EQ(reply.text("json").find(' '), std::string::npos);
}

TEST(XmppChecklist, C13_069_AManifestNeedsVisibility) {
  XmppBench bench;
  const std::string absent = manifest(bench, kAbsent).masked();
  EXPECT_THAT(absent, HasSubstr("item-not-found"));
  EXPECT_EQ(manifest(bench, kDemo, "", kRunner).masked(), absent);
  EXPECT_EQ(manifest(bench, kHidden).masked(), absent);
  EXPECT_EQ(manifest(bench, kDemo, "9").masked(), absent);
}

// --- registration and provisioning --------------------------------------------------------------

TEST(XmppChecklist, C13_059_AndC13_127_AuthorityIsTheAdministratorsOrOnesOwn) {
  XmppBench bench;
  const std::string foreign_own =
      R"({"manifestSpecVersion":"0","agent":{"jid":"carol@partner.test","name":"c","version":"1"},"tools":[]})";
  const std::string alices_own =
      R"({"manifestSpecVersion":"0","agent":{"jid":"alice@example.test","name":"a","version":"1"},"tools":[]})";
  EXPECT_EQ(enrol(bench, manifest_text("desk", "1"), kCaller).error(), "forbidden/auth");
  EXPECT_EQ(enrol(bench, foreign_own, kPartner).error(), "forbidden/auth");
  EXPECT_EQ(enrol(bench, foreign_own, "root@partner.test/1").error(), "forbidden/auth");
  EXPECT_EQ(enrol(bench, manifest_text("desk", "1"), "root@partner.test/1").error(),
            "forbidden/auth");
  EXPECT_EQ(enrol(bench, alices_own, kOther).error(), "forbidden/auth");
  EXPECT_EQ(enrol(bench, alices_own, kAdmin).error(), "forbidden/auth");
  const Reply own = enrol(bench, alices_own, kCaller);
  EXPECT_THAT(own.masked(),
              HasSubstr("<registered " + kApi + " jid='alice@example.test' version='1'><hash"));
  // An address is an address in any spelling: the account's own, and nobody else's.
  const auto spelled = [](std::string_view jid, std::string_view version) {
    return R"({"manifestSpecVersion":"0","agent":{"jid":")" + std::string(jid) +
           R"(","name":"a","version":")" + std::string(version) + R"("},"tools":[]})";
  };
  EXPECT_THAT(enrol(bench, spelled("Alice@Example.TEST", "2"), kCaller).masked(),
              HasSubstr("<registered " + kApi + " jid='alice@example.test' version='2'><hash"));
  EXPECT_EQ(enrol(bench, spelled("Alice@Example.TEST", "3"), kOther).error(), "forbidden/auth");
  // Registering shows and activates nothing, and gives no authority to do so.
  EXPECT_EQ(administer(bench, "activate", "alice@example.test", "1", hash_xml(sha256("")), kCaller)
                .error(),
            "forbidden/auth");
  for (const std::string_view operation :
       {"deactivate", "registration-status", "remove-endpoint"}) {
    EXPECT_EQ(administer(bench, operation, kDemo, "", "", kCaller).error(), "forbidden/auth");
    EXPECT_EQ(administer(bench, operation, kAbsent, "", "", kCaller).masked(),
              administer(bench, operation, kDemo, "", "", kCaller).masked());
  }
}

TEST(XmppChecklist, C13_060_ARefusedRegistrationLeavesNothing) {
  XmppBench bench;
  ASSERT_FALSE(enrol(bench, manifest_text("desk", "2", R"("homepage":"http://x")")).ok());
  EXPECT_EQ(administer(bench, "registration-status", kDesk).error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_061_AManifestIsIJson) {
  XmppBench bench;
  for (const std::string_view member : {R"("title":"a","title":"b")", R"("title":"\ud800")"}) {
    EXPECT_EQ(enrol(bench, manifest_text("desk", "2", member)).error(), "not-acceptable/modify");
  }
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "",
                                       tool_list(R"({"type":"object","maxProperties":1e400})")))
                .error(),
            "not-acceptable/modify");
}

TEST(XmppChecklist, C13_062_AVersionIsImmutable) {
  XmppBench bench;
  const Reply first = enrol(bench, manifest_text("desk", "2"));
  ASSERT_TRUE(first.ok()) << first.bytes;
  EXPECT_EQ(enrol(bench, " " + manifest_text("desk", "2")).masked(), first.masked());
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", R"("title":"Other")")).error(),
            "conflict/cancel");
}

TEST(XmppChecklist, C13_063_VersionsAreStringsInTheirOwnOrder) {
  XmppBench bench;
  for (const std::string version : {"10", "9", "1.10", "1.9"}) {
    ASSERT_TRUE(enrol(bench, manifest_text("desk", version)).ok());
  }
  const Reply status = administer(bench, "registration-status", kDesk);
  std::vector<std::string> ids;
  for (const xmpp::Element version : status.payload().children()) {
    ids.emplace_back(*version.attribute("id"));
  }
  EXPECT_THAT(ids, ::testing::ElementsAre("1.10", "1.9", "10", "9"));
  EXPECT_EQ(manifest(bench, kDesk).error(),
            "item-not-found/cancel");  // the newest is not the active one
}

TEST(XmppChecklist, C13_064_TheOperationsOfAnAdministrator) {
  XmppBench bench;
  const Reply registered = enrol(bench, manifest_text("desk", "2"));
  const std::string hash = registered.masked().substr(registered.masked().find("<hash"));
  const std::string hash_element = hash.substr(0, hash.find("</registered>"));
  EXPECT_EQ(registered.masked(), "<iq type='result'><registered " + kApi + " jid='" + kDesk +
                                     "' version='2'>" + hash_element + "</registered></iq>");
  const auto status = [&] { return administer(bench, "registration-status", kDesk).masked(); };
  const auto row = [&](std::string_view active, std::string_view removable) {
    return "<iq type='result'><registration " + kApi + " jid='" + kDesk +
           "'><version id='2' active='" + std::string(active) + "' removable='" +
           std::string(removable) + "'>" + hash_element + "</version></registration></iq>";
  };
  EXPECT_EQ(status(), row("false", "true"));
  const std::string activated =
      "<iq type='result'><active " + kApi + " jid='" + kDesk + "' version='2'/></iq>";
  EXPECT_EQ(administer(bench, "activate", kDesk, "2", hash_element).masked(), activated);
  EXPECT_EQ(administer(bench, "activate", "Desk@agents.example.test", "2", hash_element).masked(),
            activated);
  EXPECT_EQ(status(), row("true", "false"));
  EXPECT_EQ(administer(bench, "activate", kDesk, "2", hash_xml(sha256("x"))).error(),
            "conflict/cancel");
  EXPECT_EQ(administer(bench, "activate", kDesk, "3", hash_element).error(),
            "item-not-found/cancel");
  EXPECT_EQ(administer(bench, "remove-version", kDesk, "2").error(), "conflict/cancel");
  const std::string deactivated =
      "<iq type='result'><deactivated " + kApi + " jid='" + kDesk + "'/></iq>";
  EXPECT_EQ(administer(bench, "deactivate", kDesk).masked(), deactivated);
  EXPECT_EQ(administer(bench, "deactivate", kDesk).masked(), deactivated);
  EXPECT_EQ(administer(bench, "remove-version", kDesk, "2").masked(),
            "<iq type='result'><removed " + kApi + " jid='" + kDesk + "' version='2'/></iq>");
  EXPECT_EQ(administer(bench, "remove-version", kDesk, "2").error(), "item-not-found/cancel");
  ASSERT_TRUE(enrol(bench, manifest_text("desk", "3")).ok());
  EXPECT_EQ(administer(bench, "remove-endpoint", kDesk).masked(),
            "<iq type='result'><removed " + kApi + " jid='" + kDesk + "'/></iq>");
  EXPECT_EQ(administer(bench, "remove-endpoint", kDesk).error(), "item-not-found/cancel");
  EXPECT_EQ(administer(bench, "deactivate", kAbsent).error(), "item-not-found/cancel");
  EXPECT_EQ(administer(bench, "remove-endpoint", kDemo).error(), "conflict/cancel");
}

TEST(XmppChecklist, C13_065_AndC13_070_AVersionThatATaskDependsOnStays) {
  ManualClock clock;
  XmppBenchOptions options;
  options.clock = &clock;
  XmppBench bench(options);
  const std::string task = bench.invoke("echo");
  bench.event_of_type(task, "completed");
  bench.add("demo", manifest_text("demo", "2"));
  EXPECT_EQ(administer(bench, "remove-version", kDemo, "1").error(), "conflict/cancel");
  EXPECT_EQ(administer(bench, "remove-endpoint", kDemo).error(), "conflict/cancel");
  EXPECT_THAT(administer(bench, "registration-status", kDemo).bytes,
              HasSubstr("<version id='1' active='false' removable='false'>"));
  EXPECT_TRUE(bench.result(task).ok());
  EXPECT_TRUE(manifest(bench, kDemo, "1").ok());
  // To the end of what was promised, and not a moment shorter; then nothing holds it.
  ASSERT_EQ(bench.state(task).value("retain-until"), "2026-01-02T00:00:00Z");
  const auto purge = [&] {
    auto& engine_bench = bench.engine_bench();
    ASSERT_TRUE(
        engine_bench.run(bench.engine().trust_clock(engine::Principal::of("local", "root"))));
    ASSERT_TRUE(engine_bench.run(bench.engine().purge()));
  };
  clock.tick(std::chrono::hours(24) - std::chrono::nanoseconds(1));
  purge();
  EXPECT_EQ(administer(bench, "remove-version", kDemo, "1").error(), "conflict/cancel");
  EXPECT_TRUE(bench.result(task).ok());
  EXPECT_TRUE(manifest(bench, kDemo, "1").ok());
  clock.tick(std::chrono::hours(25));
  purge();
  EXPECT_EQ(bench.result(task).error(), "item-not-found/cancel");
  EXPECT_THAT(administer(bench, "registration-status", kDemo).bytes,
              HasSubstr("<version id='1' active='false' removable='true'>"));
  EXPECT_TRUE(administer(bench, "remove-version", kDemo, "1").ok());
  EXPECT_EQ(manifest(bench, kDemo, "1").error(), "item-not-found/cancel");
}

TEST(XmppChecklist, C13_066_ARemovedVersionComesBackAsItWasOrNotAtAll) {
  XmppBench bench;
  const Reply first = enrol(bench, manifest_text("desk", "2"));
  ASSERT_TRUE(administer(bench, "remove-version", kDesk, "2").ok());
  bench.restart();
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", R"("title":"Other")")).error(),
            "conflict/cancel");
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2")).masked(), first.masked());
}

TEST(XmppChecklist, C13_134_AManifestThatCouldNeverBeSentIsRefused) {
  XmppBench bench;
  std::string tools = "[";
  for (int i = 0; i < 60; ++i) {
    tools += (i > 0 ? "," : "") + std::string(R"({"name":"t)") + std::to_string(i) +
             R"(","description":")" + std::string(8'000, '\'') +
             R"(","inputSchema":{"type":"object"}})";
  }
  EXPECT_EQ(enrol(bench, manifest_text("desk", "2", "", tools + "]")).error(),
            "resource-constraint/wait");
  const std::string large =
      manifest_text("desk", "2", R"("title":")" + std::string(600'000, 'x') + "\"");
  EXPECT_EQ(enrol(bench, large).error(), "resource-constraint/wait");
  EXPECT_EQ(enrol(bench, large, kPartner).error(), "forbidden/auth");
}

}  // namespace
}  // namespace interline::testing
