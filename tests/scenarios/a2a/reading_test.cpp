// GetTask, ListTasks and CancelTask over both bindings (A2A 1.0, sections 3.1.3 to 3.1.5; checklist
// 29 to 41).
#include <gmock/gmock.h>

#include "a2a_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class A2aReading : public A2aTest {
 protected:
  /// A task of a caller with a key, by its tool.
  [[nodiscard]] std::string begun(const std::string& tool, const std::string& arguments,
                                  const std::string& fields, const std::string& id) const {
    const McpReply reply =
        rpc("SendMessage",
            message_of(id, R"({"data":)" + arguments + "}", "", R"({"returnImmediately":true})"),
            "/a2a/demo/" + tool, fields);
    return unquoted(reply.at("/result/task/id"));
  }
  [[nodiscard]] std::string fields_of(const std::string& name) const {
    return kVersionField + ("Authorization: Bearer " + make_key(name) + "\r\n");
  }
};

TEST_F(A2aReading, A29_A74_BothBindingsGiveTheSameTask) {
  serve_a2a();
  const McpReply sent = rpc("SendMessage", message_of("m-1", R"({"data":{"n":1}})"));
  const std::string id = unquoted(sent.at("/result/task/id"));
  const McpReply by_rpc = rpc("GetTask", R"({"id":")" + id + R"("})");
  const McpReply by_rest = rest("GET", "/a2a/demo/echo/v1/tasks/" + id);
  EXPECT_EQ(by_rpc.at("/result"), sent.at("/result/task"));
  EXPECT_EQ(by_rest.last(), by_rpc.at("/result"));
  EXPECT_THAT(by_rest.head, HasSubstr("Content-Type: application/a2a+json"));
}

TEST_F(A2aReading, A30_AnothersTaskAndNoTaskAreOneAnswer) {
  serve_a2a();
  const std::string ann = fields_of("ann");
  const std::string bob = fields_of("bob");
  const std::string id = begun("echo", R"({"n":1})", ann, "m-1");
  for (const std::string method : {"GetTask", "CancelTask", "SubscribeToTask"}) {
    const McpReply foreign = rpc(method, R"({"id":")" + id + R"("})", "/a2a/demo/echo", bob);
    const McpReply absent =
        rpc(method, R"({"id":"absent-absent-absent-absent"})", "/a2a/demo/echo", bob);
    EXPECT_EQ(foreign.at("/error/code"), "-32001");
    EXPECT_EQ(foreign.last(), absent.last());
    EXPECT_FALSE(foreign.stream);
  }
  const McpReply rest_foreign = rest("GET", "/a2a/v1/tasks/" + id, "", bob);
  EXPECT_EQ(rest_foreign.status, 404);
  EXPECT_EQ(rest_foreign.at("/error/status"), R"("NOT_FOUND")");
  EXPECT_EQ(rest("GET", "/a2a/v1/tasks/" + id, "", ann).status, 200);
}

TEST_F(A2aReading, A31_HistoryLengthBoundsWhatIsShown) {
  serve_a2a();
  const McpReply sent =
      rpc("SendMessage", message_of("m-1", R"({"data":{"n":1}})", "", R"({"historyLength":0})"));
  EXPECT_EQ(sent.at("/result/task/history"), "");
  const std::string id = sent.at("/result/task/id");
  EXPECT_NE(rpc("GetTask", R"({"historyLength":1,"id":)" + id + "}").at("/result/history/0"), "");
  EXPECT_EQ(rpc("GetTask", R"({"history_length":"0","id":)" + id + "}").at("/result/history"), "");
  EXPECT_EQ(rpc("GetTask", R"({"historyLength":-1,"id":)" + id + "}").at("/error/code"), "-32602");
}

TEST_F(A2aReading, A32_A34_A36_ListsAreTheCallersOwnNewestFirstByPages) {
  serve_a2a();
  const std::string ann = fields_of("ann");
  const std::string bob = fields_of("bob");
  std::vector<std::string> begun_ids;
  for (int i = 0; i < 5; ++i) {
    // One that asks stays where it is: nothing moves to the front between two pages.
    const McpReply asked =
        rpc("SendMessage", message_of("m-" + std::to_string(i), R"({"data":{}})"), "/a2a/demo/ask",
            ann);
    begun_ids.push_back(unquoted(asked.at("/result/task/id")));
  }
  const McpReply none = rest("GET", "/a2a/v1/tasks", "", bob);
  EXPECT_EQ(none.last(), R"({"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0})");
  std::vector<std::string> seen;
  std::string token;
  do {
    const McpReply page = rest("GET", "/a2a/v1/tasks?pageSize=2&pageToken=" + token, "", ann);
    EXPECT_EQ(page.at("/totalSize"), "5");
    EXPECT_EQ(page.at("/tasks/0/artifacts"), "");
    for (int i = 0; !page.at("/tasks/" + std::to_string(i)).empty(); ++i) {
      seen.push_back(unquoted(page.at("/tasks/" + std::to_string(i) + "/id")));
    }
    token = unquoted(page.at("/nextPageToken"));
    // Another's token, and one for other filters, is none.
    if (!token.empty()) {
      EXPECT_EQ(rest("GET", "/a2a/v1/tasks?pageToken=" + token, "", bob).status, 400);
      EXPECT_EQ(rest("GET", "/a2a/v1/tasks?contextId=x&pageToken=" + token, "", ann).status, 400);
    }
  } while (!token.empty());
  EXPECT_THAT(seen, ::testing::UnorderedElementsAreArray(begun_ids));
  const McpReply listed =
      rest("GET", "/a2a/v1/tasks?includeArtifacts=true&status=TASK_STATE_COMPLETED", "", ann);
  EXPECT_EQ(listed.at("/tasks"), "[]");
}

TEST_F(A2aReading, A38_WhatIsOutOfRangeIsToldWithItsField) {
  serve_a2a();
  for (const std::string query :
       {"pageSize=0", "pageSize=101", "pageSize=-1", "pageSize=x", "pageToken=abc",
        "status=TASK_STATE_NONE", "historyLength=-5", "pageSize=1&pageSize=2"}) {
    const McpReply reply = rest("GET", "/a2a/v1/tasks?" + query);
    EXPECT_EQ(reply.status, 400) << query;
    EXPECT_EQ(reply.at("/error/details/0/fieldViolations/0/field"),
              '"' + query.substr(0, query.find('=')) + '"');
  }
}

TEST_F(A2aReading, A39_A40_A41_ACancelledTaskStaysSoAndAnEndedOneCannotBe) {
  serve_a2a();
  const std::string ann = fields_of("ann");
  const std::string id = begun("never", "{}", ann, "m-1");
  const std::string cancel = "/a2a/v1/tasks/" + id + ":cancel";
  EXPECT_EQ(rest("POST", cancel, "", ann).at("/status/state"), R"("TASK_STATE_CANCELED")");
  EXPECT_EQ(rest("POST", cancel, "", ann).at("/status/state"), R"("TASK_STATE_CANCELED")");
  const McpReply sent =
      rpc("SendMessage", message_of("m-2", R"({"data":{}})"), "/a2a/demo/echo", ann);
  const McpReply late =
      rpc("CancelTask", R"({"id":)" + sent.at("/result/task/id") + "}", "/a2a/demo/echo", ann);
  EXPECT_EQ(late.at("/error/code"), "-32002");
  EXPECT_EQ(late.at("/error/data/0/reason"), R"("TASK_NOT_CANCELABLE")");
}

}  // namespace
}  // namespace interline::testing
