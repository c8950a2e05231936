// ProtoXEP "Agent API Manifest", "Registering Agent APIs", "Retrieving Tool Schemas".
#include "catalog/manifest.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"

namespace interline::catalog {
namespace {

using ::testing::HasSubstr;

// The brief's example, whose hashes are known.
constexpr std::string_view kDesk =
    R"({"agent":{"jid":"desk@agents.example.test","name":"desk","title":"Help Desk","version":"2"},)"
    R"("manifestSpecVersion":"0","tools":[{"inputSchema":{"properties":{"text":{"type":"string"}},)"
    R"("required":["text"],"type":"object"},"name":"ticket.open","outputSchema":{"properties":)"
    R"({"number":{"type":"integer"}},"type":"object"},"urn:xmpp:agent-api:0":)"
    R"({"supportsCancellation":true,"supportsInput":true,"supportsProgress":true}}]})";

std::string base64(const Digest& digest) {
  return encode_base64(BytesView(digest));
}

/// A manifest around these agent members and tools.
std::string made(std::string_view agent, std::string_view tools = "") {
  std::string text = R"({"manifestSpecVersion":"0","agent":{"jid":"a@b.example","name":"a",)";
  text.append(R"("version":"1")").append(agent).append(R"(},"tools":[)").append(tools);
  return text.append("]}");
}
std::string tool(std::string_view name, std::string_view more = "",
                 std::string_view input = R"({"type":"object"})") {
  std::string text = R"({"name":")";
  text.append(name).append(R"(","inputSchema":)").append(input).append(more);
  return text.append("}");
}

Error refusal(std::string_view text, const ManifestLimits& limits = {}) {
  const auto read = read_manifest(text, limits);
  EXPECT_FALSE(read) << text;
  return read ? Error(ErrorKind::internal, "read") : read.error();
}

TEST(ProtoXep_Manifest, TheHashIsThatOfTheCanonicalBytes) {
  const auto read = read_manifest(kDesk);
  ASSERT_TRUE(read) << read.error().message;
  const Manifest& manifest = **read;
  EXPECT_EQ(manifest.text, kDesk);
  EXPECT_EQ(manifest.text.size(), 417U);
  EXPECT_EQ(base64(manifest.hash), "4on8kZ0DcbAB2jOaZnwrrivdltaDXcCW/xq/e/sOBek=");
  const Tool& ticket = manifest.tools.at(0);
  EXPECT_EQ(base64(ticket.input_schema_hash), "49zo0a+40DYErzvGcpIZpc198FVYgHtuROOR1W/fddk=");
  EXPECT_EQ(base64(ticket.output_schema_hash), "YxIcQalBLdy8a1CfhbDsBmjVsgh3mlkmxFmbfl9/BD8=");
  EXPECT_TRUE(ticket.supports_progress && ticket.supports_cancellation && ticket.supports_input);
}

TEST(ProtoXep_Manifest, SourceFormattingIsNotPartOfIt) {
  const std::string spelled =
      "\t{ \"tools\" : [ ] ,\n\"agent\":{\"version\":\"1\",\"name\":\"\\u0061\",\"jid\":"
      "\"a@b.example\"}, \"manifestSpecVersion\":\"\\u0030\"}\r\n";
  const auto one = read_manifest(spelled);
  const auto other = read_manifest(made(""));
  ASSERT_TRUE(one && other);
  EXPECT_EQ((*one)->text, (*other)->text);
  EXPECT_EQ((*one)->hash, (*other)->hash);
}

TEST(ProtoXep_Manifest, EveryFieldIsRead) {
  const auto read = read_manifest(
      made(R"(,"title":"T","description":"D","vendor":"V","homepage":"https://h.example/",)"
           R"("avatarUrl":"https://a.example/")",
           tool("one", R"(,"title":"TT","description":"DD","annotations":{"readOnlyHint":true,)"
                       R"("destructiveHint":false,"idempotentHint":"yes"},"urn:xmpp:agent-api:0":)"
                       R"({"defaultTimeoutSeconds":5,"maximumTimeoutSeconds":1e300,)"
                       R"("requiredPermissions":["p","q"],"approvalRequired":true})")));
  ASSERT_TRUE(read) << read.error().message;
  const Manifest& manifest = **read;
  EXPECT_EQ(manifest.jid, "a@b.example");
  EXPECT_EQ(manifest.title, "T");
  EXPECT_EQ(manifest.description, "D");
  EXPECT_EQ(manifest.vendor, "V");
  EXPECT_EQ(manifest.homepage, "https://h.example/");
  EXPECT_EQ(manifest.avatar_url, "https://a.example/");
  const Tool& one = manifest.tools.at(0);
  EXPECT_EQ(one.title, "TT");
  EXPECT_EQ(one.description, "DD");
  EXPECT_EQ(one.annotations.read_only, true);
  EXPECT_EQ(one.annotations.destructive, false);
  EXPECT_EQ(one.annotations.idempotent, std::nullopt) << "no boolean, so there is no hint";
  EXPECT_EQ(one.annotations.open_world, std::nullopt);
  EXPECT_EQ(one.default_timeout_seconds, 5U);
  EXPECT_EQ(one.maximum_timeout_seconds, 9'000'000'000U) << "cut to what a clock can hold";
  EXPECT_EQ(one.required_permissions, (std::vector<std::string>{"p", "q"}));
  EXPECT_TRUE(one.approval_required);
  EXPECT_FALSE(one.supports_progress) << "absent is false";
  EXPECT_EQ(one.output_schema_text, "");
  EXPECT_FALSE(one.output_schema.has_value());
}

TEST(ProtoXep_Manifest, EachRequiredMemberIsRequired) {
  for (
      const auto text : {
          R"({"agent":{"jid":"a@b","name":"a","version":"1"},"tools":[]})",
          R"({"manifestSpecVersion":"0","tools":[]})",
          R"({"manifestSpecVersion":"0","agent":{"name":"a","version":"1"},"tools":[]})",
          R"({"manifestSpecVersion":"0","agent":{"jid":"a@b","version":"1"},"tools":[]})",
          R"({"manifestSpecVersion":"0","agent":{"jid":"a@b","name":"a"},"tools":[]})",
          R"({"manifestSpecVersion":"0","agent":{"jid":"a@b","name":"a","version":"1"}})",
          R"({"manifestSpecVersion":"1","agent":{"jid":"a@b","name":"a","version":"1"},"tools":[]})",
      }) {
    EXPECT_EQ(refusal(text).kind, ErrorKind::not_acceptable) << text;
  }
  EXPECT_EQ(refusal(made("", R"({"inputSchema":{"type":"object"}})")).message,
            "The manifest is refused at /tools/0/name: this member is required");
  EXPECT_EQ(refusal(made("", R"({"name":"x"})")).message,
            "The manifest is refused at /tools/0/inputSchema: this member is required");
}

TEST(ProtoXep_Manifest, UrisAreHttpsWithAHostAndWithoutAUser) {
  for (const auto member : {"homepage", "avatarUrl"}) {
    for (const auto uri : {"https://user@example.org/", "https:///", "https://:8", "http://x",
                           "HTTPS://example.org"}) {
      const std::string agent = std::string(",\"") + member + "\":\"" + uri + "\"";
      const Error error = refusal(made(agent));
      EXPECT_EQ(error.kind, ErrorKind::not_acceptable) << uri;
      EXPECT_THAT(error.message, HasSubstr(std::string("/agent/") + member));
      EXPECT_THAT(error.message, Not(HasSubstr("example"))) << "payloads are not reflected";
    }
  }
}

TEST(ProtoXep_ToolNames, AreUniqueByCodePoint) {
  EXPECT_EQ(refusal(made("", tool("x") + "," + tool("x"))).message,
            "The manifest is refused at /tools: two tools have the same name");
  EXPECT_EQ(refusal(made("", tool("x") + "," + tool("\\u0078"))).kind, ErrorKind::not_acceptable);
  const auto twins = read_manifest(made("", tool("\u00E9") + "," + tool("e\u0301")));
  ASSERT_TRUE(twins) << "composed and decomposed are two names";
  EXPECT_NE((*twins)->find_tool("\u00E9"), (*twins)->find_tool("e\u0301"));
}

TEST(ProtoXep_ToolNames, HaveOnlyCharactersThatXmlHas) {
  for (const auto name : {"a\\u0000b", "\\u001F", "\\uFFFE", "\\uFFFF", "\uFFFE"}) {
    EXPECT_EQ(refusal(made("", tool(name))).message,
              "The manifest is refused at /tools/0/name: a character that XML cannot carry");
  }
  for (const auto name : {"\\t", "\\n", "\\r", " ", "\\uFFFD", "\\uD83D\\uDE00"}) {
    EXPECT_TRUE(read_manifest(made("", tool(name)))) << name;
  }
  EXPECT_EQ(refusal(made("", tool(""))).kind, ErrorKind::not_acceptable);
}

TEST(ProtoXep_Manifest, NoStringHasACharacterThatItsBytesCouldNotCarry) {
  const Error error = refusal(made(R"(,"title":"\uFFFF")"));
  EXPECT_EQ(error.message,
            "The manifest is refused at its root: a character that XML cannot carry");
  EXPECT_TRUE(read_manifest(made(R"(,"title":"\u0001")"))) << "canonical JSON escapes it";
}

TEST(ProtoXep_Tools, AreOrderedByTheBytesOfTheirNames) {
  const auto read = read_manifest(
      made("", tool("b") + "," + tool("\u00E9") + "," + tool("B") + "," + tool("b.a")));
  ASSERT_TRUE(read);
  std::vector<std::string> names;
  for (const Tool& one : (*read)->tools) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"B", "b", "b.a", "\u00E9"}));
  EXPECT_EQ((*read)->find_tool("b.a")->name, "b.a");
  EXPECT_EQ((*read)->find_tool("c"), nullptr);
}

