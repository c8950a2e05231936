// The Tasks extension: a call that takes longer becomes a task, for clients that declare it.
#include <csignal>

#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class McpTasks : public McpTest {
 protected:
  /// Begins a call that becomes a task; its id.
  [[nodiscard]] std::string begin(const std::string& tool, const std::string& arguments) const {
    McpRequest request = call_of(tool, arguments);
    request.capabilities = kTasks;
    const McpReply reply = send(request);
    EXPECT_EQ(reply.at("/result/resultType"), R"("task")") << reply.last();
    return unquoted(reply.at("/result/taskId"));
  }
  [[nodiscard]] McpReply get(const std::string& task) const {
    return send(about_task("tasks/get", task));
  }
};

TEST_F(McpTasks, M096_NoTaskWithoutTheDeclaration) {
  serve("[mcp]\ntask_grace = \"0ms\"\n");
  McpRequest request = call_of("demo.sleep", R"({"milliseconds":200})");
  EXPECT_EQ(send(request).at("/result/resultType"), R"("complete")");
  for (const auto method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    McpRequest undeclared = about_task(method, "5NNDIReyackicKaqxHMfNakVv2v4NUV");
    undeclared.capabilities = "{}";
    const McpReply reply = send(undeclared);
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.at("/error/code"), "-32021");
    EXPECT_EQ(reply.at("/error/data/requiredCapabilities"),
              R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
  }
}

constexpr auto kNeverTasks = R"(
[agent]
name = "plain"
version = "1"

[[tool]]
name = "slow"
task = "forbidden"
steps = [ { wait = "300ms" }, { text = "Done." } ]

[[tool]]
name = "curious"
task = "forbidden"
steps = [
  { ask = { name = { form = "Who?", schema = { type = "object", properties = { n = { type = "string" } } } } } },
  { wait = "300ms" },
  { text = "Asked." },
]
)";
constexpr auto kPlainEndpoint =
    "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"plain\"]\nvisible = true\n"
    "invoke = [\"*\"]\n"
    "[[endpoint]]\nname = \"plain\"\n"
    "runtime = { kind = \"script\", file = \"plain.toml\" }\n"
    "[mcp]\ntask_grace = \"0ms\"\n";

TEST_F(McpTasks, AToolThatIsNeverATaskIsAnsweredAtItsEnd) {
  write("plain.toml", kNeverTasks);
  serve(kPlainEndpoint);
  until("an endpoint is served");
  McpRequest request = call_of("plain.slow");
  request.capabilities = kTasks;
  const McpReply reply = send(request);
  EXPECT_EQ(reply.at("/result/resultType"), R"("complete")") << reply.last();
  EXPECT_EQ(reply.at("/result/content/0/text"), R"("Done.")");
}

TEST_F(McpTasks, AToolThatIsNeverATaskAsksByARetry) {
  write("plain.toml", kNeverTasks);
  serve(kPlainEndpoint);
  until("an endpoint is served");
  McpRequest request = call_of("plain.curious");
  request.capabilities = kTasks;
  McpReply reply = send(request);
  ASSERT_EQ(reply.at("/result/resultType"), R"("input_required")") << reply.last();
  const std::string requests = reply.at("/result/inputRequests");
  const std::string key = requests.substr(2, requests.find('"', 2) - 2);
  request.params += R"(,"requestState":)" + reply.at("/result/requestState") +
                    R"(,"inputResponses":{")" + key +
                    R"(":{"action":"accept","content":{"n":"Ann"}}})";
  reply = send(request);
  EXPECT_EQ(reply.at("/result/resultType"), R"("complete")") << reply.last();
  EXPECT_EQ(reply.at("/result/content/0/text"), R"("Asked.")");
}

TEST_F(McpTasks, M097_ATaskIsToldFlatAndWhole) {
  serve("[mcp]\npoll_interval = \"250ms\"\n");
  McpRequest request = call_of("demo.never");
  request.capabilities = kTasks;
  const McpReply reply = send(request);
  EXPECT_EQ(reply.at("/result/status"), R"("working")");
  EXPECT_EQ(reply.at("/result/ttlMs"), "86400000");
  EXPECT_EQ(reply.at("/result/pollIntervalMs"), "250");
  EXPECT_FALSE(reply.at("/result/createdAt").empty());
  EXPECT_FALSE(reply.at("/result/lastUpdatedAt").empty());
  for (const auto absent : {"/result/task", "/result/result", "/result/inputRequests"}) {
    EXPECT_EQ(reply.at(absent), "");
  }
  (void)send(about_task("tasks/cancel", unquoted(reply.at("/result/taskId"))));
}

