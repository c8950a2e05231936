#include "app/mcp_servers.hpp"

#include <gmock/gmock.h>

#include "app/configuration.hpp"
#include "app/runtime_factory.hpp"
#include "json/parse.hpp"

namespace interline::app {
namespace {

using ::testing::HasSubstr;

Result<std::string> import(std::string_view text) {
  const auto parsed = json::parse_borrowed(text);
  return import_mcp_servers(parsed->root());
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
  EXPECT_THAT(*toml, HasSubstr("# was My Files\n[[endpoint]]\nname = \"my-files\"\n"));
  EXPECT_THAT(*toml, HasSubstr("# was my-files\n[[endpoint]]\nname = \"my-files-2\"\n"));
}

TEST(McpServers, WhatCannotBeTakenOverIsSaid) {
  const auto toml = import(R"({"mcpServers":{"far":{"url":"https://a.example/mcp"},
                               "off":{"command":"a","disabled":true},
                               "near":{"command":"a","cwd":"/srv"}}})");
  ASSERT_TRUE(toml);
  EXPECT_THAT(*toml, HasSubstr("# far: left out, it has no command"));
  EXPECT_THAT(*toml, HasSubstr("# off: left out, disabled"));
  EXPECT_THAT(*toml, HasSubstr("# \"cwd\" was not taken over\n[[endpoint]]\nname = \"near\""));
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
