// What is told without being asked: subscriptions of 2026-07-28, and changes to legacy sessions.
#include <csignal>
#include <set>

#include <gmock/gmock.h>

#include "stdio_client.hpp"

namespace interline::testing {
namespace {

constexpr std::string_view kSubscription = "/params/_meta/io.modelcontextprotocol~1subscriptionId";

class McpStdioListen : public StdioTest {
 protected:
  /// The agent of the conformance suite, which can be made to change.
  void serve_changing() {
    serve("[[endpoint]]\nname = \"conf\"\nruntime = { kind = \"script\", file = \"" +
          std::string(INTERLINE_SOURCE_DIR) + "/examples/conformance/agent.toml\" }\n");
    until("an endpoint is served");
  }
  static McpRequest listening(const std::string& id, const std::string& filter) {
    McpRequest request;
    request.method = "subscriptions/listen";
    request.params = "\"notifications\":" + filter;
    request.id = id;
    return request;
  }
  static std::string heard_for(StdioClient& client, std::string_view id) {
    return client.until([id](const std::string& line) { return at(line, kSubscription) == id; });
  }
  static McpRequest trigger(const std::string& id) {
    McpRequest request = call_of("conf.test_trigger_prompt_change");
    request.id = id;
    return request;
  }
};

TEST_F(McpStdioListen, M064_M065_EachSubscriptionIsAcknowledgedFirstUnderItsOwnId) {
  serve_changing();
  StdioClient client(folder());
  for (const std::string id : {"7", R"("7")", "0"}) {
    client.send(listening(id, R"({"promptsListChanged":true})"));
    const std::string first = heard_for(client, id);
    EXPECT_EQ(at(first, "/method"), R"("notifications/subscriptions/acknowledged")");
    EXPECT_EQ(at(first, "/params/notifications"), R"({"promptsListChanged":true})");
  }
  client.send(trigger("1"));
  std::set<std::string> told;
  for (int i = 0; i < 3; ++i) {
    const std::string line = client.until([](const std::string& heard) {
      return at(heard, "/method") == R"("notifications/prompts/list_changed")";
    });
    told.insert(at(line, kSubscription));
  }
  EXPECT_EQ(told, (std::set<std::string>{"7", R"("7")", "0"}));
}

TEST_F(McpStdioListen, M066_WhatWasCancelledHearsNothingMoreAndTheOthersGoOn) {
  serve_changing();
  StdioClient client(folder());
  client.send(listening("1", R"({"promptsListChanged":true})"));
  heard_for(client, "1");
  client.send(listening("2", R"({"promptsListChanged":true})"));
  heard_for(client, "2");
  client.send(legacy_line("notifications/cancelled", R"({"requestId":1})"));
  client.send(trigger("3"));
  heard_for(client, "2");
  client.send(trigger("4"));
  heard_for(client, "2");
  int of_first = 0;
  for (const std::string& line : client.heard()) {
    if (at(line, kSubscription) == "1" || at(line, "/id") == "1") ++of_first;
  }
  EXPECT_EQ(of_first, 1);  // its acknowledgement
}

TEST_F(McpStdioListen, M067_TheGatewaysEndAnswersTheSubscriptionAndTakesItBack) {
  serve();
  StdioClient client(folder());
  client.send(listening("3", R"({"promptsListChanged":true})"));
  heard_for(client, "3");
  signal(SIGTERM);
  const std::string answer = client.answer("3");
  EXPECT_EQ(at(answer, "/result/resultType"), R"("complete")");
  EXPECT_EQ(at(answer, "/result/_meta/io.modelcontextprotocol~1subscriptionId"), "3");
  const std::string taken_back = client.next();
  EXPECT_EQ(at(taken_back, "/method"), R"("notifications/cancelled")");
  EXPECT_EQ(at(taken_back, "/params/requestId"), "3");
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("the gateway has ended"), std::string::npos) << ended.err;
  EXPECT_EQ(wait(), 0);
}

TEST_F(McpStdioListen, M067_ALostSubscriptionIsNotTakenBackButRefused) {
  serve("[mcp]\nsubscriptions = 1\n");
  StdioClient client(folder());
  client.send(listening("1", R"({"promptsListChanged":true})"));
  heard_for(client, "1");
  EXPECT_EQ(at(client.ask(listening("2", R"({"promptsListChanged":true})")), "/error/code"),
            "-32603");
  McpRequest discover;
  discover.method = "server/discover";
  discover.id = "4";
  client.ask(discover);
  for (const std::string& line : client.heard()) {
    EXPECT_NE(at(line, "/method"), R"("notifications/cancelled")");
  }
}

TEST_F(McpStdioListen, SubscriptionsEndWithTheInputAndNoWord) {
  serve();
  StdioClient client(folder());
  client.send(listening("3", R"({"promptsListChanged":true})"));
  heard_for(client, "3");
  client.close_input();
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "");
}

TEST_F(McpStdioListen, LegacySessionsHearOfChangesOnceTheySaidThatTheyAreReady) {
  serve_changing();
  StdioClient client(folder());
  client.send(legacy_line("initialize",
                          R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                          R"("clientInfo":{"name":"n","version":"1"}})",
                          "1"));
  client.answer("1");
  client.send(trigger("2"));
  client.answer("2");
  EXPECT_EQ(client.heard().size(), 2U) << client.heard()[1];
  client.send(legacy_line("notifications/initialized"));
  client.send(trigger("3"));
  const std::string changed = client.until([](const std::string& line) {
    return at(line, "/method") == R"("notifications/prompts/list_changed")";
  });
  EXPECT_EQ(at(changed, kSubscription), "");
}

}  // namespace
}  // namespace interline::testing
