#include "bindings/xmpp/xml_stream.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using testing::dump;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kHeader;
using testing::read_stanza;
using testing::read_stream;
using ::testing::StartsWith;

const std::string kOpened =
    "opened {http://etherx.jabber.org/streams}stream default=jabber:component:accept id=3BF96D32 "
    "from=agents.example.test";

std::string on_stream(std::string_view xml) {
  return std::string(kHeader) + std::string(xml);
}

/// The last event of a stream with that text after its header.
std::string last(std::string_view xml, const StreamBounds& bounds = {}) {
  const std::vector<std::string> whole = read_stream(on_stream(xml), SIZE_MAX, bounds);
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U}) {
    EXPECT_EQ(read_stream(on_stream(xml), piece, bounds), whole) << "in pieces of " << piece;
  }
  return whole.back();
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Xep0114_Stream, HeaderStanzasAndEnd) {
  EXPECT_THAT(read_stream(on_stream("<handshake/> \n<iq type='get' id='1'><ping "
                                    "xmlns='urn:xmpp:ping'/></iq></stream:stream>")),
              ElementsAre(kOpened, "stanza 12 {jabber:component:accept}handshake()",
                          "stanza 56 {jabber:component:accept}iq[type=\"get\"][id=\"1\"]("
                          "{urn:xmpp:ping}ping())",
                          "closed"));
}

TEST(Xep0114_Stream, AnyPiecesGiveTheSameEvents) {
  const std::string xml = on_stream(
      "<message to='a@b' xml:lang='en'>\r\n<body>a &amp; b &#x1F916; <![CDATA[<c>]]> "
      "]] é</body></message> <iq/><!--x-->");
  const auto whole = read_stream(xml);
  for (std::size_t piece = 1; piece < 40; ++piece) EXPECT_EQ(read_stream(xml, piece), whole);
}

TEST(Xep0114_Stream, NothingComesAfterTheEnd) {
  EXPECT_EQ(last("</stream:stream><iq/>"), "closed");
  EXPECT_EQ(last("</stream:stream>\x01"), "closed");
}

TEST(BriefSection2_Namespaces, AreExpandedWhateverThePrefix) {
  const Stanza stanza = read_stanza(
      "<iq xmlns:t='urn:xmpp:agent-task:0'><t:cancel t:a='1' b='2' xml:lang='en'><t:reason/>"
      "</t:cancel></iq>");
  const Element cancel = stanza.root().children().front();
  EXPECT_TRUE(cancel.is("urn:xmpp:agent-task:0", "cancel"));
  EXPECT_EQ(cancel.attribute("urn:xmpp:agent-task:0", "a"), "1");
  EXPECT_EQ(cancel.attribute("a"), std::nullopt);
  EXPECT_EQ(cancel.attribute("b"), "2");
  EXPECT_EQ(cancel.attribute("http://www.w3.org/XML/1998/namespace", "lang"), "en");
  EXPECT_TRUE(cancel.child("urn:xmpp:agent-task:0", "reason"));
  EXPECT_FALSE(cancel.child("", "reason"));
}

// What a client's <xml:a/> and xml:b='' come as, behind a server.
TEST(BriefSection2_Namespaces, TheOneOfXmlMayBeBoundByAServer) {
  const std::string xml = "http://www.w3.org/XML/1998/namespace";
  EXPECT_EQ(last("<message><a xmlns='" + xml + "'/></message>"),
            "stanza 68 {jabber:component:accept}message({" + xml + "}a())");
  EXPECT_THAT(last("<iq xmlns:n='" + xml + "' n:b=''/>"), HasSubstr("iq[{" + xml + "}b=\"\"]()"));
  EXPECT_THAT(last("<iq xmlns:n='http://www.w3.org/2000/xmlns/'><n:a/></iq>"),
              StartsWith("stanza 55"));
  EXPECT_THAT(last("<iq xmlns:xml='" + xml + "'><xml:a/></iq>"), StartsWith("stanza 66"));
}

