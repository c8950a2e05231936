// The checklist's numbers on manifests, schemas, registration, provisioning, search and profiles.
#include <poll.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "bench.hpp"

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
  XmppBench bench;
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
  pollfd waiting{listener, POLLIN, 0};
  EXPECT_EQ(poll(&waiting, 1, 0), 0);
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

TEST(XmppChecklist, C13_008_AndC13_009_UnusualToolNamesAreAccepted) {
  XmppBench bench;
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
  XmppBench bench;
  const std::string task = bench.invoke("echo");
  bench.event_of_type(task, "completed");
  bench.add("demo", manifest_text("demo", "2"));
  EXPECT_EQ(administer(bench, "remove-version", kDemo, "1").error(), "conflict/cancel");
  EXPECT_THAT(administer(bench, "registration-status", kDemo).bytes,
              HasSubstr("<version id='1' active='false' removable='false'>"));
  EXPECT_TRUE(bench.result(task).ok());
  EXPECT_TRUE(manifest(bench, kDemo, "1").ok());
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

// --- search -------------------------------------------------------------------------------------

std::string legacy(std::string_view words) {
  return "<query xmlns='jabber:iq:search'><nick>" + std::string(words) + "</nick></query>";
}
std::string form(std::string_view words, std::string_view type = "submit",
                 std::string_view form_type = "jabber:iq:search") {
  return "<query xmlns='jabber:iq:search'><x xmlns='jabber:x:data' type='" + std::string(type) +
         "'><field var='FORM_TYPE' type='hidden'><value>" + std::string(form_type) +
         "</value></field><field var='nick'><value>" + std::string(words) +
         "</value></field></x></query>";
}

TEST(XmppChecklist, C13_046_To_C13_048_TheSearchFormAndBothAnswers) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "2", R"("title":"Help Desk")"));
  const Reply asked = bench.get(kCaller, kGateway, "<query xmlns='jabber:iq:search'/>");
  EXPECT_THAT(asked.bytes, HasSubstr("<nick/>"));
  EXPECT_THAT(asked.bytes, HasSubstr("<field var='FORM_TYPE' type='hidden'>"
                                     "<value>jabber:iq:search</value></field>"));
  EXPECT_THAT(asked.bytes, HasSubstr("<field var='nick' type='text-single'"));
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy("help")).masked(),
            "<iq type='result'><query xmlns='jabber:iq:search'><item jid='" + kDesk +
                "'><first/><last/><nick>Help Desk</nick><email/></item></query></iq>");
  const Reply formed = bench.set(kCaller, kGateway, form("help"));
  EXPECT_THAT(formed.bytes, HasSubstr("<item><field var='jid'><value>" + kDesk +
                                      "</value></field><field var='nick'><value>Help Desk"
                                      "</value></field></item>"));
  EXPECT_THAT(formed.bytes, HasSubstr("<reported>"));
  EXPECT_THAT(formed.bytes, Not(HasSubstr("FORM_TYPE")));
}

TEST(XmppChecklist, C13_049_WordsAreFoundWithoutRegardToCase) {
  XmppBench bench;
  bench.add("desk",
            manifest_text("desk", "2",
                          "\"title\":\"Stra\u00dfe \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2\""));
  for (const std::string_view words :
       {"STRASSE", "stra\u00dfe", "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3", "DESK",
        "desk strasse", "\uff33\uff34\uff32\uff21", ""}) {
    const Reply reply = bench.set(kCaller, kGateway, legacy(words));
    EXPECT_THAT(reply.bytes, HasSubstr(kDesk)) << words << reply.bytes;
  }
  EXPECT_THAT(bench.set(kCaller, kGateway, legacy("desk other")).bytes, Not(HasSubstr(kDesk)));
}

TEST(XmppChecklist, C13_002_AndC13_050_SearchShowsNothingHidden) {
  XmppBench bench;
  const std::string none = bench.set(kCaller, kGateway, legacy("no such thing")).masked();
  EXPECT_EQ(none, "<iq type='result'><query xmlns='jabber:iq:search'/></iq>");
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy("hidden")).masked(), none);
  EXPECT_EQ(bench.set(kForeigner, kGateway, legacy("demo")).masked(), none);
  EXPECT_EQ(bench.set(kRunner, kGateway, legacy("demo")).masked(), none);
  EXPECT_EQ(bench.set(kForeigner, kGateway, form("demo")).masked(), none);
  EXPECT_EQ(bench.get(kForeigner, kGateway, "<query xmlns='jabber:iq:search'/>").error(),
            "service-unavailable/cancel");
}

TEST(XmppChecklist, C13_002_AFormThatIsNoneIsRefused) {
  XmppBench bench;
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "result")).error(), "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "other")).error(), "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "submit", "jabber:iq:register")).error(),
            "not-acceptable/modify");
  const std::string one = form("x");
  const std::string x = one.substr(one.find("<x"), one.find("</query>") - one.find("<x"));
  EXPECT_EQ(
      bench.set(kCaller, kGateway, "<query xmlns='jabber:iq:search'>" + x + x + "</query>").error(),
      "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy(std::string(257, 'x'))).error(),
            "bad-request/modify");
  EXPECT_TRUE(bench.set(kCaller, kGateway, legacy(std::string(256, 'x'))).ok());
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "cancel")).masked(), "<iq type='result'/>");
}

