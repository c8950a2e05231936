#include "bindings/xmpp/tool_node.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::xmpp {
namespace {

TEST(ProtoXep_Namespaces, ToolNodeOfTheExample) {
  EXPECT_EQ(encode_tool_node("1.4.0", "forecast.get"),
            "urn:xmpp:agent-tool:0#1.4.0#Zm9yZWNhc3QuZ2V0");
  EXPECT_EQ(encode_tool_node("2", "ticket.open"), "urn:xmpp:agent-tool:0#2#dGlja2V0Lm9wZW4");
  EXPECT_EQ(encode_collection_node("1.4.0"), "urn:xmpp:agent-tools:0#1.4.0");
}

TEST(ProtoXep_Namespaces, DecodingGivesBackWhatWasEncoded) {
  for (const char* name : {"a", "ab", "abc", "forecast.get", "é", "\U0001F916", "a b\t\n", "#",
                           "urn:xmpp:agent-tool:0#1#YQ", "e\u0301", "\u00E9"}) {
    for (const char* version : {"1", "1.4.0", "a~b-c_D"}) {
      const auto node = decode_tool_node(encode_tool_node(version, name));
      ASSERT_TRUE(node) << name;
      EXPECT_EQ(node->version, version);
      EXPECT_EQ(node->tool, name);
    }
  }
}

// Checklist 10.
TEST(Checklist10_ToolNodes, DecoderRejectsWhatNoEncoderWrites) {
  const std::string prefix = "urn:xmpp:agent-tool:0#1#";
  ASSERT_TRUE(decode_tool_node(prefix + "YWI"));
  for (const char* bad : {
           "",        // an empty name
           "YWI=",    // padding
           "YWJ",     // tail bits set: noncanonical
           "Y",       // 4n + 1
           "YW I",    // white space
           "YWI\n",   //
           "YWI#",    //
           "YW+/",    // not base64url
           "gA",      // 0x80: not UTF-8
           "wIA",     // overlong NUL
           "7aCA",    // a surrogate
           "9JCAgA",  // above U+10FFFF
           "AA",      // NUL
           "AQ",      // U+0001
           "77-_",    // U+FFFF
           "77--",    // U+FFFE
       }) {
    const auto node = decode_tool_node(prefix + bad);
    ASSERT_FALSE(node) << bad;
    EXPECT_EQ(node.error().kind, ErrorKind::not_found) << bad;
  }
}

TEST(Checklist10_ToolNodes, PrefixAndVersionAreExact) {
  for (const char* bad :
       {"", "urn:xmpp:agent-tool:0", "urn:xmpp:agent-tool:0#", "urn:xmpp:agent-tool:0#1",
        "urn:xmpp:agent-tool:0##YWI", "urn:xmpp:agent-tool:0#1 #YWI", "urn:xmpp:agent-tool:1#1#YWI",
        "URN:xmpp:agent-tool:0#1#YWI", " urn:xmpp:agent-tool:0#1#YWI",
        "urn:xmpp:agent-tools:0#1#YWI"}) {
    EXPECT_FALSE(decode_tool_node(bad)) << bad;
  }
  EXPECT_EQ(decode_collection_node("urn:xmpp:agent-tools:0#1.4.0"), "1.4.0");
  for (const char* bad :
       {"urn:xmpp:agent-tools:0", "urn:xmpp:agent-tools:0#", "urn:xmpp:agent-tools:0#a b",
        "urn:xmpp:agent-tools:0#1#", "urn:xmpp:agent-tool:0#1"}) {
    EXPECT_FALSE(decode_collection_node(bad)) << bad;
  }
}

// Checklist 7.
TEST(Checklist7_Versions, GrammarIsExact) {
  EXPECT_TRUE(is_api_version(std::string(64, 'v')));
  EXPECT_FALSE(is_api_version(std::string(65, 'v')));
  for (const char* good : {"1", "1.4.0", "A~z_-."}) EXPECT_TRUE(is_api_version(good)) << good;
  for (const char* bad : {"", " ", "1 ", "1+2", "é", "1\n"}) EXPECT_FALSE(is_api_version(bad));
}

// Checklist 8.
TEST(Checklist8_ToolNames, AreNonemptyXmlTextOfAnyLength) {
  for (const char* good : {"a", "get forecast", "天気", "a\tb", "\uFFFD"}) {
    EXPECT_TRUE(is_tool_name(good)) << good;
  }
  EXPECT_TRUE(is_tool_name(std::string(100'000, 'n')));
  for (const char* bad : {"", "\x01", "\uFFFE", "\xED\xA0\x80"}) EXPECT_FALSE(is_tool_name(bad));
}

TEST(Checklist8_ToolNames, NormalizationFormsAreDifferentTools) {
  EXPECT_NE(encode_tool_node("1", "\u00E9"), encode_tool_node("1", "e\u0301"));
}

}  // namespace
}  // namespace interline::xmpp