TEST(BriefSection2_Namespaces, AFaultOfThemCostsItsStanzaAlone) {
  for (const char* fault : {"<n:a/>", "<a n:b=''/>", "<n:a:b/>", "<:a/>", "<a: xmlns:a='u'/>",
                            "<a xmlns:n=''/>", "<a xmlns:xmlns='u'/>", "<a xmlns:='u'/>"}) {
    const auto events =
        read_stream(on_stream(std::string("<iq id='1'>") + fault + "</iq><iq id='2'/>"));
    ASSERT_EQ(events.size(), 3U) << fault;
    EXPECT_THAT(events[1], StartsWith("stanza misshapen")) << fault;
    EXPECT_THAT(events[1], HasSubstr("iq[id=\"1\"]")) << fault;
    EXPECT_EQ(events[2], "stanza 12 {jabber:component:accept}iq[id=\"2\"]()") << fault;
  }
}

TEST(BriefSection2_Namespaces, NoNamespaceIsTheEmptyOne) {
  EXPECT_EQ(last("<iq><x xmlns=''/></iq>"), "stanza 22 {jabber:component:accept}iq(x())");
}

TEST(BriefSection2_Elements, TextIsTheCharacterDataOfTheElementAlone) {
  const Stanza stanza = read_stanza("<iq> {\"a\":<b>no</b><![CDATA[\"<\"]]>}&#10;</iq>");
  EXPECT_EQ(stanza.root().text(), " {\"a\":\"<\"}\n");
  EXPECT_TRUE(stanza.root().has_text());
  EXPECT_EQ(stanza.root().children().size(), 1U);
  EXPECT_FALSE(read_stanza("<iq> <b>x</b>\n</iq>").root().has_text());
}

TEST(BriefSection2_Elements, StayValidWhenTheStanzaMoves) {
  Stanza first = read_stanza("<iq id='1'/>");
  const Element root = first.root();
  const Stanza second = std::move(first);
  EXPECT_EQ(root.attribute("id"), "1");
  EXPECT_EQ(root, second.root());
}

TEST(Rfc6120_11_1, CommentsInstructionsAndDoctypesAreRestricted) {
  for (const char* xml : {"<!--x-->", "<iq><!--x--></iq>", "<?x y?>", "<iq><?x?></iq>"}) {
    EXPECT_THAT(last(xml), StartsWith("fault restricted-xml")) << xml;
  }
  for (const char* xml : {"<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
                          "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "<!--x--><a/>",
                          "<?xml version='1.0'?><?x?><a/>"}) {
    const auto events = read_stream(xml);
    EXPECT_THAT(events, ElementsAre(StartsWith("fault restricted-xml"))) << xml;
    EXPECT_EQ(read_stream(xml, 1), events);
  }
}

TEST(Rfc6120_11_1, OnlyPredefinedEntitiesAndCharacterReferences) {
  EXPECT_EQ(last("<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;</a>"),
            "stanza 43 {jabber:component:accept}a('<>&'\"AB')");
  EXPECT_THAT(last("<a>&nbsp;</a>"), StartsWith("fault restricted-xml"));
  EXPECT_THAT(last("<a b='&nbsp;'/>"), StartsWith("fault restricted-xml"));
}

TEST(Rfc6120_11_3, NotWellFormedEndsTheStream) {
  for (const char* xml :
       {"<a></b>", "<a b='1' b='2'/>", "<a b=1/>", "<a>&</a>", "<<a/>", "<a \x01/>",
        "<a>\xC0\xAF</a>", "<a>]]></a>", "<a b='<'/>", "<iq/><?xml version='1.0'?>"}) {
    EXPECT_THAT(last(xml), StartsWith("fault not-well-formed")) << xml;
  }
}

