// tools/call: results, errors, progress, cancellation by leaving, the caller's own request key.
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class McpCalls : public McpTest {};

TEST_F(McpCalls, AResultIsTheToolsOwn) {
  serve();
  McpReply reply = send(call_of("demo.echo", R"({"a":1})"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.stream);
  EXPECT_EQ(reply.at("/result/structuredContent"), R"({"a":1})");
  EXPECT_EQ(reply.at("/result/resultType"), R"("complete")");
  McpRequest own = call_of("echo", R"({"a":2})");
  own.path = "/mcp/demo";
  EXPECT_EQ(send(own).at("/result/structuredContent"), R"({"a":2})");
}

TEST_F(McpCalls, M020_HiddenAndAbsentToolsAreOneAnswer) {
  serve();
  const McpReply hidden = send(call_of("second.echo"));
  const McpReply absent = send(call_of("nowhere.echo"));
  EXPECT_EQ(hidden.status, 200);
  EXPECT_EQ(hidden.at("/error/code"), "-32602");
  EXPECT_EQ(hidden.last(), absent.last());
  EXPECT_EQ(hidden.last(), send(call_of("demo.nothing")).last());
}

TEST_F(McpCalls, M077_ArgumentsThatDoNotFitAreToldToTheModel) {
  serve();
  const McpReply reply = send(call_of("demo.wait", R"({"milliseconds":"soon"})"));
  EXPECT_EQ(reply.at("/result/isError"), "true");
  EXPECT_THAT(reply.at("/result/content/0/text"), HasSubstr("/milliseconds"));
}

TEST_F(McpCalls, FailuresAreResultsThatSaySo) {
  serve();
  const McpReply failed = send(call_of("demo.fail", R"({"message":"No luck."})"));
  EXPECT_EQ(failed.at("/result/isError"), "true");
  EXPECT_THAT(failed.at("/result/content/0/text"), HasSubstr("No luck."));
  const McpReply error = send(call_of("demo.fail", R"({"isError":true})"));
  EXPECT_EQ(error.at("/result/content/0/text"), R"("It did not work.")");
}

TEST_F(McpCalls, M061_ProgressIsToldToWhoAskedForItAndRises) {
  serve();
  McpRequest request = call_of("demo.sleep", R"({"milliseconds":300,"steps":3})");
  EXPECT_FALSE(send(request).stream);
  request.meta = R"("progressToken":"t-1")";
  const McpReply reply = send(request);
  ASSERT_TRUE(reply.stream);
  ASSERT_GE(reply.messages.size(), 2U);  // reports may be taken together
  double before = -1;
  for (std::size_t i = 0; i + 1 < reply.messages.size(); ++i) {
    EXPECT_EQ(at(reply.messages[i], "/params/progressToken"), R"("t-1")");
    const double now = std::stod(at(reply.messages[i], "/params/progress"));
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_EQ(reply.at("/result/content/0/text"), R"("Slept.")");
}

TEST_F(McpCalls, M075_M076_LogLinesAreToldFromTheLevelThatWasAskedFor) {
  serve();
  McpRequest request = call_of("demo.output", R"({"chunks":2})");
  EXPECT_FALSE(send(request).stream);
  request.meta = R"("io.modelcontextprotocol/logLevel":"info")";
  const McpReply told = send(request);
  ASSERT_EQ(told.messages.size(), 3U);
  EXPECT_EQ(at(told.messages[0], "/method"), R"("notifications/message")");
  EXPECT_EQ(at(told.messages[0], "/params/data"), R"("part 1 is written")");
  request.meta = R"("io.modelcontextprotocol/logLevel":"warning")";
  EXPECT_EQ(send(request).messages.size(), 1U);
  request.meta = R"("io.modelcontextprotocol/logLevel":"loud")";
  const McpReply wrong = send(request);
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.at("/error/code"), "-32602");
}

TEST_F(McpCalls, M039_LeavingCancelsTheCall) {
  serve();
  McpRequest request = call_of("demo.sleep", R"({"milliseconds":600000,"steps":1000})");
  request.meta = R"("progressToken":1)";
  read_until(request, [](const McpReply& reply) { return !reply.messages.empty(); });
  const std::string tasks = local("GET", "/v1/tasks").body;
  const std::string task = unquoted(at(tasks, "/tasks/0/id"));
  ASSERT_FALSE(task.empty()) << tasks;
  follow_until(task, "cancelled");
}

TEST_F(McpCalls, ACallWithARequestKeyIsOneCallAndOutlivesItsReader) {
  serve();
  McpRequest request = call_of("demo.sleep", R"({"milliseconds":400,"steps":40})");
  request.meta = R"("progressToken":1,"interline/requestId":"once-and-only-once")";
  read_until(request, [](const McpReply& reply) { return !reply.messages.empty(); });
  request.meta = R"("interline/requestId":"once-and-only-once")";
  EXPECT_EQ(send(request).at("/result/content/0/text"), R"("Slept.")");
  const std::string tasks = local("GET", "/v1/tasks").body;
  EXPECT_EQ(at(tasks, "/tasks/1"), "") << "one task: " << tasks;
  McpRequest other = call_of("demo.echo");
  other.meta = request.meta;
  const McpReply conflict = send(other);
  EXPECT_EQ(conflict.at("/error/code"), "-32602");
  EXPECT_EQ(conflict.at("/error/data/interline/reason"), R"("different_request")");
}

}  // namespace
}  // namespace interline::testing
