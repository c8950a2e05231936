// 2026-07-28, basic/patterns/progress and subscriptions, server/utilities/logging; checklist 61, 64
// to 66, 75.
#include "protocols/mcp/notifications.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

double told(ProgressTeller& teller, std::optional<double> percent, std::string_view message = "") {
  const auto params = teller.tell(percent, message);
  if (!params) return -1;
  const auto document = testing::parse(*params);
  return document.root().find("progress")->as_double();
}

TEST(Mcp_Progress, KeepsTheTokenAsItWasSent) {
  ProgressTeller number("0");
  EXPECT_EQ(number.tell(50, "half"),
            R"({"progressToken":0,"progress":50,"total":100,"message":"half"})");
  ProgressTeller text("\"7\"");
  EXPECT_EQ(text.tell({}, "on"), R"({"progressToken":"7","progress":0,"message":"on"})");
}

TEST(Mcp_Progress, RisesStrictly) {
  ProgressTeller teller("1");
  EXPECT_EQ(told(teller, 0), 0);
  EXPECT_EQ(told(teller, 0), -1);
  EXPECT_EQ(told(teller, 50), 50);
  EXPECT_EQ(told(teller, 20), -1);
  double last = 50;
  for (const char* message : {"a", "b", "c"}) {
    EXPECT_EQ(told(teller, 20, message), -1);  // a number that nobody reported is not made up
    const double next = told(teller, {}, message);
    EXPECT_GT(next, last);
    last = next;
  }
  EXPECT_EQ(told(teller, {}, "c"), -1);
  EXPECT_EQ(told(teller, 100), 100);
  EXPECT_EQ(told(teller, std::numeric_limits<double>::infinity()), -1);
  const auto beyond = teller.tell({}, "finishing");
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->find("total"), std::string::npos);
}

TEST(Mcp_Logging, LinesGoToRequestsThatWantTheirLevel) {
  EXPECT_FALSE(log_params({}, "emergency", "", "1"));
  EXPECT_FALSE(log_params(LogLevel::warning, "info", "", "1"));
  EXPECT_EQ(log_params(LogLevel::info, "info", "weather", R"({"a":1.0})"),
            R"({"level":"info","logger":"weather","data":{"a":1.0}})");
  EXPECT_EQ(log_params(LogLevel::debug, "loud", "", "null"), R"({"level":"info","data":null})");
}

TEST(Mcp_Subscriptions, WhatIsAcknowledgedIsTheHonouredSubset) {
  ListenFilter asked;
  asked.tools_changed = asked.prompts_changed = true;
  asked.resources = {"a://b"};
  asked.tasks = {"T"};
  Features features;
  features.tools_changed = true;
  EXPECT_EQ(acknowledged_params(honoured(asked, features), "0"),
            R"({"notifications":{"toolsListChanged":true},)"
            R"("_meta":{"io.modelcontextprotocol/subscriptionId":0}})");
  features.resource_subscriptions = features.tasks = features.resources_changed = true;
  EXPECT_EQ(acknowledged_params(honoured(asked, features), "\"s\""),
            R"({"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a://b"],)"
            R"("taskIds":["T"]},"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}})");
}

TEST(Mcp_Subscriptions, EachMessageCarriesTheId) {
  EXPECT_EQ(changed_params("7"), R"({"_meta":{"io.modelcontextprotocol/subscriptionId":7}})");
  EXPECT_EQ(updated_params("a://b", "7"),
            R"({"uri":"a://b","_meta":{"io.modelcontextprotocol/subscriptionId":7}})");
  EXPECT_EQ(changed_params(""), "{}");
  EXPECT_EQ(updated_params("a://b", ""), R"({"uri":"a://b"})");
}

}  // namespace
}  // namespace interline::protocols::mcp