TEST(ProtoXep_ToolSchemas, AreThoseThatCanBeRegistered) {
  struct Row {
    const char* input;
    const char* named;  // by the message
  };
  const Row rows[] = {
      {R"({"type":"string"})", "type"},
      {R"({})", "type"},
      {R"({"type":"object","$ref":"https://example.org/x"})", "$ref"},
      {R"({"type":"object","dependencies":{}})", "dependencies"},
      {R"({"type":"object","$vocabulary":{"https://example.org/v":true}})", "vocabulary"},
      {R"({"type":"object","$schema":"http://json-schema.org/draft-04/schema#"})", "schema"},
      {R"({"type":"object","pattern":"("})", "pattern"},
  };
  for (const Row& row : rows) {
    const Error error = refusal(made("", tool("x", "", row.input)));
    EXPECT_EQ(error.kind, ErrorKind::not_acceptable) << row.input;
    EXPECT_THAT(error.message, HasSubstr("At /tools/0/inputSchema: "));
    EXPECT_THAT(error.message, HasSubstr(row.named));
  }
  EXPECT_TRUE(read_manifest(made("", tool("x", R"(,"outputSchema":{})"))))
      << "an output's root is free";
  EXPECT_THAT(refusal(made("", tool("x", R"(,"outputSchema":{"type":"thing"})"))).message,
              HasSubstr("At /tools/0/outputSchema: "));
}

TEST(ProtoXep_Json, FaultsHaveTheirKinds) {
  struct Row {
    std::string text;
    ErrorKind kind;
  };
  const Row rows[] = {{"", ErrorKind::malformed},
                      {"{", ErrorKind::malformed},
                      {made("") + "x", ErrorKind::malformed},
                      {"\xEF\xBB\xBF" + made(""), ErrorKind::malformed},
                      {"[]", ErrorKind::not_acceptable},
                      {made(R"(,"title":"a","title":"b")"), ErrorKind::not_acceptable},
                      {made(R"(,"title":"a","\u0074itle":"b")"), ErrorKind::not_acceptable},
                      {made(R"(,"title":"\uD800")"), ErrorKind::not_acceptable},
                      {made("", tool("x", R"(,"_meta":{"n":1e400})")), ErrorKind::not_acceptable}};
  for (const Row& row : rows) EXPECT_EQ(refusal(row.text).kind, row.kind) << row.text;
}

TEST(Limits, AManifestHasSoManyBytesAndNoMore) {
  const std::string text = made("");
  ManifestLimits limits;
  limits.manifest_bytes = text.size();
  EXPECT_TRUE(read_manifest(text, limits));
  limits.manifest_bytes = text.size() - 1;
  EXPECT_EQ(refusal(text, limits).kind, ErrorKind::resource_constraint);
}

TEST(Limits, ASchemaHasSoManyBytesAndNoMore) {
  const std::string text = made("", tool("x"));
  ManifestLimits limits;
  limits.schema_bytes = std::string_view(R"({"type":"object"})").size();
  EXPECT_TRUE(read_manifest(text, limits));
  limits.schema_bytes -= 1;
  const Error error = refusal(text, limits);
  EXPECT_EQ(error.kind, ErrorKind::resource_constraint);
  EXPECT_EQ(error.reason, ErrorReason::too_large);
}

TEST(Limits, AManifestIsSoDeepAndNoDeeper) {
  const auto nested = [](std::size_t depth) {  // the root, agent's sibling tools, tool, _meta: 4
    std::string meta = "{}";
    for (std::size_t i = 4; i < depth; ++i) meta = R"({"a":)" + meta + "}";
    return made("", tool("x", R"(,"_meta":)" + meta));
  };
  EXPECT_TRUE(read_manifest(nested(64)));
  EXPECT_EQ(refusal(nested(65)).kind, ErrorKind::resource_constraint);
}

}  // namespace
}  // namespace interline::catalog