TEST(XmppChecklist, C13_051_SearchIsPagedInTheOrderOfAddresses) {
  XmppBench bench;
  for (const std::string name : {"a", "a-b", "b"}) {
    bench.add(name, manifest_text(name, "1", R"("title":"Found")"));
  }
  const auto search = [&](std::string_view set) {
    return bench.set(kCaller, kGateway,
                     "<query xmlns='jabber:iq:search'><nick>found</nick><set "
                     "xmlns='http://jabber.org/protocol/rsm'>" +
                         std::string(set) + "</set></query>");
  };
  const Reply first = search("<max>2</max>");
  EXPECT_THAT(first.bytes, HasSubstr("<set xmlns='http://jabber.org/protocol/rsm'>"
                                     "<first index='0'>a-b@agents.example.test</first>"
                                     "<last>a@agents.example.test</last><count>3</count></set>"));
  const Reply second = search("<max>2</max><after>a@agents.example.test</after>");
  EXPECT_THAT(second.bytes, HasSubstr("<item jid='b@agents.example.test'>"));
  EXPECT_EQ(search("<after>hidden@agents.example.test</after>").error(), "item-not-found/cancel");
  EXPECT_EQ(search("<max>x</max>").error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_050_ACountIsToldAlsoWhereNothingMatches) {
  XmppBench bench;
  const std::string none = "<set xmlns='http://jabber.org/protocol/rsm'><max>0</max></set></query>";
  const std::string count = "<set xmlns='http://jabber.org/protocol/rsm'><count>0</count></set>";
  for (const std::string_view question :
       {"<nick>nobody is called that</nick>",
        "<x xmlns='jabber:x:data' type='submit'><field var='nick'><value>nobody is called "
        "that</value></field></x>"}) {
    const std::string query = "<query xmlns='jabber:iq:search'>" + std::string(question);
    EXPECT_EQ(bench.set(kCaller, kGateway, query + none).masked(),
              "<iq type='result'><query xmlns='jabber:iq:search'>" + count + "</query></iq>");
    EXPECT_EQ(bench.set(kCaller, kGateway, query + "</query>").masked(),
              "<iq type='result'><query xmlns='jabber:iq:search'/></iq>");
  }
}

// --- profiles -----------------------------------------------------------------------------------

TEST(XmppChecklist, C13_042_AProfileShowsWhatIsPublicAndNothingOfHiddenEndpoints) {
  XmppBench bench;
  bench.add("desk",
            manifest_text(
                "desk", "2",
                R"("title":"Help Desk","description":"It helps.","vendor":"Example",)"
                R"("homepage":"https://example.test/","avatarUrl":"https://example.test/a.png")"));
  EXPECT_EQ(bench.get(kCaller, kDesk, "<vCard xmlns='vcard-temp'/>").masked(),
            "<iq type='result'><vCard xmlns='vcard-temp'><VERSION>3.0</VERSION><FN>Help Desk</FN>"
            "<N/><NICKNAME>desk</NICKNAME><PHOTO><EXTVAL>https://example.test/a.png</EXTVAL>"
            "</PHOTO><JABBERID>desk@agents.example.test</JABBERID><ORG><ORGNAME>Example</ORGNAME>"
            "</ORG><URL>https://example.test/</URL><DESC>It helps.</DESC></vCard></iq>");
  const std::string card =
      "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><fn><text>Help Desk</text></fn><photo><uri>"
      "https://example.test/a.png</uri></photo><impp><uri>xmpp:desk@agents.example.test</uri>"
      "</impp><org><text>Example</text></org><url><uri>https://example.test/</uri></url><note>"
      "<text>It helps.</text></note><kind><text>application</text></kind></vcard>";
  EXPECT_EQ(bench.get(kCaller, kDesk, "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'/>").masked(),
            "<iq type='result'>" + card + "</iq>");
  const std::string pubsub =
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items "
      "node='urn:xmpp:vcard4'/></pubsub>";
  EXPECT_EQ(bench.get(kCaller, kDesk, pubsub).masked(),
            "<iq type='result'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items "
            "node='urn:xmpp:vcard4'><item id='current'>" +
                card + "</item></items></pubsub></iq>");
  EXPECT_EQ(bench.set(kCaller, kDesk, "<vCard xmlns='vcard-temp'/>").error(), "forbidden/auth");
  EXPECT_EQ(bench.set(kCaller, kHidden, "<vCard xmlns='vcard-temp'/>").error(),
            "item-not-found/cancel");
  EXPECT_EQ(bench
                .get(kCaller, kDesk,
                     "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='x'/></pubsub>")
                .error(),
            "service-unavailable/cancel");
}

}  // namespace
}  // namespace interline::testing