TEST(Rfc6120_11_6, Xml10InUtf8Only) {
  EXPECT_EQ(read_stream("<?xml version='1.0' encoding='utf-8'?><a id='1'/>").front(),
            "opened {}a default= id=1 from=");
  EXPECT_THAT(read_stream("<?xml version='1.0' encoding='ISO-8859-1'?><a/>"),
              ElementsAre(StartsWith("fault unsupported-encoding")));
  EXPECT_THAT(read_stream("<?xml version='1.1'?><a/>"),
              ElementsAre(StartsWith("fault not-well-formed")));
  for (const std::string_view utf16 :
       {std::string_view("\xFF\xFE<\0a\0/\0>\0", 10), std::string_view("\xFE\xFF\0<\0a\0/\0>", 10),
        std::string_view("<\0a\0/\0>\0", 8), std::string_view("\0<\0a\0/\0>", 8)}) {
    EXPECT_THAT(read_stream(utf16), ElementsAre(StartsWith("fault unsupported-encoding")));
    EXPECT_THAT(read_stream(utf16, 1), ElementsAre(StartsWith("fault unsupported-encoding")));
  }
  EXPECT_EQ(read_stream("\uFEFF<a/>").back(), "closed");
  EXPECT_THAT(read_stream(" <?xml version='1.0'?><a/>"),
              ElementsAre(StartsWith("fault not-well-formed")));
}

TEST(Xml10_Characters, IllegalOnesNeverGetIn) {
  for (const char* xml :
       {"<a>&#0;</a>", "<a>&#1;</a>", "<a>&#xB;</a>", "<a>&#xD800;</a>", "<a>&#xFFFE;</a>",
        "<a>&#xFFFF;</a>", "<a>&#x110000;</a>", "<a>\x0B</a>", "<a>\xEF\xBF\xBE</a>",
        "<a>\xEF\xBF\xBF</a>", "<a>\xED\xA0\x80</a>", "<a b='&#xFFFE;'/>", "<a b='\x1F'/>"}) {
    EXPECT_THAT(last(xml), StartsWith("fault not-well-formed")) << xml;
  }
  EXPECT_EQ(last("<a>&#x9;&#xD;\u007F\uFFFD\U0010FFFF</a>"),
            "stanza 25 {jabber:component:accept}a('\t\r\u007F\uFFFD\U0010FFFF')");
}

TEST(BriefSection2_Stream, TextBetweenStanzasIsWhiteSpaceOnly) {
  EXPECT_THAT(last("<a/> \t\r\n <b/>"), HasSubstr("}b()"));
  EXPECT_THAT(last("<a/> x <b/>"), StartsWith("fault bad-format"));
}

// --- bounds --------------------------------------------------------------------------------------

TEST(BriefSection2_Bounds, AnOversizedStanzaKeepsItsAddressAndTheStartOfItsPayload) {
  StreamBounds bounds;
  bounds.stanza = 100;
  const std::string_view start = "<iq id='1' to='a@b'>";
  const std::string fits =
      std::string(start) + "<p xmlns='urn:p' n='2'>" + std::string(48, 'x') + "</p></iq>";
  ASSERT_EQ(fits.size(), 100U);
  EXPECT_THAT(last(fits, bounds), HasSubstr("'xxx"));
  const std::string over =
      std::string(start) + "<p xmlns='urn:p' n='2'>" + std::string(49, 'x') + "</p></iq>";
  EXPECT_EQ(last(over, bounds),
            "stanza oversized 101 {jabber:component:accept}iq[id=\"1\"][to=\"a@b\"]("
            "{urn:p}p[n=\"2\"]())");
  EXPECT_EQ(last(std::string(start) + std::string(200, ' ') + "<p/><q/>text</iq><iq/>", bounds),
            "stanza 5 {jabber:component:accept}iq()");
  EXPECT_EQ(last(std::string(start) + std::string(200, ' ') + "<p><z/></p><q/>text</iq>", bounds),
            "stanza oversized 244 {jabber:component:accept}iq[id=\"1\"][to=\"a@b\"]("
            "{jabber:component:accept}p())");
}

