// MCP servers at URLs in the configuration: what belongs together, and what does not.
#include <gmock/gmock.h>

#include "app/configuration.hpp"

namespace interline::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The first mistake; "" if there is none.
std::string mistake_of(const std::string& text) {
  const auto read = parse_configuration(text, "interline.toml");
  return read ? "" : to_string("interline.toml", read.error().front());
}

TEST(ConfigurationOfUrls, AnMcpServerIsAProgramOrAtAUrl) {
  const auto mistake = [](const std::string& runtime, const std::string& before = "") {
    return mistake_of(before + "[[endpoint]]\nname = \"a\"\nruntime = { " + runtime + " }\n");
  };
  const std::string open = "[egress]\nallow_private = true\n";
  EXPECT_EQ(mistake(R"(kind = "mcp", url = "https://a.example/mcp", headers = { "X-A" = "b" })"),
            "");
  EXPECT_EQ(mistake(R"(kind = "mcp", url = "http://127.0.0.1:1/mcp")", open), "");
  EXPECT_THAT(mistake(R"(kind = "mcp", url = "http://127.0.0.1:1/mcp")"),
              HasSubstr("url is http; use https, or allow_private = true in [egress]"));
  EXPECT_THAT(mistake(R"(kind = "mcp", url = "https://a.example/", command = ["a"])"),
              HasSubstr("has both url and command"));
  EXPECT_THAT(mistake(R"(kind = "exec", command = ["a"], url = "https://a.example/")"),
              HasSubstr("url is of no use here"));
  EXPECT_THAT(mistake(R"(kind = "mcp", command = ["a"], headers = { "X-A" = "b" })"),
              HasSubstr("headers is of no use here"));
  EXPECT_EQ(mistake(R"(kind = "mcp", url = "https://a.example/", oauth = { client_id = "us" })"),
            "");
  EXPECT_THAT(mistake(R"(kind = "mcp", url = "https://a.example/", oauth = { scope = "x" })"),
              HasSubstr("needs client_id"));
  EXPECT_EQ(mistake(R"(kind = "mcp", url = "https://a.example/", oauth = { browser = true })"), "");
  const std::string far = R"(kind = "mcp", url = "https://a.example/", )";
  for (const std::string own : {R"(client_id = "us", client_secret = "s")",
                                R"(browser = true, client_id = "us", client_secret = "s")"}) {
    EXPECT_THAT(mistake(far + "oauth = { " + own + " }"),
                HasSubstr("the MCP server itself would choose who gets the client_secret"));
    EXPECT_THAT(mistake(far + "oauth = { " + own + R"(, issuer = "https://id.example" })"),
                Not(HasSubstr("issuer")));
  }
  EXPECT_EQ(mistake(R"(kind = "mcp", url = "https://a.example/", idle_timeout = "5m")"), "");
  EXPECT_THAT(mistake(R"(kind = "mcp", command = ["a"], idle_timeout = "5m")"),
              HasSubstr("idle_timeout is of no use here"));
  EXPECT_THAT(mistake(R"(kind = "exec", command = ["a"], oauth = { client_id = "us" })"),
              HasSubstr("oauth is of no use here"));
}

}  // namespace
}  // namespace interline::app
