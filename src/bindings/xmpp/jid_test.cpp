#include "bindings/xmpp/jid.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline::xmpp {
namespace {

std::string prepared(std::string_view text) {
  auto jid = Jid::parse(text);
  return jid ? jid->text() : "(refused)";
}

TEST(Rfc6122_Addresses, PartsAreSplitAtTheFirstSlashAndTheFirstAt) {
  auto jid = Jid::parse("desk@agents.example.test/node/1@home");
  ASSERT_TRUE(jid);
  EXPECT_EQ(jid->localpart(), "desk");
  EXPECT_EQ(jid->domain(), "agents.example.test");
  EXPECT_EQ(jid->resource(), "node/1@home");
  EXPECT_EQ(jid->bare(), "desk@agents.example.test");
  EXPECT_FALSE(jid->is_bare());
  EXPECT_EQ(jid->to_bare().text(), "desk@agents.example.test");
  EXPECT_TRUE(jid->to_bare().is_bare());
  EXPECT_EQ(jid->to_bare().resource(), "");
}

TEST(Rfc6122_Addresses, DomainAloneAndDomainWithResource) {
  auto domain = Jid::parse("agents.example.test");
  ASSERT_TRUE(domain);
  EXPECT_FALSE(domain->has_localpart());
  EXPECT_EQ(domain->localpart(), "");
  EXPECT_EQ(domain->domain(), "agents.example.test");
  auto resource = Jid::parse("agents.example.test/x");
  ASSERT_TRUE(resource);
  EXPECT_EQ(resource->domain(), "agents.example.test");
  EXPECT_EQ(resource->resource(), "x");
}

TEST(Rfc6122_Addresses, EmptyPartsAreRefused) {
  for (const char* text : {"", "@example.test", "a@", "a@example.test/", "/x", "a@/x", ".", "a@.",
                           "a..b", ".a", "a@b@c"}) {
    EXPECT_EQ(prepared(text), "(refused)") << text;
  }
}

TEST(Rfc6122_Addresses, PartsHaveAtMost1023Bytes) {
  const std::string fits(1023, 'a');
  const std::string over(1024, 'a');
  EXPECT_NE(prepared(fits + "@" + fits + "/" + fits), "(refused)");
  EXPECT_EQ(prepared(over + "@d"), "(refused)");
  EXPECT_EQ(prepared("a@" + over), "(refused)");
  EXPECT_EQ(prepared("a@d/" + over), "(refused)");
  std::string grows;  // U+FDFA becomes 18 code points, 33 bytes
  for (int i = 0; i < 40; ++i) grows += "\uFDFA";
  EXPECT_EQ(prepared(grows + "@d"), "(refused)");
}

TEST(Rfc6122_Addresses, IllFormedUtf8IsRefused) {
  EXPECT_EQ(prepared("a\xC0\xAF@d"), "(refused)");
  EXPECT_EQ(prepared("a@d\xED\xA0\x80"), "(refused)");
  EXPECT_EQ(prepared("a@d/\xF5\x80\x80\x80"), "(refused)");
  EXPECT_EQ(prepared(std::string_view("a\0b@d", 5)), "(refused)");
}

TEST(BriefSection7_Jids, LocalpartsGoThroughNodeprep) {
  EXPECT_EQ(prepared("Jul@example.test/R"), "jul@example.test/R");
  EXPECT_EQ(prepared("Straße@d"), "strasse@d");
  EXPECT_EQ(prepared("ς@d"), "σ@d");
  EXPECT_EQ(prepared("ＡＢ@d"), "ab@d");
  EXPECT_EQ(prepared("①@d"), "1@d");
  EXPECT_EQ(prepared("a\u200Db@d"), "ab@d");
  EXPECT_EQ(prepared("a b@d"), "(refused)");
  for (const char c : std::string_view("\"&':<>")) {
    EXPECT_EQ(prepared(std::string("a") + c + "b@d"), "(refused)") << c;
    EXPECT_EQ(prepared(std::string("é") + c + "b@d"), "(refused)") << c;
  }
}

TEST(BriefSection7_Jids, AsciiFastPathAgreesWithNodeprepAndResourceprep) {
  for (int c = 1; c < 128; ++c) {
    const std::string one(1, static_cast<char>(c));
    // A neighbour that nodeprep leaves alone sends the same character through ICU.
    auto fast = prepare_localpart(one, Unassigned::allow);
    auto slow = prepare_localpart(one + "é", Unassigned::allow);
    ASSERT_EQ(fast.has_value(), slow.has_value()) << c;
    if (fast) {
      EXPECT_EQ(*fast + "é", *slow) << c;
    }
    fast = prepare_resource(one, Unassigned::allow);
    slow = prepare_resource(one + "é", Unassigned::allow);
    ASSERT_EQ(fast.has_value(), slow.has_value()) << c;
    if (fast) {
      EXPECT_EQ(*fast + "é", *slow) << c;
    }
  }
}

TEST(BriefSection7_Jids, ResourcesKeepCaseAndSpaces) {
  EXPECT_EQ(prepared("a@d/My Phone"), "a@d/My Phone");
  EXPECT_EQ(prepared("a@d/ＡＢ"), "a@d/AB");
  EXPECT_EQ(prepared("a@d/\t"), "(refused)");
  EXPECT_EQ(prepared("a@d/ß"), "a@d/ß");
}

TEST(BriefSection7_Jids, DomainsEndAsLowerCaseULabelsWithoutTrailingDot) {
  EXPECT_EQ(prepared("a@Agents.EXAMPLE.test."), "a@agents.example.test");
  EXPECT_EQ(prepared("a@example.test.."), "(refused)");
  EXPECT_EQ(prepared("a@xn--bcher-kva.test"), "a@bücher.test");
  EXPECT_EQ(prepared("a@XN--BCHER-KVA.test"), "a@bücher.test");
  EXPECT_EQ(prepared("a@BÜCHER.test"), "a@bücher.test");
  EXPECT_EQ(prepared("a@bu\u0308cher.test"), "a@bücher.test");
  EXPECT_EQ(prepared("a@exa mple.test"), "(refused)");
  EXPECT_EQ(prepared("a@[2001:DB8::1]"), "a@[2001:db8::1]");
  EXPECT_EQ(prepared("a@[x]"), "(refused)");
}

TEST(BriefSection7_Jids, DnsNamesThatNameprepWouldUnifyStayApart) {
  // "straße.test" on the wire is strasse.test to every stringprep server; the DNS name of IDNA2008
  // is another one and may belong to somebody else.
  EXPECT_EQ(prepared("a@straße.test"), "a@strasse.test");
  EXPECT_EQ(prepared("a@xn--strae-oqa.test"), "a@xn--strae-oqa.test");
}

TEST(BriefSection7_Jids, CompatibilityFormsOfSeparatorsStayOutOfDomains) {
  EXPECT_EQ(prepared("a@é\uFF20b.test"), "(refused)");
  EXPECT_EQ(prepared("a@é\uFF0Fb.test"), "(refused)");
  EXPECT_EQ(prepared("a@é\uFF0Eb.test"), "(refused)");
  EXPECT_EQ(prepared("a@\u2100b.test"), "(refused)");  // ℀ is "a/c"
}

TEST(BriefSection7_Jids, BrokenALabelsAreRefused) {
  EXPECT_EQ(prepared("a@xn--.test"), "(refused)");
  EXPECT_EQ(prepared("a@xn--abc-.test"), "(refused)");
  EXPECT_EQ(prepared("a@xn--\u00fc.test"), "(refused)");
  EXPECT_EQ(prepared("a@xn--999999999.test"), "(refused)");
}

TEST(BriefSection7_Jids, UnassignedCodePointsPassInSendersOnly) {
  const std::string emoji = "\U0001F916@d";  // Unicode 6
  EXPECT_EQ(prepared(emoji), emoji);
  EXPECT_FALSE(Jid::parse(emoji, Unassigned::refuse));
  EXPECT_TRUE(Jid::parse("é@d", Unassigned::refuse));
}

TEST(BriefSection7_Jids, PreparedFormsAreFixpoints) {
  for (const char* text :
       {"Straße@BÜCHER.test/ＡＢ", "①@xn--bcher-kva.test/x", "a@xn--strae-oqa.test", "ǅ@d/Ⅷ",
        "\u0130@d", "\u1E9E@d", "\u03F4@d/\u2126", "\u0345\u0300@d", "ﷺ@d"}) {
    auto once = Jid::parse(text);
    if (!once) continue;
    auto twice = Jid::parse(once->text());
    ASSERT_TRUE(twice) << text;
    EXPECT_EQ(*once, *twice) << text;
  }
}

TEST(BriefSection42_Order, IsThatOfOctets) {
  std::vector<std::string> sorted = {"a-b@d", "a.b@d", "a@d", "b@d", "é@d"};
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    EXPECT_LT(*Jid::parse(sorted[i - 1]), *Jid::parse(sorted[i]));
  }
}

