// From a runtime's tools to a manifest, and what is said about losses. ProtoXEP, "MCP Mapping".
#include "app/importer.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tool_import.hpp"
#include "json/parse.hpp"

namespace interline::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kSchema = R"("inputSchema":{"type":"object"})";

std::string tool(std::string_view name, std::string_view more = "") {
  std::string text = R"({"name":")";
  text.append(name).append("\",").append(kSchema).append(more);
  return text.append("}");
}

EndpointTable table(std::string version = "") {
  EndpointTable made;
  made.name = "desk";
  made.version = std::move(version);
  return made;
}

engine::RuntimeFeatures everything() {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = true;
  return features;
}

Result<Imported> import(std::vector<std::string> definitions,
                        const EndpointTable& endpoint = table(),
                        const catalog::ManifestLimits& limits = {}) {
  engine::ImportedTools tools;
  tools.definitions = std::move(definitions);
  return import_tools(endpoint, tools, everything(), "agents.example.test", limits);
}

/// "TOOL LOCATION: LOSS", a line each.
std::string losses(const Imported& imported) {
  const auto report = json::parse_borrowed(imported.loss_report);
  std::string lines;
  for (const json::Value& item : report->root().items()) {
    lines.append(item.find("tool")->as_string()).append(" ");
    lines.append(item.find("location")->as_string()).append(": ");
    lines.append(item.find("loss")->as_string()).append("\n");
  }
  return lines;
}

std::vector<std::string> names(const Imported& imported) {
  std::vector<std::string> all;
  for (const catalog::Tool& one : imported.manifest->tools) all.push_back(one.name);
  return all;
}