TEST(BriefSection2_Bounds, StanzaIn524288) {
  const std::string frame = "<iq></iq>";
  const std::string fits = "<iq>" + std::string(524'288 - frame.size(), 'x') + "</iq>";
  EXPECT_THAT(read_stream(on_stream(fits), 4096).back(), StartsWith("stanza 524288 "));
  const std::string over = "<iq>" + std::string(524'289 - frame.size(), 'x') + "</iq>";
  EXPECT_EQ(read_stream(on_stream(over), 4096).back(),
            "stanza oversized 524289 {jabber:component:accept}iq()");
}

// Prosody writes a namespace's name again at each element and attribute that has it: 22 KB of a
// client become 20 MB, and the longest that a client may send 2.8 GB.
TEST(BriefSection2_Bounds, AStanzaIsReadToItsEndHoweverLongItIs) {
  const std::string start = "<iq from='f' to='t' type='get' id='i'><q xmlns='urn:q'>";
  const std::string child = "<b xmlns='" + std::string(100'000, 'u') + "'/>" + std::string(99, '"');
  for (const std::size_t piece : {std::size_t{4'096}, std::size_t{65'536}}) {
    XmlStream stream({}, 1);
    std::vector<StreamEvent> events;
    const auto feed = [&](std::string_view xml) {
      for (; !xml.empty(); xml.remove_prefix(std::min(piece, xml.size()))) {
        stream.feed(xml.substr(0, piece), events);
      }
    };
    feed(on_stream(start));
    std::size_t size = start.size();
    for (int i = 0; i < 400; ++i, size += child.size()) feed(child);
    feed("</q></iq><iq id='next'/>");
    size += std::string_view("</q></iq>").size();
    ASSERT_EQ(events.size(), 3U);
    EXPECT_GT(size, 40'000'000U);
    EXPECT_EQ(dump(events[1]), "stanza oversized misshapen " + std::to_string(size) +
                                   " {jabber:component:accept}iq[from=\"f\"][to=\"t\"]"
                                   "[type=\"get\"][id=\"i\"]({urn:q}q())");
    EXPECT_THAT(dump(events[2]), HasSubstr("iq[id=\"next\"]"));
    EXPECT_LT(stream.work(), 3 * size);
  }
}

// A server writes `'` as `&apos;`: what an account may send it grows sixfold on the way to us, 512
// KiB between servers becoming 3 MiB.
TEST(BriefSection2_Bounds, ATagAsLongAsAServerCanMakeItIsThatStanzasFaultAlone) {
  const std::string address = "<iq from='f' to='t' type='get' id='i'";
  const auto tag = [&](std::size_t apostrophes) {
    return address + " a='" + repeat("&apos;", apostrophes) + "'";
  };
  const std::string kept = "iq[from=\"f\"][to=\"t\"][type=\"get\"][id=\"i\"]";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{4096}, SIZE_MAX}) {
    EXPECT_THAT(read_stream(on_stream(tag(45'000) + "/><q/>"), piece),
                ElementsAre(kOpened, StartsWith("stanza 270"), StartsWith("stanza 4 ")));
    const auto large = read_stream(on_stream(tag(524'288) + "/><q/>"), piece);
    ASSERT_EQ(large.size(), 3U);
    EXPECT_THAT(large[1], StartsWith("stanza oversized misshapen 31457"));
    EXPECT_THAT(large[1], HasSubstr(kept));
    EXPECT_THAT(large[2], StartsWith("stanza 4 "));
    const auto within = read_stream(on_stream(address + "><q a='" + repeat("&apos;", 524'288) +
                                              "'>" + repeat("<z/>", 9) + "</q></iq><q/>"),
                                    piece);
    ASSERT_EQ(within.size(), 3U);
    EXPECT_THAT(within[1], HasSubstr(kept));
  }
  std::string many = address;
  for (int i = 0; i < 60'000; ++i) many += " a" + std::to_string(i) + "=''";
  EXPECT_THAT(read_stream(on_stream(many + "/><q/>")),
              ElementsAre(kOpened, StartsWith("stanza oversized misshapen 5"), ::testing::_));
}

TEST(BriefSection2_Bounds, TagOf8388608) {
  const std::size_t limit = std::size_t{8} << 20;
  const auto tag = [](std::size_t size) {
    return "<iq a='" + std::string(size - 15, 'x') + "' b=''/>";
  };
  for (const std::size_t piece : {std::size_t{4'096}, SIZE_MAX}) {
    for (const std::size_t size : {limit, limit + 1, limit + 100, 3 * limit}) {
      const auto events = read_stream(on_stream(tag(size) + "<iq/>"), piece);
      ASSERT_EQ(events.size(), 3U);
      const std::string start = "stanza oversized misshapen " + std::to_string(size);
      EXPECT_THAT(events[1], StartsWith(start));
      EXPECT_EQ(events[2], "stanza 5 {jabber:component:accept}iq()");
    }
  }
}

// A server's 512 KiB hold 65,000 attributes of eight bytes; each becomes two.
TEST(BriefSection2_Bounds, AsManyAttributesAsThereCanBeAreThatStanzasFaultAlone) {
  std::string tag = "<iq id='1'";
  for (int i = 1; i <= 65'000; ++i) {
    const std::string prefix = "ns" + std::to_string(i);
    tag.append(" xmlns:").append(prefix).append("='").append(200, 'u').append("' ");
    tag.append(prefix).append(":a").append(std::to_string(i)).append("=''");
  }
  const auto events = read_stream(on_stream(tag + " to='t'/><iq/>"), 16'384);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_THAT(events[1], StartsWith("stanza oversized misshapen 1"));
  EXPECT_THAT(events[1], HasSubstr("[to=\"t\"]"));
  EXPECT_EQ(events[2], "stanza 5 {jabber:component:accept}iq()");
}

// What addresses the stanza is found wherever it stands in the tag, and nothing is cut in two.
TEST(BriefSection2_Bounds, OfALongTagWhatAddressesTheStanzaIsKept) {
  StreamBounds bounds;
  bounds.tag = 200;
  const std::string address = "[from=\"f&\"][to=\"t>/\"][type=\"get\"][id=\"'\"]";
  const std::string written = " from=\"f&amp;\" to = 't>/' type='get'\n\tid=\"'\"";
  const std::string filling = " b='1' c=\"" + repeat("&apos;>", 99) + "\" d='2'";
  for (const std::string& attributes : {written + filling, filling + written}) {
    for (const std::string_view end : {"/>", " />", "><q xmlns='urn:q'/></iq>"}) {
      const std::string xml = "<iq" + attributes + std::string(end);
      const std::string event = last(xml, bounds);
      EXPECT_THAT(event, StartsWith("stanza misshapen " + std::to_string(xml.size()) + " ")) << xml;
      for (const std::string_view part : {"[from=\"f&\"]", "[to=\"t>/\"]", "[type=\"get\"]"}) {
        EXPECT_THAT(event, HasSubstr(std::string(part))) << xml;
      }
    }
  }
  // An address through which the cut goes is none, wherever it goes through.
  for (std::size_t before = 150; before < 215; ++before) {
    const std::string xml = "<iq a='" + std::string(before, 'x') +
                            "' from='alice@example.test' b='" + std::string(200, 'y') + "'/>";
    const std::string event = last(xml, bounds);
    EXPECT_THAT(event, StartsWith("stanza misshapen"));
    const auto from = event.find("[from=");
    if (from != std::string::npos) {
      EXPECT_EQ(event.substr(from, 27), "[from=\"alice@example.test\"]") << before;
    }
  }
}

TEST(BriefSection2_Bounds, ALongTagIsCutBetweenCharacters) {
  StreamBounds bounds;
  bounds.tag = 200;
  for (const std::string_view character :
       {"&#x1F916;", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\xA4\x96", "&quot;"}) {
    for (std::size_t shift = 0; shift < character.size(); ++shift) {
      const std::string xml = "<a b" + std::string(shift, 'b') + "='" + repeat(character, 299) +
                              "'><c d='" + repeat(character, 299) + "'></c></a>";
      EXPECT_EQ(last(xml, bounds), "stanza misshapen " + std::to_string(xml.size()) +
                                       " {jabber:component:accept}a("
                                       "{jabber:component:accept}c())");
    }
  }
}

TEST(BriefSection2_Bounds, WhatIsNoTagAtSuchALengthEndsTheStream) {
  StreamBounds bounds;
  bounds.tag = 200;
  const std::string long_name(70'000, 'n');
  EXPECT_EQ(last("<" + long_name, bounds), "fault policy-violation: tag too long");
  EXPECT_EQ(last("<iq></" + long_name, bounds), "fault policy-violation: tag too long");
  EXPECT_EQ(last("<iq a='" + std::string(300, 'x') + "'<", bounds),
            "fault not-well-formed: XML is not well-formed");
  EXPECT_EQ(last("<iq id='1' a='" + std::string(300, 'x') + "' id='2'/>", bounds),
            "fault not-well-formed: XML is not well-formed");
  const std::string root =
      "<stream:stream xmlns='jabber:component:accept' xmlns:stream='" + std::string(300, 'x');
  EXPECT_EQ(read_stream(root, 7, bounds).back(), "fault policy-violation: tag too long");
}

TEST(BriefSection2_Bounds, Depth32) {
  const auto nested = [](std::size_t depth) {
    return repeat("<a>", depth) + repeat("</a>", depth);
  };
  EXPECT_THAT(last(nested(32)), StartsWith("stanza 224 "));
  EXPECT_EQ(last(nested(33)),
            "stanza misshapen 231 {jabber:component:accept}a({jabber:component:accept}a())");
}

TEST(BriefSection2_Bounds, AHundredThousandLevelsNeitherRecurseNorGrow) {
  StreamBounds bounds;
  const std::string deep = repeat("<a>", 100'000) + repeat("</a>", 100'000);
  EXPECT_EQ(read_stream(on_stream(deep), 65'536, bounds).back(),
            "stanza oversized misshapen 700000 {jabber:component:accept}a("
            "{jabber:component:accept}a())");
}

TEST(BriefSection2_Bounds, Nodes10000) {
  const auto wide = [](std::size_t children) {
    return "<iq id='1'>" + repeat("<a/>", children) + "</iq>";
  };
  EXPECT_THAT(read_stream(on_stream(wide(9'999))).back(), StartsWith("stanza 40012 "));
  EXPECT_EQ(read_stream(on_stream(wide(10'000))).back(),
            "stanza misshapen 40016 {jabber:component:accept}iq[id=\"1\"]("
            "{jabber:component:accept}a())");
  const auto mixed = [](std::size_t pairs) { return "<iq>" + repeat("<a/>x", pairs) + "</iq>"; };
  EXPECT_THAT(read_stream(on_stream(mixed(4'999))).back(), StartsWith("stanza 25"));
  EXPECT_THAT(read_stream(on_stream(mixed(5'000)), 5).back(), StartsWith("stanza misshapen"));
}

TEST(BriefSection2_Bounds, Attributes32AnElementButNeverTheAddress) {
  const auto with = [](std::size_t count) {
    std::string xml = "<iq";
    for (std::size_t i = 0; i < count; ++i) xml += " a" + std::to_string(i) + "='x'";
    return xml;
  };
  EXPECT_THAT(last(with(32) + "/>"), StartsWith("stanza 2"));
  const std::string over = last(with(33) + " from='f' to='t' type='get' id='i'/>");
  EXPECT_THAT(over, StartsWith("stanza misshapen"));
  EXPECT_THAT(over, HasSubstr("[from=\"f\"][to=\"t\"][type=\"get\"][id=\"i\"]"));
  EXPECT_THAT(over, ::testing::Not(HasSubstr("a32")));
}

TEST(BriefSection2_Bounds, Name512AttributeValue65536) {
  const std::string name(512, 'n');
  EXPECT_THAT(last("<iq><" + name + "/></iq>"), StartsWith("stanza 5"));
  EXPECT_THAT(last("<iq><" + name + "n/></iq>"), StartsWith("stanza misshapen"));
  EXPECT_THAT(last("<iq " + name + "=''/>"), StartsWith("stanza 5"));
  EXPECT_THAT(last("<iq " + name + "n=''/>"), StartsWith("stanza misshapen"));
  EXPECT_THAT(last("<iq xmlns:n='" + name + "'><n:a n:b=''/></iq>"), StartsWith("stanza 5"));
  EXPECT_THAT(last("<iq xmlns:n='" + name + "n'><n:a/></iq>"), StartsWith("stanza misshapen"));
  const std::string value(65'536, 'v');
  EXPECT_THAT(read_stream(on_stream("<iq a='" + value + "'/>"), 999).back(),
              StartsWith("stanza 65546 "));
  EXPECT_EQ(read_stream(on_stream("<iq b='1' a='" + value + "v'/>"), 999).back(),
            "stanza misshapen 65553 {jabber:component:accept}iq[b=\"1\"]()");
}

TEST(BriefSection2_Bounds, Namespaces64AStanza) {
  const auto with = [](std::size_t count) {
    std::string xml = "<iq>";
    for (std::size_t i = 1; i < count; ++i) xml += "<a xmlns='urn:" + std::to_string(i) + "'/>";
    return xml + "</iq>";
  };
  EXPECT_THAT(last(with(64)), StartsWith("stanza 1"));
  EXPECT_THAT(last(with(65)), StartsWith("stanza misshapen"));
}

TEST(BriefSection2_Bounds, TheShapeIsJudgedAlsoWhileSkipping) {
  StreamBounds bounds;
  bounds.stanza = 50;
  EXPECT_EQ(last("<iq>" + std::string(100, 'x') + repeat("<a>", 32) + repeat("</a>", 32) + "</iq>",
                 bounds),
            "stanza oversized misshapen 333 {jabber:component:accept}iq("
            "{jabber:component:accept}a())");
}

TEST(BriefSection2_Bounds, NamespaceNamesAreNotMultiplied) {
  std::string tag = "<iq xmlns:n='" + std::string(120'000, 'u') + "'";
  for (int i = 0; i < 9'000; ++i) tag += " n:a" + std::to_string(i) + "=''";
  ASSERT_LT(tag.size(), 262'000U);
  StreamBounds bounds;
  bounds.parser_memory = 4 << 20;
  EXPECT_THAT(last(tag + "/>", bounds), StartsWith("stanza misshapen"));
}

TEST(BriefSection2_Bounds, NamesThatExpatKeepsAreGivenUpBetweenStanzas) {
  StreamBounds bounds;
  bounds.parser_memory = 4 << 20;
  XmlStream stream(bounds, 1);
  std::vector<StreamEvent> events;
  stream.feed(kHeader, events);
  std::size_t number = 0;
  for (std::size_t round = 1; round <= 100; ++round) {
    std::string xml = "<iq xmlns:n='urn:n'>";
    for (int i = 0; i < 1'000; ++i) {
      const std::string name = std::to_string(++number);
      xml.append("<n:a").append(name).append(" b").append(name).append("=''/>");
    }
    xml += "</iq><iq id='" + std::to_string(round) + "'/>";
    for (std::string_view rest = xml; !rest.empty();) {
      const std::string_view piece = rest.substr(0, 9'999);
      stream.feed(piece, events);
      rest.remove_prefix(piece.size());
    }
    ASSERT_EQ(events.size(), 1 + 2 * round);
    const auto& after = std::get<Stanza>(events.back());
    EXPECT_TRUE(after.root().is("jabber:component:accept", "iq"));
    EXPECT_EQ(after.root().attribute("id"), std::to_string(round));
    EXPECT_EQ(after.wire_size(), std::string("<iq id=''/>").size() + std::to_string(round).size());
  }
  stream.feed("</stream:stream>", events);
  EXPECT_TRUE(std::holds_alternative<StreamClosed>(events.back()));
}

TEST(BriefSection2_Bounds, ATagInTinyPiecesIsLinearWork) {
  XmlStream stream({}, 1);
  std::vector<StreamEvent> events;
  stream.feed(kHeader, events);
  const std::string plain = "<iq a=\"" + repeat(">'>>", 8'000) + "\"/>";
  for (const char& c : plain) stream.feed({&c, 1}, events);
  EXPECT_EQ(events.size(), 2U);
  EXPECT_LT(stream.work(), 4 * plain.size());
}

TEST(BriefSection2_Bounds, TheEndOfAStanzaNeverWaitsForLaterBytes) {
  XmlStream stream({}, 1);
  std::vector<StreamEvent> events;
  stream.feed(kHeader, events);
  for (int round = 0; round < 50; ++round) {
    const std::string xml = "<iq a='" + std::string(20'000, 'x') + "'><b/></iq>";
    stream.feed(std::string_view(xml).substr(0, 19'000), events);
    const std::size_t before = events.size();
    stream.feed(std::string_view(xml).substr(19'000), events);
    EXPECT_EQ(events.size(), before + 1);
  }
}

}  // namespace
}  // namespace interline::xmpp
