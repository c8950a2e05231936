#include "runtimes/script/agent_text.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::runtimes::script {
namespace {

TEST(AgentText, TomlKeepsTheOrderInWhichItWasWritten) {
  const auto read =
      AgentText::read("zebra = 1\n[b]\ny = true\nx = [1.5, \"a\"]\n[a]\n", Format::toml);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root().source(), R"({"zebra":1,"b":{"y":true,"x":[1.5,"a"]},"a":{}})");
}

TEST(AgentText, EachValueHasTheLineItStandsIn) {
  const auto toml = AgentText::read("a = 1\nb = [\n  2,\n  { c = 3 },\n]\n", Format::toml);
  ASSERT_TRUE(toml);
  EXPECT_EQ(toml->line(*toml->root().find("a")), 1U);
  const json::Value& array = *toml->root().find("b");
  EXPECT_EQ(toml->line(array), 2U);
  EXPECT_EQ(toml->line(array.items()[0]), 3U);
  EXPECT_EQ(toml->line(*array.items()[1].find("c")), 4U);
  const auto json = AgentText::read("{\n\"a\": [\n1,\n2]}", Format::json);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->line(json->root().find("a")->items()[1]), 4U);
}

TEST(AgentText, JsonKeepsItsBytes) {
  const auto read =
      AgentText::read(R"({"a": {"n": 1.00, "big":12345678901234567890 }})", Format::json);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root().find("a")->source(), R"({"n": 1.00, "big":12345678901234567890 })");
}

TEST(AgentText, WhatIsNoTomlOrJsonIsAMistakeWithItsLine) {
  EXPECT_EQ(AgentText::read("a = 1\nb = = 2\n", Format::toml).error().line, 2U);
  EXPECT_EQ(AgentText::read("{\n\"a\":\n}", Format::json).error().line, 3U);
  EXPECT_EQ(AgentText::read("[]", Format::json).error().text, "expected a JSON object");
}

TEST(AgentText, DatesAndInfinitiesHaveNoPlaceInJson) {
  for (const char* text : {"a = 1\nb = 2026-07-28", "a = 1\nb = inf", "a = 1\nb = 12:00:00"}) {
    const auto read = AgentText::read(text, Format::toml);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().line, 2U);
  }
}

TEST(AgentText, HasLimits) {
  const auto large = AgentText::read(std::string(kAgentBytes + 1, '#'), Format::toml);
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().text.find("larger than"), std::string::npos);
  std::string deep = "a = ";
  deep.append(kAgentDepth, '[').append(kAgentDepth, ']');
  EXPECT_FALSE(AgentText::read(deep, Format::toml));
  std::string dotted = "a";
  for (std::size_t i = 0; i < 100'000; ++i) dotted += ".a";
  EXPECT_FALSE(AgentText::read(dotted + " = 1", Format::toml));
}

}  // namespace
}  // namespace interline::runtimes::script