TEST(Importer, TheManifestIsMadeOfTheTableAndTheTools) {
  EndpointTable endpoint = table("1.4.0");
  endpoint.title = "Help Desk";
  endpoint.description = "D";
  endpoint.vendor = "V";
  engine::ImportedTools tools;
  tools.definitions = {tool("ticket.open", R"(,"annotations":{"readOnlyHint":false})")};
  tools.server_name = "desk-server";
  tools.server_version = "7";
  tools.mcp_protocol_version = "2025-11-25";
  const auto made = import_tools(endpoint, tools, everything(), "agents.example.test", {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(
      made->manifest->text,
      R"({"agent":{"description":"D","jid":"desk@agents.example.test","name":"desk","title":)"
      R"("Help Desk","vendor":"V","version":"1.4.0"},"implementation":{"name":"desk-server",)"
      R"("version":"7"},"manifestSpecVersion":"0","mcpProtocolVersion":"2025-11-25","tools":[)"
      R"({"annotations":{"readOnlyHint":false},"inputSchema":{"type":"object"},"name":)"
      R"("ticket.open","urn:xmpp:agent-api:0":{"supportsCancellation":true,"supportsInput":true,)"
      R"("supportsProgress":true}}]})");
  EXPECT_EQ(made->loss_report, "[]");
}

TEST(Importer, WithoutAVersionTheContentNamesIt) {
  const auto one = import({tool("a")});
  const auto same = import({" " + tool("a")});
  const auto other = import({tool("a", R"(,"title":"t")")});
  EXPECT_EQ(one->manifest->version.size(), 16U);
  EXPECT_EQ(one->manifest->version, same->manifest->version);
  EXPECT_NE(one->manifest->version, other->manifest->version);
  EXPECT_EQ(import({tool("a")}, table("2"))->manifest->version, "2");
}

TEST(Importer, NoVersionOfItsOwnLooksLikeAnOptionOfACommandLine) {
  int replaced = 0;
  for (int i = 0; i < 640; ++i) {  // one in 64 hashes begins with '-', one with '_'
    const auto imported = import({tool("a" + std::to_string(i))});
    ASSERT_TRUE(imported);
    EXPECT_NE(imported->manifest->version.front(), '-');
    if (imported->manifest->version.front() == '_') ++replaced;
  }
  EXPECT_GT(replaced, 0);
}

TEST(Importer, TheOrderOfAListingIsNotContent) {
  EXPECT_EQ(import({tool("a"), tool("b")})->manifest->hash,
            import({tool("b"), tool("a")})->manifest->hash);
}

TEST(Importer, TheDomainIsNotPartOfADerivedVersion) {
  engine::ImportedTools tools;
  tools.definitions = {tool("a")};
  const auto here = import_tools(table(), tools, everything(), "a.example", {});
  const auto there = import_tools(table(), tools, everything(), "b.example", {});
  EXPECT_EQ(here->manifest->version, there->manifest->version);
  EXPECT_NE(here->manifest->hash, there->manifest->hash);
}

TEST(Importer, WhatARuntimeCannotDoIsNotDeclared) {
  engine::ImportedTools tools;
  tools.definitions = {tool("a")};
  const auto made = import_tools(table(), tools, engine::RuntimeFeatures(), "d.example", {});
  const catalog::Tool& one = made->manifest->tools.at(0);
  EXPECT_FALSE(one.supports_progress || one.supports_cancellation || one.supports_input);
}

TEST(Importer, AToolsOwnDeclarationStays) {
  const auto made = import(
      {tool("a", R"(,"urn:xmpp:agent-api:0":{"supportsProgress":false,"approvalRequired":true})")});
  EXPECT_FALSE(made->manifest->tools.at(0).supports_progress);
  EXPECT_TRUE(made->manifest->tools.at(0).approval_required);
  const auto wrong = import({tool("a", R"(,"urn:xmpp:agent-api:0":{"supportsProgress":"yes"})")});
  EXPECT_TRUE(wrong->manifest->tools.at(0).supports_progress);
  EXPECT_THAT(losses(*wrong), HasSubstr("a /urn:xmpp:agent-api:0: "));
}

TEST(Importer, WhatAPeerSaysOfItselfIsLeftOutWhereItDoesNotFit) {
  engine::ImportedTools tools;
  tools.definitions = {tool("a")};
  tools.server_name = std::string(129, 'n');
  tools.server_version = "1";
  tools.mcp_protocol_version = "DRAFT-2026";
  const auto made = import_tools(table(), tools, everything(), "d.example", {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->manifest->text, Not(HasSubstr("implementation")));
  EXPECT_THAT(made->manifest->text, Not(HasSubstr("DRAFT")));
}

TEST(LossReports, MembersWithoutAPlaceAreNamed) {
  const auto made = import({tool("a", R"(,"icons":[],"x_y:z":1,"urn:example:x":2)")});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(losses(*made),
            "a /icons: this member has no place in a manifest and is not shown there\n"
            "a /x_y:z: this member has no place in a manifest and is not shown there\n");
  EXPECT_THAT(made->manifest->text, HasSubstr(R"("urn:example:x":2)"));
}

TEST(LossReports, Draft07SchemasAreUpgradedAndTheChangesListed) {
  const auto made = import(
      {R"({"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#",)"
       R"("type":"object","definitions":{"p":{"type":"string"}},)"
       R"("properties":{"x":{"$ref":"#/definitions/p"},"y":{"items":[{"type":"number"}]}}}})"});
  ASSERT_TRUE(made) << made.error().message;
  const std::string lines = losses(*made);
  EXPECT_THAT(lines,
              HasSubstr("a /inputSchema: the schema was upgraded from draft-07 to 2020-12\n"));
  EXPECT_THAT(lines, HasSubstr("a /inputSchema/properties/y"));
  EXPECT_THAT(made->manifest->tools.at(0).input_schema_text, HasSubstr("prefixItems"));
}

TEST(LossReports, AnOutputSchemaThatCannotBeRegisteredIsLeftOutAndTheToolStays) {
  const auto made = import({tool("a", R"(,"outputSchema":{"$ref":"https://example.org/x"})")});
  ASSERT_EQ(names(*made), std::vector<std::string>{"a"});
  EXPECT_FALSE(made->manifest->tools.at(0).output_schema.has_value());
  EXPECT_THAT(losses(*made), HasSubstr("a /outputSchema: the schema cannot be registered: "));
}

TEST(LossReports, OneToolThatCannotBeExpressedKeepsNoOtherOut) {
  struct Row {
    std::string definition;
    const char* said;
  };
  const Row rows[] = {
      {"{", "definition is no I-JSON object"},
      {"[]", "definition is no I-JSON object"},
      {R"({"inputSchema":{"type":"object"}})", " /name: there is none; the tool was left out"},
      {R"({"name":7,"inputSchema":{"type":"object"}})", " /name: there is none"},
      {R"({"name":"","inputSchema":{"type":"object"}})", " /name: there is none"},
      {R"({"name":"x"})", "x /inputSchema: there is none; the tool was left out"},
      {R"({"name":"x","inputSchema":true})", "the schema cannot be registered"},
      {R"({"name":"x","inputSchema":{"type":"string"}})", "the schema cannot be registered"},
      {R"({"name":"x","inputSchema":{"type":"object","pattern":"("}})", "cannot be registered"},
      {R"({"name":"x","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#",)"
       R"("type":"object","$ref":"https://example.org/x"}})",
       "x /inputSchema: "},
      {tool("a"), "a /name: another tool has it; the tool was left out"},
      {tool("x\\u0001"), "/name: a character that XML cannot carry; the tool was left out"},
      {tool("x\\uFFFE"), "a character that XML cannot carry; the tool was left out"},
      {tool("x", R"(,"_meta":{"a":"\uFFFF"})"), "a character that XML cannot carry"},
  };
  for (const Row& row : rows) {
    const auto made = import({tool("a"), row.definition, tool("b")});
    ASSERT_TRUE(made) << row.definition << made.error().message;
    EXPECT_EQ(names(*made), (std::vector<std::string>{"a", "b"})) << row.definition;
    EXPECT_THAT(losses(*made), HasSubstr(row.said)) << row.definition;
  }
}

TEST(LossReports, TextsThatAreTooLongAreCutAndWrongTypesLeftOut) {
  std::string title;
  for (int i = 0; i < 300; ++i) title.append("\u00E9");
  const auto made =
      import({tool("a", R"(,"title":")" + title + R"(","description":")" + std::string(9'000, 'd') +
                            R"(","annotations":[],"execution":1,"_meta":"m")")});
  ASSERT_TRUE(made) << made.error().message;
  const catalog::Tool& one = made->manifest->tools.at(0);
  EXPECT_EQ(one.title.size(), 512U);
  EXPECT_EQ(one.description.size(), 8'192U);
  const std::string lines = losses(*made);
  EXPECT_THAT(lines, HasSubstr("a /title: cut to 256 characters\n"));
  EXPECT_THAT(lines, HasSubstr("a /description: cut to 8192 characters\n"));
  EXPECT_THAT(lines, HasSubstr("a /annotations: no object, so it was left out\n"));
  EXPECT_THAT(lines, HasSubstr("a /_meta: no object, so it was left out\n"));
}

TEST(LossReports, NamesThatSomeCannotUseAreSaidAndKept) {
  const auto made = import({tool("a\\tb"), tool("caf\u00E9"), tool(std::string(129, 'n'))});
  EXPECT_EQ(made->manifest->tools.size(), 3U);
  const std::string lines = losses(*made);
  EXPECT_THAT(lines, HasSubstr("cannot be called through them"));
  EXPECT_THAT(lines, HasSubstr("caf\u00E9 /name: longer than MCP recommends"));
}

TEST(LossReports, AreBounded) {
  std::vector<std::string> definitions;
  for (int i = 0; i < 2'000; ++i) {
    definitions.push_back(tool("t" + std::to_string(i), R"(,"icons":[],"description":7)"));
  }
  const auto made = import(std::move(definitions));
  const auto report = json::parse_borrowed(made->loss_report);
  ASSERT_EQ(report->root().size(), 1'001U);
  EXPECT_EQ(report->root().items().back().find("loss")->as_string(),
            "there is more than this report holds");
  LossReport named;
  named.add(std::string(5'000, 'x'), "", "loss");
  EXPECT_LT(named.finish().size(), 200U);
}

TEST(Importer, SchemasHaveTheConfiguredSize) {
  catalog::ManifestLimits limits;
  limits.schema_bytes = 20;
  const auto made = import(
      {tool("a"), R"({"name":"b","inputSchema":{"type":"object","title":"t"}})"}, table(), limits);
  EXPECT_EQ(names(*made), std::vector<std::string>{"a"});
  EXPECT_THAT(losses(*made), HasSubstr("b /inputSchema: the schema is larger than 20 bytes"));
}

TEST(Importer, ATooLongTitleOfTheTableIsAnErrorOfTheOperators) {
  EndpointTable endpoint = table();
  endpoint.title = std::string(257, 't');
  const auto made = import({tool("a")}, endpoint);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("/agent/title"));
}

TEST(LossReports, SayWhatNoStanzaCarries) {
  auto made = import({tool("a", R"(,"icons":[])"), tool("b")});
  const std::string before = losses(*made);
  report_misfits(*made, 65'536);
  EXPECT_EQ(losses(*made), before);
  report_misfits(*made, 1'000);
  EXPECT_THAT(losses(*made), StartsWith(before));
  EXPECT_THAT(losses(*made), HasSubstr("the manifest is larger than an XMPP stanza may be"));
  EXPECT_THAT(losses(*made), HasSubstr("b /inputSchema: the schema is larger than"));
}

TEST(LossReports, SayWhatIsCalledOtherwiseOverMcp) {
  auto made = import({tool("a"), tool("b c")});
  const std::string before = losses(*made);
  report_names(*made, "e");
  EXPECT_THAT(losses(*made), StartsWith(before));
  EXPECT_THAT(losses(*made), HasSubstr("b c /name: called e.b_c-"));
  EXPECT_EQ(shown_otherwise("e", *made->manifest).size(), 1U);
  const auto dotted = shown_otherwise("e.f", *made->manifest);
  ASSERT_EQ(dotted.size(), 2U);  // once for the endpoint, and the tool of its own
  EXPECT_EQ(dotted[0].tool, "");
  EXPECT_EQ(dotted[0].name, "e..f.TOOL");
  EXPECT_THAT(dotted[1].name, StartsWith("e..f.b_c-"));
}

class ImportFiles : public ::testing::Test {
 protected:
  ImportFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "interline-import-XXXXXX");
    folder_ = mkdtemp(pattern.data());
  }
  ~ImportFiles() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(std::string_view text) {
    const std::filesystem::path file = folder_ / "file.json";
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::filesystem::path folder_;
};

TEST_F(ImportFiles, ToolsAreAnArrayOrAnObjectWithOne) {
  EXPECT_EQ(read_tools_file(write("[" + tool("a") + "," + tool("b") + "]"))->definitions.size(),
            2U);
  EXPECT_EQ(read_tools_file(write(R"({"tools":[)" + tool("a") + "]}"))->definitions.at(0),
            tool("a"));
  for (const auto text : {"", "{}", R"({"tools":{}})", "7", "[1"}) {
    const auto read = read_tools_file(write(text));
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("file.json"));
  }
  EXPECT_FALSE(read_tools_file(folder_ / "absent"));
}

TEST_F(ImportFiles, AManifestIsTakenAsItIs) {
  const std::string_view text =
      R"({"manifestSpecVersion":"0","agent":{"jid":"desk@d.example","name":"x","version":"1"},)"
      R"("tools":[]})";
  const auto read = read_manifest_file(write(text), "desk", "d.example", {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->manifest->version, "1");
  EXPECT_EQ(read->loss_report, "[]");
  const auto other = read_manifest_file(write(text), "clock", "d.example", {});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("agent.jid must be clock@d.example"));
  const auto broken = read_manifest_file(write("{}"), "desk", "d.example", {});
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("file.json: "));
}

}  // namespace
}  // namespace interline::app
