#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "base/sha256.hpp"
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/hash_element.hpp"
#include "bindings/xmpp/json_payload.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using testing::read_stanza;

// --- XEP-0300 ------------------------------------------------------------------------------------

Result<ContentHash> hash_of(std::string_view xml) {
  return read_hash(read_stanza(xml).root());
}

const std::string kBase64 = "K2/YdwvIBAlfUIeZHiNCyiYA4m4W2wrEOqXQDoQyXp4=";

std::string hash_xml(std::string_view content, std::string_view algo = "sha-256") {
  return "<hash xmlns='urn:xmpp:hashes:2' algo='" + std::string(algo) + "'>" +
         std::string(content) + "</hash>";
}

TEST(Xep0300_Hash, WrittenAsTheSpecificationsExamples) {
  std::string out;
  XmlWriter w(out, ns::kAgentApi);
  write_hash(w, sha256(R"({"agent":{"jid":"weather@agents.example","name":"weather","version":)"
                       R"("1.4.0"},"manifestSpecVersion":"0","tools":[]})"));
  EXPECT_EQ(out, hash_xml(kBase64));
}

TEST(Xep0300_Hash, ReadsWhatIsWritten) {
  const Digest digest = sha256("x");
  std::string out;
  XmlWriter w(out, ns::kComponent);
  write_hash(w, digest);
  const auto hash = hash_of(out);
  ASSERT_TRUE(hash);
  EXPECT_EQ(hash->algorithm, "sha-256");
  EXPECT_TRUE(hash->equals(digest));
  EXPECT_FALSE(hash->equals(sha256("y")));
}

TEST(Xep0300_Hash, WhiteSpaceAroundIsToleratedInsideNot) {
  EXPECT_TRUE(hash_of(hash_xml(" \n\t" + kBase64 + "\r\n ")));
  std::string broken = kBase64;
  EXPECT_FALSE(hash_of(hash_xml(broken.insert(20, "\n"))));
}

TEST(Xep0300_Hash, BadOnesAreMalformed) {
  for (const std::string& xml : {
           hash_xml(""),
           hash_xml("K2/Y"),
           hash_xml(kBase64.substr(0, 43)),
           hash_xml("K2_YdwvIBAlfUIeZHiNCyiYA4m4W2wrEOqXQDoQyXp4="),
           hash_xml("K2/YdwvIBAlfUIeZHiNCyiYA4m4W2wrEOqXQDoQyXp5="),  // tail bits
           hash_xml(kBase64, ""),
           hash_xml("<b/>" + kBase64),
           "<hash xmlns='urn:xmpp:hashes:2'>" + kBase64 + "</hash>",
           "<hash xmlns='urn:xmpp:hashes:1' algo='sha-256'>" + kBase64 + "</hash>",
       }) {
    const auto hash = hash_of(xml);
    ASSERT_FALSE(hash) << xml;
    EXPECT_EQ(hash.error().kind, ErrorKind::malformed);
  }
}

TEST(Xep0300_Hash, AlgorithmIsCaseSensitiveAndAnotherOneNeverEqual) {
  const auto hash = hash_of(hash_xml(kBase64, "SHA-256"));
  ASSERT_TRUE(hash);
  Digest digest;
  std::copy(hash->digest.begin(), hash->digest.end(), digest.begin());
  EXPECT_FALSE(hash->equals(digest));
  EXPECT_TRUE(hash_of(hash_xml("AAAA", "md5")));
}

TEST(Xep0300_Hash, AContainerHoldsExactlyOne) {
  const auto contained = [](const std::string& inner) {
    return read_contained_hash(read_stanza("<manifest-hash xmlns='urn:xmpp:agent-task:0'>" + inner +
                                           "</manifest-hash>")
                                   .root())
        .has_value();
  };
  EXPECT_TRUE(contained(hash_xml(kBase64)));
  EXPECT_TRUE(contained("\n  " + hash_xml(kBase64) + "\n"));
  EXPECT_FALSE(contained(""));
  EXPECT_FALSE(contained(hash_xml(kBase64) + hash_xml(kBase64)));
  EXPECT_FALSE(contained(hash_xml(kBase64) + "<x/>"));
  EXPECT_FALSE(contained("x" + hash_xml(kBase64)));
}

// --- strict elements -----------------------------------------------------------------------------

constexpr std::array<std::string_view, 2> kRequired = {"request-id", "tool"};
constexpr std::array<std::string_view, 1> kOptional = {"note"};
constexpr std::array<ChildShape, 3> kChildren = {{{ns::kAgentTask, "manifest-hash", true},
                                                  {ns::kAgentTask, "arguments", true},
                                                  {ns::kAgentTask, "deadline", false}}};
constexpr ElementShape kShape = {
    .required = kRequired, .optional = kOptional, .children = kChildren};

