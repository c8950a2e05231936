// SendStreamingMessage and SubscribeToTask (A2A 1.0, sections 3.1.2 and 3.1.6; checklist 42 to 52).
#include <gmock/gmock.h>

#include "a2a_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class A2aStreaming : public A2aTest {};

TEST_F(A2aStreaming, A44_A45_TheTaskThenItsChangesThenTheEnd) {
  serve_a2a();
  const McpReply reply = rpc("SendStreamingMessage", message_of("m-1", R"({"data":{"chunks":3}})"),
                             "/a2a/demo/output");
  ASSERT_TRUE(reply.stream);
  ASSERT_GE(reply.messages.size(), 4U);
  EXPECT_NE(at(reply.messages.front(), "/result/task/id"), "");
  std::string story;
  for (const std::string& message : reply.messages) {
    EXPECT_EQ(at(message, "/id"), "1");
    const std::string chunk = at(message, "/result/artifactUpdate/artifact/parts/0/text");
    if (at(message, "/result/artifactUpdate/artifact/artifactId") == R"("story")") {
      story += unquoted(chunk);
    }
  }
  // What was written before the stream began is in its first event.
  const std::string before = at(reply.messages.front(), "/result/task/artifacts/0/parts");
  EXPECT_THAT(before + story, HasSubstr("part 3 "));
  EXPECT_EQ(reply.at("/result/statusUpdate/status/state"), R"("TASK_STATE_COMPLETED")");
}

TEST_F(A2aStreaming, AStreamOfHttpJsonHasTheBareResponses) {
  serve_a2a();
  const McpReply reply =
      rest("POST", "/a2a/demo/echo/v1/message:stream", message_of("m-1", R"({"data":{"n":1}})"));
  ASSERT_TRUE(reply.stream);
  EXPECT_NE(at(reply.messages.front(), "/task/id"), "");
  EXPECT_EQ(reply.at("/statusUpdate/status/state"), R"("TASK_STATE_COMPLETED")");
}

TEST_F(A2aStreaming, AStreamOfAMessageEndsWhereItsTaskAsks) {
  serve_a2a();
  const McpReply reply = rpc("SendStreamingMessage",
                             message_of("m-1", R"({"data":{"question":"Who?"}})"), "/a2a/demo/ask");
  ASSERT_TRUE(reply.stream);
  const std::string& last = reply.messages.back();
  const bool first = reply.messages.size() == 1;
  EXPECT_EQ(at(last, first ? "/result/task/status/state" : "/result/statusUpdate/status/state"),
            R"("TASK_STATE_INPUT_REQUIRED")");
}

TEST_F(A2aStreaming, A48_A50_ASubscriptionShowsTheTaskAndStaysUntilItsEnd) {
  serve_a2a();
  const McpReply asked =
      rpc("SendMessage", message_of("m-1", R"({"data":{"question":"Who?","suspend":true}})"),
          "/a2a/demo/ask");
  const std::string id = unquoted(asked.at("/result/task/id"));
  bool answered = false;
  const std::string request = "POST /a2a/v1/tasks/" + id +
                              ":subscribe HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                              "A2A-Version: 1.0\r\nContent-Length: 0\r\n\r\n";
  const McpReply stream = read_raw(request, [&](const McpReply& reply) {
    if (!reply.messages.empty() && !answered) {
      answered = true;
      const McpReply done =
          rpc("SendMessage", message_of("m-2", R"({"text":"Ann"})", R"(,"taskId":")" + id + '"'));
      EXPECT_EQ(done.at("/result/task/status/state"), R"("TASK_STATE_COMPLETED")");
    }
    return false;  // to its end
  });
  ASSERT_TRUE(stream.stream);
  EXPECT_EQ(at(stream.messages.front(), "/task/status/state"), R"("TASK_STATE_INPUT_REQUIRED")");
  EXPECT_EQ(stream.at("/statusUpdate/status/state"), R"("TASK_STATE_COMPLETED")");
}

TEST_F(A2aStreaming, A49_ATaskThatHasEndedCannotBeSubscribedTo) {
  serve_a2a();
  const McpReply sent = rpc("SendMessage", message_of("m-1", R"({"data":{}})"));
  const McpReply late = rpc("SubscribeToTask", R"({"id":)" + sent.at("/result/task/id") + "}");
  EXPECT_FALSE(late.stream);
  EXPECT_EQ(late.at("/error/code"), "-32004");
}

TEST_F(A2aStreaming, A52_ATaskGoesOnWhenItsReaderLeaves) {
  serve_a2a();
  const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":)" +
                           message_of("m-1", R"({"data":{"question":"Who?","suspend":true}})") +
                           "}";
  const McpReply left = read_raw(
      "POST /a2a/demo/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nA2A-Version: 1.0\r\nContent-Length: " +
          std::to_string(body.size()) + "\r\n\r\n" + body,
      [](const McpReply& reply) { return !reply.messages.empty(); });
  const std::string id = at(left.messages.front(), "/result/task/id");
  const McpReply answered =
      rpc("SendMessage", message_of("m-2", R"({"text":"Ann"})", R"(,"taskId":)" + id));
  EXPECT_EQ(answered.at("/result/task/status/state"), R"("TASK_STATE_COMPLETED")");
}

}  // namespace
}  // namespace interline::testing
