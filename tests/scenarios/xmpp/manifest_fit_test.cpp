// An endpoint of the configuration whose manifest no stanza carries: what it offers over XMPP is
// true all the same (checklist 18).
#include "bindings/xmpp/manifest_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"
#include "bindings/xmpp/outgoing.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kLarge = "large@agents.example.test";
constexpr std::string_view kInfo = "<query xmlns='http://jabber.org/protocol/disco#info'/>";
constexpr std::string_view kManifestFeature = "urn:xmpp:agent-api:0#manifest'";

/// A tool with a schema of about so many bytes.
std::string tool(std::string_view name, std::size_t bytes) {
  return R"({"name":")" + std::string(name) +
         R"(","inputSchema":{"type":"object","description":")" + std::string(bytes, 'x') + R"("}})";
}

std::string large_manifest() {
  std::string tools = "[";
  for (const char name : {'a', 'b', 'c', 'd'}) tools += tool({&name, 1}, 120'000) + ",";
  tools.back() = ']';
  return manifest_text("large", "1", "", tools);
}

TEST(XmppChecklist, C13_018_AManifestThatNoStanzaCarriesIsNotOffered) {
  XmppBench bench;
  const Digest hash = bench.add("large", large_manifest());
  const Reply info = bench.get(kCaller, kLarge, kInfo);
  ASSERT_TRUE(info.ok()) << info.error();
  EXPECT_THAT(info.bytes, Not(HasSubstr(kManifestFeature)));
  EXPECT_THAT(bench.get(kCaller, kDemo, kInfo).bytes, HasSubstr(kManifestFeature));
  EXPECT_EQ(bench.get(kCaller, kLarge, "<manifest-request xmlns='urn:xmpp:agent-api:0'/>").error(),
            "resource-constraint/wait");
  // One by one its tools can be read as before.
  EXPECT_THAT(info.bytes, HasSubstr("urn:xmpp:agent-api:0#schema'"));
  const Reply schema = bench.get(kCaller, kLarge,
                                 "<schema-request xmlns='urn:xmpp:agent-api:0' tool='a' "
                                 "version='1' direction='input'>" +
                                     hash_xml(hash) + "</schema-request>");
  EXPECT_TRUE(schema.ok()) << schema.error();
}

TEST(XmppChecklist, C13_008_AToolThatCouldNeverBeNamedOrListedIsNotRegistered) {
  XmppBench bench;
  const auto enrol = [&](std::string_view version, const std::string& tools) {
    return bench.set(
        kAdmin, kGateway,
        "<register xmlns='urn:xmpp:agent-api:0'><manifest media-type='application/json'>" +
            escape_xml(manifest_text("large", version, "", tools)) + "</manifest></register>");
  };
  for (const std::size_t length : {60'000U, 90'000U}) {
    const std::string tools =
        "[" + tool("first", 1) + "," + tool(std::string(length, 'n'), 1) + "]";
    EXPECT_EQ(enrol("1", tools).error(), "resource-constraint/wait") << length;
  }
  // What is registered can be listed and asked for.
  const std::string name(49'000, 'n');
  ASSERT_TRUE(enrol("1", "[" + tool(name, 1) + "]").ok());
  const auto read =
      catalog::read_manifest(manifest_text("large", "1", "", "[" + tool(name, 1) + "]"), {});
  ASSERT_TRUE(bench
                  .set(kAdmin, kGateway,
                       "<activate xmlns='urn:xmpp:agent-api:0' jid='" + std::string(kLarge) +
                           "' version='1'>" + hash_xml((*read)->hash) + "</activate>")
                  .ok());
  const Reply items = bench.get(kCaller, kLarge,
                                "<query xmlns='http://jabber.org/protocol/disco#items' "
                                "node='urn:xmpp:agent-tools:0#1'/>");
  ASSERT_TRUE(items.ok()) << items.error();
  const std::string node(items.payload().children().front().attribute("node").value_or(""));
  const Reply info =
      bench.get(kCaller, kLarge,
                "<query xmlns='http://jabber.org/protocol/disco#info' node='" + node + "'/>");
  EXPECT_TRUE(info.ok()) << info.error();
}

TEST(ManifestFit, ALargeManifestIsCountedOnce) {
  const auto large = catalog::read_manifest(large_manifest(), {}).value();
  const xmpp::ManifestFits small_stanzas(100'000);
  const xmpp::ManifestFits large_stanzas(1'000'000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(small_stanzas(*large));
    EXPECT_TRUE(large_stanzas(*large));
  }
  EXPECT_EQ(small_stanzas.counted(), 1U);
  EXPECT_EQ(large_stanzas.counted(), 1U);
  const auto other =
      catalog::read_manifest(manifest_text("large", "2", "", "[" + tool("a", 120'000) + "]"), {})
          .value();
  EXPECT_FALSE(small_stanzas(*other));
  EXPECT_EQ(small_stanzas.counted(), 2U);
}

TEST(ManifestFit, SaysOfEachToolWhatNobodyCanRetrieve) {
  const auto read = [](const std::string& text) {
    return catalog::read_manifest(text, {}).value();
  };
  constexpr std::size_t kUsual = xmpp::OutgoingStanza::kMostBytes;
  const auto large = read(large_manifest());
  const auto found = xmpp::misfits(*large, kUsual);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().tool, "");
  EXPECT_THAT(found.front().loss, HasSubstr("stanza_out 393216"));
  const auto all = xmpp::misfits(*large, xmpp::OutgoingStanza::kLeastBytes);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all.back().tool, "d");
  EXPECT_EQ(all.back().location, "/inputSchema");
  const auto small = read(manifest_text("small", "1", "", "[" + tool("a", 100) + "]"));
  EXPECT_TRUE(xmpp::misfits(*small, xmpp::OutgoingStanza::kLeastBytes).empty());
}

}  // namespace
}  // namespace interline::testing