bool fits(std::string_view attributes, std::string_view content) {
  const Stanza stanza =
      read_stanza("<invoke xmlns='urn:xmpp:agent-task:0' xmlns:f='urn:f' " +
                  std::string(attributes) + ">" + std::string(content) + "</invoke>");
  const auto result = check_shape(stanza.root(), kShape);
  if (!result) {
    EXPECT_EQ(result.error().kind, ErrorKind::malformed);
  }
  return result.has_value();
}

TEST(BriefDecision3_StrictXml, Attributes) {
  const char* content = "<manifest-hash/><arguments/>";
  EXPECT_TRUE(fits("request-id='' tool=''", content));
  EXPECT_TRUE(fits("tool='' note='' request-id=''", content));
  EXPECT_TRUE(fits("request-id='' tool='' xml:lang='en' f:other=''", content));
  EXPECT_FALSE(fits("request-id=''", content));
  EXPECT_FALSE(fits("request-id='' f:tool=''", content));
  EXPECT_FALSE(fits("request-id='' tool='' other=''", content));
}

TEST(BriefDecision3_StrictXml, ChildrenInOrderAndStrayText) {
  const char* attributes = "request-id='' tool=''";
  EXPECT_TRUE(fits(attributes, "<manifest-hash/>\n <arguments/>\n <deadline/>\n"));
  for (const char* bad :
       {"", "<manifest-hash/>", "<arguments/><manifest-hash/>",
        "<manifest-hash/><arguments/><arguments/>", "<manifest-hash/><arguments/><other/>",
        "<manifest-hash/><deadline/><arguments/>", "<manifest-hash/><arguments/>text",
        "<manifest-hash/><arguments xmlns='urn:f'/>", "<manifest-hash/><arguments/><f:extension/>",
        "<manifest-hash/><arguments/><deadline/><deadline/>"}) {
    EXPECT_FALSE(fits(attributes, bad)) << bad;
  }
}

TEST(BriefDecision3_StrictXml, TextElementsHaveNoElements) {
  static constexpr ElementShape kText = {
      .required = {}, .optional = {}, .children = {}, .content = ElementShape::Content::text};
  EXPECT_TRUE(check_shape(read_stanza("<reason>why <![CDATA[<]]></reason>").root(), kText));
  EXPECT_TRUE(check_shape(read_stanza("<reason/>").root(), kText));
  EXPECT_FALSE(check_shape(read_stanza("<reason>why<b/></reason>").root(), kText));
  EXPECT_FALSE(check_shape(read_stanza("<reason x=''>why</reason>").root(), kText));
}

// --- JSON in XML ---------------------------------------------------------------------------------

Result<std::string> json_of(std::string_view attributes, std::string_view content) {
  return read_json_text(
      read_stanza("<json " + std::string(attributes) + ">" + std::string(content) + "</json>")
          .root());
}

TEST(BriefSection8_JsonInXml, IsTheCharacterDataPutTogether) {
  EXPECT_EQ(json_of("media-type='application/json'",
                    "{&quot;a&quot;:<![CDATA[\"<b>\"]]> , \"c\":&#34;&#x1F916;\"}"),
            "{\"a\":\"<b>\" , \"c\":\"\U0001F916\"}");
}

TEST(BriefSection8_JsonInXml, MediaTypesAreExact) {
  for (const char* bad : {"", "media-type=''", "media-type='application/json; charset=utf-8'",
                          "media-type='Application/JSON'", "media-type=' application/json'",
                          "media-type='application/schema+json'"}) {
    const auto text = json_of(bad, "{}");
    ASSERT_FALSE(text) << bad;
    EXPECT_EQ(text.error().kind, ErrorKind::malformed);
  }
  EXPECT_TRUE(
      read_json_text(read_stanza("<json media-type='application/schema+json'>{}</json>").root(),
                     media_type::kSchema));
}

TEST(BriefSection8_JsonInXml, ElementsInsideAreMalformed) {
  EXPECT_FALSE(json_of("media-type='application/json'", "{}<b/>"));
}

TEST(BriefSection8_JsonInXml, FaultsByKind) {
  const auto kind = [](std::string_view text, const json::Limits& limits = {}) {
    auto document = parse_json_payload(std::string(text), limits);
    return document ? std::string("good") : std::string(to_string(document.error().kind));
  };
  EXPECT_EQ(kind(" {\"a\": [1, 2.5e3]}\n"), "good");
  for (const char* bad :
       {"", " ", "{", "{} {}", "nul", "'a'", "\uFEFF{}", "{\"a\":01}", "\"\t\""}) {
    EXPECT_EQ(kind(bad), "malformed") << bad;
  }
  for (const char* bad : {"{\"a\":1,\"\\u0061\":2}", "\"\\ud800\"", "1e400"}) {
    EXPECT_EQ(kind(bad), "not_acceptable") << bad;
  }
  json::Limits limits;
  limits.bytes = 10;
  limits.depth = 2;
  EXPECT_EQ(kind("12345678901", limits), "resource_constraint");
  EXPECT_EQ(kind("[[[]]]", limits), "resource_constraint");
  EXPECT_EQ(kind("\"\\uFFFF\""), "good");
}

}  // namespace
}  // namespace interline::xmpp
