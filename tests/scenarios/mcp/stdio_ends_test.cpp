// Who ends, and what becomes of what was not answered: by the host's side, by the gateway's, by
// force.
#include <csignal>

#include <gmock/gmock.h>

#include "stdio_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class McpStdioEnds : public StdioTest {
 protected:
  /// A call that is in work, and its task.
  std::string begin_endless(StdioClient& client, const std::string& meta = "") {
    McpRequest request = call_of("demo.sleep", R"({"milliseconds":600000,"steps":1000})");
    request.id = "9";
    request.meta = R"("progressToken":9)" + meta;
    client.send(request);
    client.until([](const std::string& line) { return at(line, "/params/progressToken") == "9"; });
    return only_task();
  }
};

TEST_F(McpStdioEnds, M031_TheEndOfTheInputEndsItAndTakesBackWhatWasNotAnswered) {
  serve();
  StdioClient client(folder());
  const std::string task = begin_endless(client);
  client.close_input();
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  follow_until(task, "cancelled");
}

TEST_F(McpStdioEnds, M031_AHostThatIsKilledCancelsToo) {
  serve();
  StdioClient client(folder());
  const std::string task = begin_endless(client);
  client.signal(SIGKILL);
  EXPECT_EQ(client.wait().code, 128 + SIGKILL);
  follow_until(task, "cancelled");
}

TEST_F(McpStdioEnds, M031_AHostThatReadsNoMoreEndsIt) {
  serve();
  StdioClient client(folder());
  const std::string task = begin_endless(client);
  client.close_output();
  McpRequest discover;
  discover.method = "server/discover";
  client.send(discover);
  EXPECT_EQ(client.wait().code, 1);
  follow_until(task, "cancelled");
}

TEST_F(McpStdioEnds, ACallWithANameOfItsOwnGoesOnAndIsFoundAgain) {
  serve();
  const std::string named = R"(,"interline/requestId":"once")";
  std::string task;
  {
    StdioClient client(folder());
    task = begin_endless(client, named);
    client.close_input();
    EXPECT_EQ(client.wait().code, 0);
  }
  StdioClient again(folder());
  EXPECT_EQ(begin_endless(again, named), task);
  EXPECT_THAT(this->task(task), HasSubstr(R"("state":"running")"));
}

TEST_F(McpStdioEnds, AGatewayThatIsKilledEndsItWithAWordAndNeverHangs) {
  serve();
  StdioClient client(folder());
  begin_endless(client);
  signal(SIGKILL);
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("the gateway has ended"));
  EXPECT_THAT(ended.err, HasSubstr("interline serve -c"));
  EXPECT_EQ(wait(), 128 + SIGKILL);
}

TEST_F(McpStdioEnds, AGatewayThatIsToldToEndEndsItWithinItsDrain) {
  serve();
  StdioClient client(folder());
  begin_endless(client);
  signal(SIGTERM);
  EXPECT_EQ(client.wait().code, 1);
  EXPECT_EQ(wait(), 0);
}

TEST_F(McpStdioEnds, WithoutAGatewayItSaysWhatToDo) {
  serve();
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  StdioClient client(folder());
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("no gateway is running at"));
  EXPECT_THAT(ended.err, HasSubstr("interline serve -c"));
}

TEST_F(McpStdioEnds, AnEndpointThatIsNotThereIsSaidAtOnce) {
  serve();
  StdioClient client(folder(), {"--endpoint", "nobody"});
  const Ended ended = client.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("no endpoint nobody"));
  StdioClient wrong(folder(), {"-c", "nowhere.toml"});
  EXPECT_EQ(wrong.wait().code, 2);
}

TEST_F(McpStdioEnds, TheSocketLeavesHttpOnlyForWhoAsks) {
  serve();
  EXPECT_EQ(local("GET", "/v1/mcp").status, 426);
  EXPECT_EQ(local("GET", "/v1/mcp?endpoint=nobody").status, 404);
  EXPECT_EQ(get("/v1/mcp", "Connection: Upgrade\r\nUpgrade: mcp\r\n").status, 404);
}

}  // namespace
}  // namespace interline::testing
