// 2026-07-28: result envelopes; legacy shapes. Checklist 14, 16, 52, 70, 72, 81, 83, 108.
#include "protocols/mcp/results.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

constexpr std::string_view kInfo = R"({"name":"n","version":"1"})";
constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}})";
const Envelope kModern{Revision::v2026_07_28, kInfo};
const Envelope kLegacy{Revision::v2025_11_25, kInfo};

std::string complete(const Envelope& envelope, std::string_view result,
                     std::optional<Cache> cache = std::nullopt) {
  const auto document = parse(result);
  return complete_result(envelope, document.root(), cache);
}
std::string called(const Envelope& envelope, std::string_view result) {
  const auto document = parse(result);
  return call_result(envelope, document.root());
}
std::string with_meta(std::string_view before) {
  return "{" + std::string(before) + "," + std::string(kMeta) + "}";
}

TEST(Mcp_Results, EveryModernOneSaysWhatItIsAndWhoAnswers) {
  EXPECT_EQ(empty_result(kModern), with_meta(R"("resultType":"complete")"));
  EXPECT_EQ(own_result(kModern, R"("a":1)"), with_meta(R"("resultType":"complete","a":1)"));
  EXPECT_EQ(own_result({Revision::v2026_07_28, ""}, R"("a":1)"),
            R"({"resultType":"complete","a":1})");
  EXPECT_EQ(
      input_required_result(kModern, R"({"k":{}})", "s"),
      with_meta(R"("resultType":"input_required","inputRequests":{"k":{}},"requestState":"s")"));
  EXPECT_EQ(input_required_result(kModern, "", ""),
            with_meta(R"("resultType":"input_required","requestState":"")"));
}

TEST(Mcp_Results, LegacyAcknowledgementsAreExactlyEmpty) {
  for (const std::string_view name : kInitializedVersions) {
    EXPECT_EQ(empty_result({*revision_named(name), kInfo}), "{}");
  }
  EXPECT_EQ(own_result(kLegacy, R"("a":1)"), R"({"a":1})");
}

TEST(Mcp_Results, AToolsBytesStay) {
  EXPECT_EQ(
      complete(kModern, R"( {"content" : [ {"type":"text","text":"\u00e9"} ] , "x":1.0} )"),
      with_meta(
          R"("resultType":"complete","content" : [ {"type":"text","text":"\u00e9"} ],"x":1.0)"));
  EXPECT_EQ(complete(kLegacy, R"({"content" : [],"x":1.0})"), R"({"content" : [],"x":1.0})");
}

TEST(Mcp_Results, AnothersEnvelopeGivesWay) {
  const std::string_view upstream =
      R"({"resultType":"complete","contents":[],"ttlMs":5,"cacheScope":"public",)"
      R"("_meta":{"mine":[1],"io.modelcontextprotocol/serverInfo":{"name":"other"}}})";
  EXPECT_EQ(complete(kLegacy, upstream), R"({"contents":[],"_meta":{"mine":[1]}})");
  EXPECT_EQ(complete(kModern, upstream),
            R"({"resultType":"complete","contents":[],"_meta":{"mine":[1],)"
            R"("io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}})");
  EXPECT_EQ(
      complete(kModern, upstream, Cache{7, false}),
      R"({"resultType":"complete","contents":[],"ttlMs":7,"cacheScope":"private",)"
      R"("_meta":{"mine":[1],"io.modelcontextprotocol/serverInfo":{"name":"n","version":"1"}}})");
  EXPECT_EQ(complete(kLegacy, R"({"_meta":{"io.modelcontextprotocol/serverInfo":{}}})"), "{}");
  EXPECT_EQ(complete(kLegacy, R"({"_meta":{}})"), R"({"_meta":{}})");
}

TEST(Mcp_Caching, ListsSayForHowLongAndForWhom) {
  const std::vector<std::string> items = {R"({"name": "a"})", R"({"name":"b"})"};
  EXPECT_EQ(list_result(kModern, "tools", items, "c", {1000, true}),
            with_meta(R"("resultType":"complete","tools":[{"name": "a"},{"name":"b"}],)"
                      R"("nextCursor":"c","ttlMs":1000,"cacheScope":"public")"));
  EXPECT_EQ(list_result(kModern, "prompts", {}, std::nullopt, {}),
            with_meta(R"("resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private")"));
  EXPECT_EQ(list_result(kLegacy, "tools", items, std::nullopt, {1000, true}),
            R"({"tools":[{"name": "a"},{"name":"b"}]})");
}

TEST(Mcp_Discover, CapabilitiesAreWhatTheHandlersDo) {
  Features features;
  EXPECT_EQ(server_capabilities(features, Revision::v2026_07_28), R"({"tools":{}})");
  features.tools = false;
  EXPECT_EQ(server_capabilities(features, Revision::v2026_07_28), "{}");
  features = {true, true, true, true, true, true, true, true, true, true};
  EXPECT_EQ(server_capabilities(features, Revision::v2026_07_28),
            R"({"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},)"
            R"("prompts":{"listChanged":true},"completions":{},"logging":{},)"
            R"("extensions":{"io.modelcontextprotocol/tasks":{},"interline/requestId":{}}})");
  EXPECT_EQ(server_capabilities(features, Revision::v2025_11_25).find("extensions"),
            std::string::npos);
}

