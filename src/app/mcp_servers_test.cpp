#include "app/mcp_servers.hpp"

#include <gmock/gmock.h>

#include "app/configuration.hpp"
#include "app/runtime_factory.hpp"
#include "json/parse.hpp"

namespace interline::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Result<std::string> import(std::string_view text) {
  const auto parsed = json::parse_borrowed(text);
  auto imported = import_mcp_servers(parsed->root());
  if (!imported) return std::unexpected(std::move(imported.error()));
  return std::move(imported->toml);
}

std::vector<std::string> remarks_of(std::string_view text) {
  const auto parsed = json::parse_borrowed(text);
  return import_mcp_servers(parsed->root()).value().remarks;
}

TEST(McpServers, CommandArgumentsAndEnvironment) {
  const auto toml = import(R"({"mcpServers":{"files":{"command":"npx","args":["-y","server","/srv"],
                               "env":{"LEVEL":"debug"}}}})");
  ASSERT_TRUE(toml);
  EXPECT_EQ(*toml,
            "[[endpoint]]\n"
            "name = \"files\"\n"
            "runtime = { kind = \"mcp\", command = [\"npx\", \"-y\", \"server\", \"/srv\"], "
            "environment = { \"LEVEL\" = \"debug\" } }\n");
}

TEST(McpServers, NamesBecomeEndpointNamesAndStayApart) {
  const auto toml =
      import(R"({"servers":{"My Files":{"command":"a"},"my-files":{"command":"b"}}})");
  ASSERT_TRUE(toml);
  EXPECT_THAT(
      *toml,
      HasSubstr("# My Files: is the endpoint my-files\n[[endpoint]]\nname = \"my-files\"\n"));
  EXPECT_THAT(
      *toml,
      HasSubstr("# my-files: is the endpoint my-files-2\n[[endpoint]]\nname = \"my-files-2\"\n"));
}

TEST(McpServers, WhatCannotBeTakenOverIsSaid) {
  const auto toml = import(R"({"mcpServers":{"far":{"type":"http"},
                               "off":{"command":"a","disabled":true},
                               "near":{"command":"a","cwd":"/srv"}}})");
  ASSERT_TRUE(toml);
  EXPECT_THAT(*toml, HasSubstr("# far: left out, it has no command and no url"));
  EXPECT_THAT(*toml, HasSubstr("# off: left out, disabled"));
  EXPECT_THAT(*toml,
              HasSubstr("# near: \"cwd\" was not taken over\n[[endpoint]]\nname = \"near\""));
}

TEST(McpServers, ServersAtUrlsAreTakenOverWithTheirHeaders) {
  const auto toml = import(R"({"mcpServers":{"far":{"type":"http","url":"https://a.example/mcp",
                               "headers":{"X-Team":"blue"}}}})");
  ASSERT_TRUE(toml);
  EXPECT_EQ(*toml,
            "[[endpoint]]\nname = \"far\"\nruntime = { kind = \"mcp\", "
            "url = \"https://a.example/mcp\", headers = { \"X-Team\" = \"blue\" } }\n");
}

TEST(McpServers, AServerOfTheOlderHttpIsLeftOut) {
  for (const char* key : {"type", "transport"}) {
    const auto toml = import(R"({"mcpServers":{"far":{")" + std::string(key) +
                             R"(":"sse","url":"https://a.example/sse"}}})");
    ASSERT_TRUE(toml);
    EXPECT_THAT(*toml, HasSubstr("# far: left out, its \"type\" is sse"));
    EXPECT_THAT(*toml, Not(HasSubstr("[[endpoint]]")));
  }
}

TEST(McpServers, ACommandWithItsArgumentsInOneTextIsDoubted) {
  const std::string doubt = "is taken as the name of one program";
  const auto toml = import(R"({"mcpServers":{"a":{"command":"npx -y foo bar"}}})");
  ASSERT_TRUE(toml);
  EXPECT_THAT(*toml, HasSubstr("# a: \"npx -y foo bar\" " + doubt));
  EXPECT_THAT(*toml, HasSubstr("command = [\"npx -y foo bar\"]"));
  EXPECT_THAT(*import(R"({"mcpServers":{"a":{"command":"/opt/my programs/x"}}})"),
              Not(HasSubstr(doubt)));
}

