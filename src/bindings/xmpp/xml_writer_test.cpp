#include "bindings/xmpp/xml_writer.hpp"

#include <string>

#include <gtest/gtest.h>

#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using testing::dump;
using testing::read_stanza;

constexpr std::string_view kStreamNs = "jabber:component:accept";

std::string text_of(std::string_view value) {
  std::string out;
  XmlWriter w(out, kStreamNs);
  w.leaf("a", value);
  return out;
}

std::string attribute_of(std::string_view value) {
  std::string out;
  XmlWriter w(out, kStreamNs);
  w.begin("a");
  w.attribute("b", value);
  w.end();
  return out;
}

TEST(BriefSection2_Writer, SaysANamespaceOnlyWhereItChanges) {
  std::string out;
  XmlWriter w(out, kStreamNs);
  w.begin("iq");
  w.attribute("type", "result");
  w.begin("query", "urn:q");
  w.begin("item");
  w.attribute("jid", "a@b");
  w.end();
  w.begin("set", "urn:r");
  w.leaf("count", "3");
  w.end();
  w.leaf("empty", "");
  w.end();
  w.end();
  EXPECT_EQ(out,
            "<iq type='result'><query xmlns='urn:q'><item jid='a@b'/><set xmlns='urn:r'>"
            "<count>3</count></set><empty/></query></iq>");
  EXPECT_EQ(w.depth(), 0U);
}

TEST(BriefSection2_Writer, TextEscapesOnlyMarkup) {
  EXPECT_EQ(text_of("{\"a\":\"<&>'\"}\n\t"), "<a>{\"a\":\"&lt;&amp;&gt;'\"}\n\t</a>");
  EXPECT_EQ(text_of("]]>"), "<a>]]&gt;</a>");
}

TEST(BriefSection2_Writer, AttributesEscapeQuotesTabAndLineEnds) {
  EXPECT_EQ(attribute_of("'\"<&>\t\n\r"), "<a b='&apos;&quot;&lt;&amp;&gt;&#x9;&#xA;&#xD;'/>");
}

TEST(BriefSection2_Writer, CharactersXmlCannotCarryBecomeReplacements) {
  EXPECT_EQ(text_of(std::string_view("\0\x01\x1F", 3)), "<a>\uFFFD\uFFFD\uFFFD</a>");
  EXPECT_EQ(text_of("\uFFFE\uFFFF\uFFFD\u007F"), "<a>\uFFFD\uFFFD\uFFFD\u007F</a>");
  EXPECT_EQ(text_of("\xED\xA0\x80"), "<a>\uFFFD\uFFFD\uFFFD</a>");
  EXPECT_EQ(text_of("\xC3"), "<a>\uFFFD</a>");
  EXPECT_EQ(text_of("a\xF4\x90\x80\x80z"), "<a>a\uFFFD\uFFFD\uFFFD\uFFFDz</a>");
  EXPECT_EQ(attribute_of("\x0B"), "<a b='\uFFFD'/>");
}

TEST(BriefSection2_Writer, CarriageReturnsInTextBecomeLineFeeds) {
  EXPECT_EQ(text_of("a\r\nb\rc\n\r"), "<a>a\nb\nc\n\n</a>");
}

TEST(BriefSection2_Writer, WhatIsWrittenIsReadBack) {
  const std::string value = "é\U0001F916 <&>'\"\t\n]]>&amp;\u007F\uFFFD";
  EXPECT_EQ(read_stanza(text_of(value)).root().text(), value);
  EXPECT_EQ(read_stanza(attribute_of(value)).root().attribute("b"), value);
  EXPECT_EQ(read_stanza(attribute_of("a\rb")).root().attribute("b"), "a\rb");
}

TEST(BriefSection2_Writer, XmlTextIsXmlCharactersInUtf8) {
  for (const char* good :
       {"", "a", "\t\r\n", "\u007F\u0080é\uD7FF\uE000\uFFFD\U00010000\U0010FFFF", "\U0001FFFE"}) {
    EXPECT_TRUE(is_xml_text(good)) << good;
  }
  for (const char* bad : {"\x01", "\x0B", "\uFFFE", "\uFFFF", "\xED\xA0\x80", "\xC0\x80", "\xF5",
                          "\xE0\x80\x80", "\xF4\x90\x80\x80", "\xC3", "\x80"}) {
    EXPECT_FALSE(is_xml_text(bad)) << bad;
  }
  EXPECT_FALSE(is_xml_text(std::string_view("\0", 1)));
}

TEST(BriefSection2_WireSize, CountsQuotesAsEntities) {
  EXPECT_EQ(text_wire_size("abc"), 3U);
  EXPECT_EQ(text_wire_size("'\"&<>"), 6U + 6U + 5U + 4U + 4U);
  std::string out;
  XmlWriter w(out, kStreamNs);
  w.leaf("a", "{\"b\":1}");
  EXPECT_EQ(w.wire_size(), out.size() + 2 * 5);
}

TEST(BriefSection2_WireSize, IsNeverLessThanWhatIsWritten) {
  for (const char* value : {"", "plain", "'\"&<>\t\r\n", "é\uFFFE\x01", "\r\n\r\n"}) {
    for (const std::string& out : {text_of(value), attribute_of(value)}) {
      EXPECT_GE(text_wire_size(value) + std::string_view("<a b=''></a>").size(), out.size());
    }
  }
}

}  // namespace
}  // namespace interline::xmpp