TEST(BriefSection7_EndpointNames, PlainNamesEveryServerLeavesAlone) {
  for (const char* name : {"weather", "a", "0", "a.b_c-d", "x--"}) {
    EXPECT_TRUE(is_endpoint_localpart(name)) << name;
    EXPECT_TRUE(is_endpoint_localpart(name, true)) << name;
  }
  for (const char* name : {"", "Weather", ".a", "-a", "_a", "a b", "a+b", "a~b", "a/b", "a@b"}) {
    EXPECT_FALSE(is_endpoint_localpart(name)) << name;
    EXPECT_FALSE(is_endpoint_localpart(name, true)) << name;
  }
  EXPECT_TRUE(is_endpoint_localpart(std::string(64, 'a')));
  EXPECT_FALSE(is_endpoint_localpart(std::string(65, 'a')));
}

TEST(BriefSection7_EndpointNames, UnicodeNamesOnlyWhereBothProfilesAgree) {
  EXPECT_FALSE(is_endpoint_localpart("wetter-münchen"));
  for (const char* name : {"wetter-münchen", "погода", "天気", "καιρός2"}) {
    const bool final_sigma = std::string_view(name).find("ς") != std::string_view::npos;
    EXPECT_EQ(is_endpoint_localpart(name, true), !final_sigma) << name;
  }
  for (const char* name : {"straße", "①", "Погода", "ａ", "ﬁ", "\U0001F916", "m\u0075\u0308nchen",
                           "a\u200Db", "☂", "ü+", "ü ", "Ⅷ", "ªb"}) {
    EXPECT_FALSE(is_endpoint_localpart(name, true)) << name;
  }
}

TEST(BriefSection7_EndpointJids, AreBareWithALocalpartAndEchoedPrepared) {
  auto jid = parse_endpoint_jid("Desk@AGENTS.example.test");
  ASSERT_TRUE(jid);
  EXPECT_EQ(jid->text(), "desk@agents.example.test");
  for (const char* text : {"agents.example.test", "desk@agents.example.test/x", "xmpp:desk@a b",
                           "xmpp:desk@agents.example.test", ""}) {
    auto refused = parse_endpoint_jid(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().kind, ErrorKind::malformed);
  }
}

}  // namespace
}  // namespace interline::xmpp