TEST(McpServers, EveryRemarkInACommentIsSaidApartToo) {
  EXPECT_THAT(remarks_of(R"({"mcpServers":{"far":{"type":"http"},
                             "off":{"command":"a","disabled":true},
                             "near":{"command":"a","cwd":"/srv","args":["b",8080],
                                     "env":{"PORT":8080}}}})"),
              ElementsAre(HasSubstr("far: left out, it has no command"), "off: left out, disabled",
                          "near: \"cwd\" was not taken over",
                          "near: an element of \"args\" that is no string was not taken over",
                          "near: \"PORT\" of \"env\" is no string and was not taken over"));
  EXPECT_THAT(remarks_of(R"({"mcpServers":{"a":{"command":"a","type":"stdio","args":[]}}})"),
              IsEmpty());
}

TEST(McpServers, ReferencesStayOnlyWhereTheyMeanTheSame) {
  const auto* const text = R"({"mcpServers":{"a":{"command":"${BIN}","args":["$HOME","${env:dir}"],
                               "env":{"KEY":"${input:api-key}","LEVEL":"${LEVEL:-info}!"}}}})";
  const auto toml = import(text);
  ASSERT_TRUE(toml);
  EXPECT_THAT(*toml, HasSubstr(R"(command = ["${BIN}", "$HOME", "${dir}"])"));
  EXPECT_THAT(*toml, HasSubstr(R"({ "KEY" = "${API_KEY}", "LEVEL" = "${LEVEL}!" })"));
  EXPECT_THAT(remarks_of(text),
              ElementsAre("a: ${env:dir} became ${dir}: set that environment variable",
                          "a: ${input:api-key} became ${API_KEY}: set that environment variable",
                          "a: ${LEVEL:-info} became ${LEVEL}, which has no default here: set it"));
}

TEST(McpServers, AServerWhoseReferencesMeanNothingHereIsAComment) {
  for (const std::string reference : {"${workspaceFolder}", "${}", "${1}", "${env:}", "${a b}"}) {
    const std::string text = R"({"mcpServers":{"a":{"command":"b","args":["x)" + reference +
                             R"("]},"c":{"command":"d"}}})";
    const auto toml = import(text);
    ASSERT_TRUE(toml);
    EXPECT_THAT(*toml, HasSubstr("# [[endpoint]]\n# name = \"a\"\n# runtime = ")) << reference;
    EXPECT_THAT(remarks_of(text), ElementsAre("a: " + reference + " means nothing here",
                                              HasSubstr("a: so its table is a comment")));
    if (!has_runtime(RuntimeKind::mcp)) continue;
    const auto read = parse_configuration(*toml, "interline.toml");
    ASSERT_TRUE(read) << read.error().front().text;
    ASSERT_EQ(read->endpoints.size(), 1U);
    EXPECT_EQ(read->endpoints.front().name, "c");
  }
}

TEST(McpServers, NothingInAValueBreaksOutOfItsString) {
  const auto toml = import(R"({"mcpServers":{"x\n[gateway]":{"command":"a\"\\\n\u0001",
                               "args":["]\n[gateway]\ntitle = 'x'"],"\n[http]":1}}})");
  ASSERT_TRUE(toml);
  const auto read = parse_configuration(*toml, "interline.toml");
  if (!has_runtime(RuntimeKind::mcp)) {
    ASSERT_FALSE(read);
    ASSERT_EQ(read.error().size(), 1U);  // that this kind is not served, and nothing else
    return;
  }
  ASSERT_TRUE(read) << read.error().front().text;
  ASSERT_EQ(read->endpoints.size(), 1U);
  EXPECT_EQ(read->endpoints.front().runtime.command,
            (std::vector<std::string>{"a\"\\\n\x01", "]\n[gateway]\ntitle = 'x'"}));
  EXPECT_EQ(read->gateway.title, GatewaySection().title);
}

TEST(McpServers, OtherJsonIsRefused) {
  for (const auto text : {"[]", "{}", R"({"mcpServers":[]})"}) {
    const auto toml = import(text);
    ASSERT_FALSE(toml) << text;
    EXPECT_EQ(toml.error().kind, ErrorKind::not_acceptable);
  }
}

}  // namespace
}  // namespace interline::app
