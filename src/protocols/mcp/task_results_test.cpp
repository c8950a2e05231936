// The Tasks extension: shapes by status; checklist 97, 99, 101, 103, 105.
#include "protocols/mcp/task_results.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/task_ids.hpp"
#include "protocols/mcp/test_support.hpp"
#include "tasks/event_body.hpp"

namespace interline::protocols::mcp {
namespace {

using namespace std::chrono_literals;
using tasks::State;
using testing::parse;

constexpr std::string_view kId = "0123456789012345678901abc";
const Envelope kPlain{Revision::v2026_07_28, ""};

tasks::Task task_in(State state, std::string outcome = "") {
  auto admission = std::make_shared<tasks::Admission>();
  admission->id = kId;
  admission->created = SystemTime(1'800'000'000s);
  tasks::Task task;
  task.admission = admission;
  task.state = state;
  task.updated = SystemTime(1'800'000'001s) + 500ms;
  task.retain_until = admission->created + 24h;
  task.outcome = std::move(outcome);
  return task;
}
tasks::Task completed(std::string_view result) {
  return task_in(State::completed, tasks::completed_body(result, std::nullopt));
}
tasks::Task failed(std::string code, std::string details = "") {
  tasks::Failure failure(std::move(code), "It broke.", false);
  failure.details = std::move(details);
  return task_in(State::failed, tasks::failed_body(failure));
}
std::string handle(std::string_view status, std::string_view message = "") {
  std::string text =
      R"("taskId":")" + std::string(kId) + R"(","status":")" + std::string(status) + "\",";
  if (!message.empty()) text += R"("statusMessage":")" + std::string(message) + "\",";
  return text +
         R"("createdAt":"2027-01-15T08:00:00.000Z","lastUpdatedAt":"2027-01-15T08:00:01.500Z",)"
         R"("ttlMs":86400000,"pollIntervalMs":1000)";
}
std::string got(const tasks::Task& task, const TaskTelling& telling = {}) {
  return get_task_result(kPlain, task, telling);
}
std::string complete(std::string_view members) {
  return R"({"resultType":"complete",)" + std::string(members) + "}";
}

TEST(Mcp_Tasks, AHandleIsFlatAndHasNoPayload) {
  EXPECT_EQ(create_task_result(kPlain, task_in(State::running), {}),
            R"({"resultType":"task",)" + handle("working") + "}");
  const std::string settled = create_task_result(kPlain, completed("{}"), {});
  EXPECT_EQ(settled.find("\"result\""), std::string::npos);
  TaskTelling telling;
  telling.status_message = "Half of it.";
  telling.poll_interval = 250ms;
  EXPECT_NE(create_task_result(kPlain, task_in(State::accepted), telling).find("\"Half of it.\""),
            std::string::npos);
}

TEST(Mcp_Tasks, StatesAreThoseOfTheExtension) {
  EXPECT_EQ(task_status(task_in(State::accepted)), "working");
  EXPECT_EQ(task_status(task_in(State::running)), "working");
  EXPECT_EQ(task_status(task_in(State::cancelling)), "working");
  EXPECT_EQ(task_status(task_in(State::input_required)), "input_required");
  EXPECT_EQ(task_status(completed("{}")), "completed");
  EXPECT_EQ(task_status(failed("deadline-expired")), "completed");
  EXPECT_EQ(task_status(failed("mcp:-32603")), "failed");
  EXPECT_EQ(task_status(failed("mcp:x")), "completed");
  EXPECT_EQ(task_status(task_in(State::cancelled, "{}")), "cancelled");
}

TEST(Mcp_Tasks, AnEndedOneHasTheToolsResultAsItWasWritten) {
  EXPECT_EQ(got(completed(R"({"content" : [],"n":1.0})")),
            complete(handle("completed") +
                     R"(,"result":{"resultType":"complete","content" : [],"n":1.0})"));
  EXPECT_NE(got(completed(R"({"content":[],"isError":true})")).find(R"("status":"completed")"),
            std::string::npos);
}

TEST(Mcp_Tasks, OnlyAPeersJsonRpcErrorIsAFailure) {
  EXPECT_EQ(got(failed("mcp:-32603", R"({"a":1})")),
            complete(handle("failed", "It broke.") +
                     R"(,"error":{"code":-32603,"message":"It broke.","data":{"a":1}})"));
  EXPECT_EQ(got(failed("unavailable")),
            complete(handle("completed", "It broke.") +
                     R"(,"result":{"resultType":"complete","content":[{"type":"text",)"
                     R"|("text":"It broke. (unavailable)"}],"isError":true})|"));
  EXPECT_NE(got(failed("mcp:-32042")).find(R"("code":-32603)"), std::string::npos);
}

TEST(Mcp_Tasks, ACancelledOneHasNoPayload) {
  EXPECT_EQ(got(task_in(State::cancelled, tasks::cancelled_body("Changed my mind."))),
            complete(handle("cancelled", "Changed my mind.")));
  EXPECT_EQ(got(task_in(State::cancelling)),
            complete(handle("working", "Cancellation was requested.")));
}

tasks::Task asking() {
  tasks::Task task = task_in(State::input_required);
  task.pending.emplace();
  tasks::Question question;
  question.id = "1111111111111111111111";
  question.kind = tasks::QuestionKind::roots;
  task.pending->questions = {question, question};
  task.pending->questions[1].id = "2222222222222222222222";
  task.pending->questions[1].kind = tasks::QuestionKind::form;
  return task;
}

TEST(Mcp_Tasks, OpenQuestionsAreShownToWhoCanAnswerThem) {
  TaskTelling telling;
  telling.capabilities.add(ClientCapability::roots);
  EXPECT_EQ(got(asking(), telling),
            complete(handle("input_required") +
                     R"(,"inputRequests":{"1111111111111111111111":{"method":"roots/list"}})"));
  telling.capabilities.add(ClientCapability::elicitation_form);
  EXPECT_NE(got(asking(), telling).find("\"2222222222222222222222\":{\"method\":\"elicitation"),
            std::string::npos);
  EXPECT_NE(got(asking()).find(R"("inputRequests":{}})"), std::string::npos);
}

TEST(Mcp_Tasks, ANotificationIsTheWholeTask) {
  EXPECT_EQ(task_notification_params(completed("{}"), {}, "0"),
            "{" + handle("completed") +
                R"(,"result":{"resultType":"complete"},)"
                R"("_meta":{"io.modelcontextprotocol/subscriptionId":0}})");
}

TEST(Mcp_Tasks, WhoDidNotDeclareThemGetsTheEnd) {
  const Envelope legacy{Revision::v2025_06_18, ""};
  EXPECT_EQ(std::get<std::string>(settled_answer(legacy, completed(R"({"content":[]})"))),
            R"({"content":[]})");
  EXPECT_EQ(std::get<ErrorAnswer>(settled_answer(legacy, failed("mcp:-32602"))),
            ErrorAnswer(-32602, 200, "It broke."));
  EXPECT_EQ(std::get<std::string>(settled_answer(legacy, failed("x:y"))),
            R"|({"content":[{"type":"text","text":"It broke. (x:y)"}],"isError":true})|");
  EXPECT_NE(std::get<std::string>(settled_answer(legacy, task_in(State::cancelled, "{}")))
                .find("isError"),
            std::string::npos);
  EXPECT_NE(std::get<std::string>(settled_answer(legacy, task_in(State::failed))).find("isError"),
            std::string::npos);
}

TEST(Mcp_TaskIds, EveryFormIsUnderstood) {
  EXPECT_EQ(write_task_id("", kId), kId);
  EXPECT_EQ(write_task_id("acme", kId), "acme~2F" + std::string(kId));
  EXPECT_EQ(write_task_id("a/b~", kId), "a~2Fb~7E~2F" + std::string(kId));
  for (const std::string_view tenant : {"", "acme", "a/b~", "é"}) {
    const auto read = read_task_id(write_task_id(tenant, kId));
    ASSERT_TRUE(read) << tenant;
    EXPECT_EQ(read->tenant, tenant);
    EXPECT_EQ(read->id, kId);
  }
  EXPECT_EQ(read_task_id("acme/" + std::string(kId))->tenant, "acme");
  EXPECT_EQ(read_task_id("acme%2f" + std::string(kId))->tenant, "acme");
  for (const std::string& text :
       {std::string(), std::string("short"), "/" + std::string(kId), std::string(kId) + "~",
        std::string(kId) + "~2", std::string(kId) + "%zz", std::string(kId) + "/"}) {
    EXPECT_FALSE(read_task_id(text)) << text;
  }
}

}  // namespace
}  // namespace interline::protocols::mcp