TEST_F(McpTasks, M098_ATaskOutlivesTheGatewayThatToldIt) {
  serve();
  const std::string task = begin("demo.ask", "{}");
  signal(SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  start();
  const McpReply reply = get(task);
  EXPECT_NE(reply.at("/result/status"), "") << reply.last();
  EXPECT_EQ(reply.at("/result/taskId"), '"' + task + '"');
}

TEST_F(McpTasks, M099_WhatItCameToDependsOnItsStatus) {
  serve("[mcp]\ntask_grace = \"0ms\"\n");
  const std::string slept = begin("demo.sleep", R"({"milliseconds":100})");
  follow_until(slept, "completed");
  McpReply reply = get(slept);
  EXPECT_EQ(reply.at("/result/resultType"), R"("complete")");
  EXPECT_EQ(reply.at("/result/status"), R"("completed")");
  EXPECT_EQ(reply.at("/result/result/content/0/text"), R"("Slept.")");
  EXPECT_EQ(reply.at("/result/error"), "");
  McpRequest failing = call_of("demo.fail", R"({"message":"No."})");
  failing.capabilities = kTasks;
  const McpReply failed = send(failing);
  if (failed.at("/result/resultType") == R"("task")") {
    const std::string task = unquoted(failed.at("/result/taskId"));
    follow_until(task, "failed");
    reply = get(task);
    EXPECT_EQ(reply.at("/result/status"), R"("completed")");
    EXPECT_EQ(reply.at("/result/result/isError"), "true");
  } else {
    EXPECT_EQ(failed.at("/result/isError"), "true");
  }
}

TEST_F(McpTasks, M101_AnswersAreTakenOneByOneAndTheRestIgnored) {
  serve();
  const std::string task = begin("demo.ask", R"({"count":2})");
  McpReply reply = get(task);
  EXPECT_EQ(reply.at("/result/status"), R"("input_required")");
  const std::string requests = reply.at("/result/inputRequests");
  const std::string first = requests.substr(2, requests.find('"', 2) - 2);
  const std::string answer = R"(,"inputResponses":{"nobody-asked":{"action":"accept"},")" + first +
                             R"(":{"action":"accept","content":{"value":"Ann"}}})";
  EXPECT_EQ(send(about_task("tasks/update", task, answer)).at("/result/resultType"),
            R"("complete")");
  reply = get(task);
  EXPECT_EQ(reply.at("/result/status"), R"("input_required")");
  const std::string left = reply.at("/result/inputRequests");
  EXPECT_THAT(left, Not(HasSubstr(first)));
  // Once more: ignored.
  EXPECT_EQ(send(about_task("tasks/update", task, answer)).at("/result/resultType"),
            R"("complete")");
  const std::string second = left.substr(2, left.find('"', 2) - 2);
  (void)send(about_task("tasks/update", task,
                        R"(,"inputResponses":{")" + second + R"(":{"action":"decline"}})"));
  follow_until(task, "completed");
  EXPECT_THAT(get(task).last(), HasSubstr(R"("answers":["Ann",null])"));
}

TEST_F(McpTasks, M100_M102_CancellingIsAcknowledgedAndFinal) {
  serve();
  const std::string task = begin("demo.never", "{}");
  EXPECT_EQ(send(about_task("tasks/cancel", task)).at("/result/resultType"), R"("complete")");
  follow_until(task, "cancelled");
  EXPECT_EQ(get(task).at("/result/status"), R"("cancelled")");
  EXPECT_EQ(send(about_task("tasks/cancel", task)).at("/result/resultType"), R"("complete")");
  EXPECT_EQ(get(task).at("/result/status"), R"("cancelled")");
}

TEST_F(McpTasks, M103_SomebodyElsesTaskIsNoTask) {
  serve();
  McpRequest request = call_of("second.never");
  request.capabilities = kTasks;
  request.key = make_key("owner");
  const std::string task = unquoted(send(request).at("/result/taskId"));
  McpRequest other = about_task("tasks/get", task);
  other.key = make_key("other");
  const McpReply foreign = send(other);
  EXPECT_EQ(foreign.status, 200);
  EXPECT_EQ(foreign.at("/error/code"), "-32602");
  EXPECT_EQ(foreign.last(), get("5NNDIReyackicKaqxHMfNakVv2v4NUV").last());
  McpRequest cancel = about_task("tasks/cancel", task);
  cancel.key = request.key;
  EXPECT_EQ(send(cancel).at("/result/resultType"), R"("complete")");
}

TEST_F(McpTasks, M105_ATaskIsToldToWhoListensForIt) {
  serve();
  const std::string task = begin("demo.ask", "{}");
  McpRequest listening;
  listening.method = "subscriptions/listen";
  listening.capabilities = kTasks;
  listening.id = "\"s\"";
  listening.params =
      R"("notifications":{"taskIds":[")" + task + R"(","nobodys-task-nobodys-task"]})";
  bool cancelled = false;
  const McpReply heard = read_until(listening, [&](const McpReply& reply) {
    if (reply.messages.size() == 2 && !cancelled) {
      cancelled = true;
      (void)send(about_task("tasks/cancel", task));
    }
    return reply.last().find(R"("status":"cancelled")") != std::string::npos;
  });
  ASSERT_GE(heard.messages.size(), 3U);
  EXPECT_EQ(at(heard.messages[0], "/params/notifications"), R"({"taskIds":[")" + task + R"("]})");
  EXPECT_EQ(at(heard.messages[1], "/method"), R"("notifications/tasks")");
  EXPECT_EQ(at(heard.messages[1], "/params/status"), R"("input_required")");
  EXPECT_THAT(at(heard.messages[1], "/params/inputRequests"), HasSubstr("elicitation/create"));
  EXPECT_EQ(at(heard.messages[1], "/params/_meta/io.modelcontextprotocol~1subscriptionId"),
            "\"s\"");
}

TEST_F(McpTasks, M012_M099_ATaskWhoseQuestionsThisClientCannotAnswerSaysWhatItNeeds) {
  serve();
  const std::string task = begin("demo.ask", "{}");
  McpRequest request = about_task("tasks/get", task);
  request.capabilities = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  const McpReply reply = send(request);
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.at("/error/code"), "-32021") << reply.last();
  EXPECT_EQ(reply.at("/error/data/requiredCapabilities"), R"({"elicitation":{"form":{}}})");
  EXPECT_THAT(get(task).at("/result/inputRequests"), HasSubstr("elicitation/create"));
}

}  // namespace
}  // namespace interline::testing
