// 2026-07-28, server/tools, "Tool Names"; product.md, "HTTP surface".
#include "protocols/mcp/tool_names.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace interline::protocols::mcp {
namespace {

std::string name_in(const ToolNames& names, const ToolRef& ref) {
  const std::string* name = names.name_of(ref);
  return name == nullptr ? "" : *name;
}

TEST(Mcp_ToolNames, LegalOnesAreThemselves) {
  const std::vector<ToolRef> view = {
      {"weather", "forecast.get"}, {"weather", "now"}, {"b", "a_-9"}};
  const ToolNames names(view);
  EXPECT_EQ(name_in(names, view[0]), "weather.forecast.get");
  EXPECT_EQ(*names.find("weather.now"), view[1]);
  EXPECT_EQ(names.all().begin()->first, "b.a_-9");
  EXPECT_TRUE(names.renamed().empty());
  EXPECT_EQ(tool_name({"", "now"}), "now");
}

TEST(Mcp_ToolNames, IllegalOnesBecomeLegalAndStayThemselves) {
  const std::vector<ToolRef> view = {{"", "get forecast"},        {"", "get_forecast"},
                                     {"", "get/forecast"},        {"", "Wetter für Zürich"},
                                     {"", std::string(129, 'x')}, {"", std::string(130, 'x')},
                                     {"bot@other.example", "t"}};
  const ToolNames names(view);
  EXPECT_EQ(names.all().size(), view.size());
  for (const ToolRef& ref : view) {
    const std::string name = name_in(names, ref);
    EXPECT_TRUE(is_tool_name(name)) << name;
    EXPECT_EQ(*names.find(name), ref);
    EXPECT_EQ(name, tool_name(ref));
    EXPECT_TRUE(is_name_of(name, ref));
  }
  EXPECT_EQ(name_in(names, view[1]), "get_forecast");
  EXPECT_EQ(name_in(names, view[0]).substr(0, 13), "get_forecast-");
  ASSERT_EQ(names.renamed().size(), 6U);
  EXPECT_EQ(names.renamed()[0].why, Renaming::illegal);
}

TEST(Mcp_ToolNames, OfTwoThatCollideTheShorterEndpointKeepsTheName) {
  const std::vector<ToolRef> view = {{"a.b", "c"}, {"a", "b.c"}};
  const ToolNames names(view);
  EXPECT_EQ(name_in(names, view[1]), "a.b.c");
  EXPECT_EQ(name_in(names, view[0]).substr(0, 6), "a.b.c-");
  ASSERT_EQ(names.renamed().size(), 1U);
  EXPECT_EQ(names.renamed()[0].why, Renaming::collision);
  EXPECT_EQ(names.renamed()[0].ref, view[0]);
  const ToolNames alone(std::vector<ToolRef>{view[0]});
  EXPECT_EQ(name_in(alone, view[0]), "a.b.c");
}

TEST(Mcp_ToolNames, AMadeUpNameGivesWayToARealOne) {
  const ToolRef illegal{"", "get forecast"};
  const ToolRef real{"", tool_name(illegal)};
  const std::vector<ToolRef> view = {illegal, real};
  const ToolNames names(view);
  EXPECT_EQ(name_in(names, real), real.tool);
  EXPECT_NE(name_in(names, illegal), real.tool);
  EXPECT_TRUE(is_tool_name(name_in(names, illegal)));
  EXPECT_TRUE(is_name_of(name_in(names, illegal), illegal));
  EXPECT_EQ(names.all().size(), 2U);
}

TEST(Mcp_ToolNames, TheOrderInWhichToolsAreGivenDoesNotMatter) {
  std::vector<ToolRef> view = {
      {"a.b", "c"}, {"a", "b.c"}, {"", "x y"}, {"a.b.c", ""}, {"a", "b.c"}};
  const ToolNames names(view);
  std::ranges::sort(view);
  do {
    EXPECT_EQ(ToolNames(view).all(), names.all());
  } while (std::ranges::next_permutation(view).found);
}

TEST(Mcp_ToolNames, APossibleRefIsTriedInTheOrderOfCollisions) {
  EXPECT_EQ(possible_refs("a.b.c"), (std::vector<ToolRef>{{"a", "b.c"}, {"a.b", "c"}}));
  EXPECT_EQ(possible_refs("a"), std::vector<ToolRef>{});
  EXPECT_EQ(possible_refs(".a."), std::vector<ToolRef>{});
  EXPECT_FALSE(is_name_of("a.b", {"a", "c"}));
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