TEST(Mcp_Discover, NamesModernVersionsAlone) {
  EXPECT_EQ(discover_result(kModern, Features(), "Be kind.", {60'000, false}),
            with_meta(R"("resultType":"complete","supportedVersions":["2026-07-28"],)"
                      R"("capabilities":{"tools":{}},"instructions":"Be kind.",)"
                      R"("ttlMs":60000,"cacheScope":"private")"));
}

TEST(Mcp_Legacy, InitializeIsAnsweredInItsOwnShape) {
  EXPECT_EQ(initialize_result(kLegacy, Features(), ""),
            R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
            R"("serverInfo":{"name":"n","version":"1"}})");
  EXPECT_EQ(implementation_text({"n", "T", "https://x", "1"}),
            R"({"name":"n","title":"T","version":"1","websiteUrl":"https://x"})");
}

TEST(Mcp_Completion, HasAtMostAHundredValues) {
  std::vector<std::string> values(101, "v");
  const auto many = parse(completion_result(kModern, values));
  const json::Value& completion = *many.root().find("completion");
  EXPECT_EQ(completion.find("values")->size(), 100U);
  EXPECT_EQ(completion.find("total")->get_int64(), 101);
  EXPECT_EQ(completion.find("hasMore")->get_bool(), true);
  EXPECT_EQ(completion_result(kLegacy, {}),
            R"({"completion":{"values":[],"total":0,"hasMore":false}})");
}

TEST(Mcp_Subscriptions, TheEndCarriesTheIdAsItWasSent) {
  for (const std::string_view id : {"0", "7", "\"7\""}) {
    EXPECT_EQ(listen_result({Revision::v2026_07_28, ""}, id),
              R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":)" +
                  std::string(id) + "}}");
  }
}

TEST(Mcp_Tools, DefinitionsKeepEveryKeyword) {
  const std::string_view definition =
      R"({"description":"d","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema",)"
      R"("type":"object","$defs":{"a":{"$anchor":"b"}},"if":{},"then":{}},"name":"forecast.get",)"
      R"("outputSchema":{"type":"array"},"urn:xmpp:agent-api:0":{"x":1},"annotations":{}})";
  const auto document = parse(definition);
  const std::string modern =
      tool_definition(document.root(), "weather.forecast.get", Revision::v2026_07_28);
  EXPECT_EQ(
      modern,
      R"({"description":"d","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema",)"
      R"("type":"object","$defs":{"a":{"$anchor":"b"}},"if":{},"then":{}},"name":"weather.forecast.get",)"
      R"("outputSchema":{"type":"array"},"annotations":{}})");
  const std::string legacy = tool_definition(document.root(), "forecast.get", kNewestLegacy);
  EXPECT_EQ(legacy.find("outputSchema"), std::string::npos);
  EXPECT_NE(legacy.find("$anchor"), std::string::npos);
  const auto object = parse(R"({"name":"a","outputSchema":{"type":"object"}})");
  EXPECT_EQ(tool_definition(object.root(), "a", kNewestLegacy),
            R"({"name":"a","outputSchema":{"type":"object"}})");
}

TEST(Mcp_Tools, StructuredContentIsAnObjectBeforeTheModernRevision) {
  for (const std::string_view value : {"null", "7", "[1]", "\"s\""}) {
    const std::string result = R"({"content":[],"structuredContent":)" + std::string(value) + "}";
    EXPECT_NE(called(kModern, result).find("\"structuredContent\":" + std::string(value)),
              std::string::npos);
    EXPECT_EQ(called(kLegacy, result), R"({"content":[]})");
  }
  EXPECT_EQ(called(kLegacy, R"({"content":[],"structuredContent":{}})"),
            R"({"content":[],"structuredContent":{}})");
}

TEST(Mcp_Tools, ContentOfLaterKindsIsToldInWords) {
  const std::string_view result =
      R"({"content":[{"type":"text","text":"t"},{"type":"audio","data":"AA==","mimeType":"audio/wav"},)"
      R"({"type":"resource_link","uri":"a://b","name":"n"},{"type":"new"}],"isError":false})";
  EXPECT_EQ(called(kLegacy, result), result);
  EXPECT_EQ(called({Revision::v2024_11_05, ""}, result),
            R"({"content":[{"type":"text","text":"t"},{"type":"text","text":"[audio: audio/wav]"},)"
            R"({"type":"text","text":"[resource_link: a://b]"},{"type":"new"}],"isError":false})");
  EXPECT_NE(called({Revision::v2025_03_26, ""}, result).find(R"("type":"audio")"),
            std::string::npos);
}

TEST(Mcp_Tools, ATextIsAResult) {
  EXPECT_EQ(text_result(kLegacy, "no\n", true),
            R"({"content":[{"type":"text","text":"no\n"}],"isError":true})");
  EXPECT_EQ(text_result(kModern, "yes", false),
            with_meta(R"("resultType":"complete","content":[{"type":"text","text":"yes"}])"));
}

}  // namespace
}  // namespace interline::protocols::mcp
