// subscriptions/listen: acknowledged, told what was asked for, ended in good order.
#include <csignal>

#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class McpListen : public McpTest {
 protected:
  [[nodiscard]] static McpRequest listening(const std::string& filter, const std::string& id) {
    McpRequest request;
    request.method = "subscriptions/listen";
    request.params = "\"notifications\":" + filter;
    request.id = id;
    return request;
  }
};

TEST_F(McpListen, M064_M065_TheAcknowledgementIsFirstAndNamesWhatIsHonoured) {
  serve();
  for (const auto id : {"7", R"("7")", "0"}) {
    McpRequest request = listening(R"({"toolsListChanged":true,"promptsListChanged":true})", id);
    request.path = "/mcp/demo";  // has no prompts
    const McpReply heard =
        read_until(request, [](const McpReply& reply) { return !reply.messages.empty(); });
    ASSERT_TRUE(heard.stream);
    EXPECT_EQ(at(heard.messages[0], "/method"), R"("notifications/subscriptions/acknowledged")");
    EXPECT_EQ(at(heard.messages[0], "/params/notifications"), R"({"toolsListChanged":true})");
    EXPECT_EQ(at(heard.messages[0], "/params/_meta/io.modelcontextprotocol~1subscriptionId"), id);
  }
}

TEST_F(McpListen, M067_TheGatewaysEndEndsTheSubscriptionWithItsAnswer) {
  serve();
  bool told = false;
  const McpReply heard =
      read_until(listening(R"({"toolsListChanged":true})", "3"), [&](const McpReply& reply) {
        if (!reply.messages.empty() && !told) {
          told = true;
          signal(SIGTERM);
        }
        return false;
      });
  EXPECT_EQ(heard.at("/result/resultType"), R"("complete")");
  EXPECT_EQ(heard.at("/result/_meta/io.modelcontextprotocol~1subscriptionId"), "3");
  EXPECT_EQ(wait(), 0);
}

TEST_F(McpListen, AFilterThatIsNoneIsRefused) {
  serve();
  EXPECT_EQ(send(listening("7", "1")).at("/error/code"), "-32602");
  McpRequest request = listening(R"({"taskIds":["x"]})", "1");
  const McpReply undeclared = send(request);
  EXPECT_EQ(undeclared.status, 400);
  EXPECT_EQ(undeclared.at("/error/code"), "-32021");
}

TEST_F(McpListen, MoreThanAreServedAreRefused) {
  serve("[mcp]\nsubscriptions = 1\n");
  const McpReply first =
      read_until(listening(R"({"toolsListChanged":true})", "1"), [&](const McpReply& reply) {
        if (reply.messages.empty()) return false;
        EXPECT_EQ(send(listening(R"({"toolsListChanged":true})", "2")).at("/error/code"), "-32603");
        return true;
      });
  EXPECT_EQ(first.messages.size(), 1U);
}

}  // namespace
}  // namespace interline::testing
