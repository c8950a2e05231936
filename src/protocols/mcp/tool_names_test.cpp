// 2026-07-28, server/tools, "Tool Names"; product.md, "HTTP surface".
#include "protocols/mcp/tool_names.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline::protocols::mcp {
namespace {

TEST(Mcp_ToolNames, OrdinaryOnesAreEndpointDotTool) {
  EXPECT_EQ(tool_name({"weather", "now"}), "weather.now");
  EXPECT_EQ(tool_name({"weather", "forecast.get"}), "weather.forecast.get");
  EXPECT_EQ(tool_name({"b", "a_-9"}), "b.a_-9");
  EXPECT_EQ(tool_name({"", "now"}), "now");
  EXPECT_EQ(tool_name({"", ".now"}), ".now");
  EXPECT_EQ(read_tool_name("weather.forecast.get"), (ToolRef{"weather", "forecast.get"}));
}

TEST(Mcp_ToolNames, ADotOfAnEndpointIsWrittenTwice) {
  EXPECT_EQ(tool_name({"a.b", "c"}), "a..b.c");
  EXPECT_EQ(tool_name({"a", "b.c"}), "a.b.c");
  EXPECT_EQ(tool_name({"a.", "c"}), "a...c");
  EXPECT_EQ(read_tool_name("a..b.c"), (ToolRef{"a.b", "c"}));
  EXPECT_EQ(read_tool_name("a...c"), (ToolRef{"a.", "c"}));
  EXPECT_EQ(read_tool_name("a.b..c"), (ToolRef{"a", "b..c"}));
}

TEST(Mcp_ToolNames, IllegalOnesBecomeLegalAndStayThemselves) {
  const std::vector<ToolRef> refs = {{"", "get forecast"},        {"", "get/forecast"},
                                     {"", "Wetter für Zürich"},   {"", std::string(129, 'x')},
                                     {"", std::string(130, 'x')}, {"bot@other.example", "t"},
                                     {"a", std::string(127, 'x')}};
  std::map<std::string, ToolRef> names;
  for (const ToolRef& ref : refs) {
    const std::string name = tool_name(ref);
    EXPECT_TRUE(is_tool_name(name)) << name;
    EXPECT_TRUE(is_marked(name)) << name;
    names.emplace(name, ref);
  }
  EXPECT_EQ(names.size(), refs.size());
  EXPECT_EQ(tool_name(refs[0]).substr(0, 13), "get_forecast-");
  EXPECT_EQ(tool_name({"", "get_forecast"}), "get_forecast");
}

TEST(Mcp_ToolNames, ARealNameThatLooksMarkedIsMarked) {
  const ToolRef illegal{"a", "get forecast"};
  const std::string name = tool_name(illegal);
  const ToolRef real{"a", name.substr(2)};
  EXPECT_TRUE(is_marked(tool_name(real)));
  EXPECT_NE(tool_name(real), name);
  EXPECT_FALSE(is_marked("a.show-0123abcd"));
  EXPECT_FALSE(is_marked("a.show_0123456789abcdef"));
}

TEST(Mcp_ToolNames, EveryNameSaysOfWhichEndpointItIs) {
  for (const std::string endpoint : {"a", "a.b", "a.", "a..b", "x-0123456789abcdef"}) {
    ASSERT_TRUE(is_readable_endpoint(endpoint));
    for (const std::string& tool :
         {std::string("c"), std::string("b.c"), std::string(".c"), std::string("..c"),
          std::string("c."), std::string("c d"), std::string(". d"), std::string(200, 'x'),
          std::string("c-0123456789abcdef"), std::string("ü")}) {
      const auto read = read_tool_name(tool_name({endpoint, tool}));
      ASSERT_TRUE(read.has_value()) << endpoint << ' ' << tool;
      EXPECT_EQ(read->endpoint, endpoint) << tool;
      if (!is_marked(read->tool)) {
        EXPECT_EQ(read->tool, tool);
      }
    }
  }
  // 64 characters are the most that an endpoint's name has; only if nearly all are dots is it not.
  EXPECT_TRUE(is_readable_endpoint(std::string(64, 'a')));
  EXPECT_FALSE(is_readable_endpoint("a" + std::string(63, '.')));
  EXPECT_TRUE(is_tool_name(tool_name({"a" + std::string(63, '.'), "c"})));
}

/// Every endpoint and tool of some letters and dots: no two are called the same.
TEST(Mcp_ToolNames, NoTwoAreEverCalledTheSame) {
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() == 4) continue;
    for (const char c : {'a', '.', ' '}) words.push_back(words[i] + c);
  }
  std::map<std::string, ToolRef> names;
  for (const std::string& endpoint : words) {
    if (endpoint.empty() || endpoint.front() == '.') continue;
    for (const std::string& tool : words) {
      if (tool.empty()) continue;
      const ToolRef ref{endpoint, tool};
      const auto [at, fresh] = names.emplace(tool_name(ref), ref);
      EXPECT_TRUE(fresh) << at->first << ": " << at->second.endpoint << '|' << at->second.tool
                         << " and " << endpoint << '|' << tool;
    }
  }
  EXPECT_GT(names.size(), 5'000U);
}

TEST(Mcp_ToolNames, OthersAreOfNoEndpoint) {
  for (const auto* const name : {"", "a", ".a", ".a.", "a.", "a..", "a..b", "..a"}) {
    EXPECT_FALSE(read_tool_name(name).has_value()) << name;
  }
}

TEST(Mcp_ToolNames, LegalNamesHaveLegalCharactersAndALength) {
  EXPECT_TRUE(is_tool_name("aZ09_-."));
  EXPECT_TRUE(is_tool_name(std::string(128, 'a')));
  for (const std::string& name : {std::string(), std::string(129, 'a'), std::string("a b"),
                                  std::string("a/b"), std::string("ä"), std::string("a\n")}) {
    EXPECT_FALSE(is_tool_name(name));
  }
}

}  // namespace
}  // namespace interline::protocols::mcp
