// A requestState is of one request at one endpoint, and counts once, in every round.
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

constexpr auto kAsking = R"(
[agent]
name = "asking"
version = "1"

[[tool]]
name = "likes"
prepare = [
  { ask = { name = { form = "Who?", schema = { type = "object", properties = { v = { type = "string" } } } } } },
  { ask = { color = { form = "What?", schema = { type = "object", properties = { v = { type = "string" } } } } } },
]
steps = [ { text = "${answers.name.value.v} likes ${answers.color.value.v}." } ]

[[tool]]
name = "running"
steps = [
  { ask = { name = { form = "Who?", schema = { type = "object", properties = { v = { type = "string" } } } } } },
  { text = "Hello, ${answers.name.value.v}." },
]

[[prompt]]
name = "about"
prepare = [
  { ask = { name = { form = "Who?", schema = { type = "object", properties = { v = { type = "string" } } } } } },
]
messages = [ { user = "About ${answers.name.value.v}." } ]
)";

/// The same agent behind `one` and `two`.
class McpUsedStates : public McpTest {
 protected:
  void serve_both() {
    write("asking.toml", kAsking);
    configure(
        "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"*\"]\nvisible = true\n"
        "invoke = [\"*\"]\n"
        "[[endpoint]]\nname = \"one\"\nruntime = { kind = \"script\", file = \"asking.toml\" }\n"
        "[[endpoint]]\nname = \"two\"\nruntime = { kind = \"script\", file = \"asking.toml\" }\n");
    start();
    for (int i = 0; i < 2; ++i) until("an endpoint is served");
  }
  /// At `/mcp/one`.
  [[nodiscard]] static McpRequest asking(const std::string& method, const std::string& name) {
    McpRequest request;
    request.method = method;
    request.path = "/mcp/one";
    request.name = name;
    request.params = R"("name":")" + name + '"';
    request.capabilities = R"({"elicitation":{}})";
    return request;
  }
  /// The same with an answer to `key`.
  [[nodiscard]] static McpRequest answering(McpRequest request, const McpReply& asked,
                                            const std::string& key, const std::string& value) {
    request.id = "2";
    request.params +=
        R"(,"requestState":)" + asked.at("/result/requestState") + R"(,"inputResponses":{)";
    const std::string own = own_key(asked, key);
    request.params += '"' + own + R"(":{"action":"accept","content":{"v":")" + value + "\"}}}";
    return request;
  }
  /// Questions of a running task have keys of the gateway's own.
  [[nodiscard]] static std::string own_key(const McpReply& asked, const std::string& key) {
    const std::string requests = asked.at("/result/inputRequests");
    if (requests.find('"' + key + '"') != std::string::npos || requests.size() < 3) return key;
    return requests.substr(2, requests.find('"', 2) - 2);
  }
};

TEST_F(McpUsedStates, M054_AStateOfAnotherEndpointIsRefused) {
  serve_both();
  struct Row {
    std::string method;
    std::string name;
  };
  for (const Row& row :
       {Row{"tools/call", "likes"}, Row{"tools/call", "running"}, Row{"prompts/get", "about"}}) {
    const McpRequest request = asking(row.method, row.name);
    const McpReply asked = send(request);
    ASSERT_EQ(asked.at("/result/resultType"), R"("input_required")") << asked.last();
    McpRequest elsewhere = answering(request, asked, "name", "Ann");
    elsewhere.path = "/mcp/two";
    EXPECT_EQ(send(elsewhere).at("/error/code"), "-32602") << row.name;
    McpRequest at_home = answering(request, asked, "name", "Ann");
    EXPECT_NE(send(at_home).at("/result/resultType"), "") << row.name;
  }
}

TEST_F(McpUsedStates, M057_AnEarlierRoundCountsOnceToo) {
  serve_both();
  const McpRequest request = asking("tools/call", "likes");
  const McpReply first = send(request);
  const McpReply ann = send(answering(request, first, "name", "Ann"));
  ASSERT_EQ(ann.at("/result/resultType"), R"("input_required")") << ann.last();
  EXPECT_EQ(send(answering(request, first, "name", "Bob")).at("/error/code"), "-32602");
  // The same answer, after a lost answer: another state, for the same question.
  const McpReply again = send(answering(request, first, "name", "Ann"));
  ASSERT_EQ(again.at("/result/resultType"), R"("input_required")") << again.last();
  const McpReply red = send(answering(request, ann, "color", "red"));
  EXPECT_EQ(red.at("/result/content/0/text"), R"("Ann likes red.")");
  EXPECT_EQ(send(answering(request, again, "color", "blue")).at("/error/code"), "-32602");
  EXPECT_EQ(send(answering(request, again, "color", "red")).at("/result/content/0/text"),
            R"("Ann likes red.")");
  // One task in all.
  const std::string tasks = local("GET", "/v1/tasks").body;
  EXPECT_NE(at(tasks, "/tasks/0/id"), "");
  EXPECT_EQ(at(tasks, "/tasks/1/id"), "");
}

TEST_F(McpUsedStates, M057_AStateOfAPromptCountsOnce) {
  serve_both();
  const McpRequest request = asking("prompts/get", "about");
  const McpReply asked = send(request);
  const std::string text = "/result/messages/0/content/text";
  EXPECT_EQ(send(answering(request, asked, "name", "Ann")).at(text), R"("About Ann.")");
  EXPECT_EQ(send(answering(request, asked, "name", "Bob")).at("/error/code"), "-32602");
  EXPECT_EQ(send(answering(request, asked, "name", "Ann")).at(text), R"("About Ann.")");
}

TEST_F(McpUsedStates, M057_AskedAgainTheOldStateAndTheNewCountOnceBetweenThem) {
  serve_both();
  const McpRequest request = asking("prompts/get", "about");
  const McpReply asked = send(request);
  McpRequest nothing = request;
  nothing.params += R"(,"requestState":)" + asked.at("/result/requestState");
  const McpReply again = send(nothing);
  ASSERT_EQ(again.at("/result/resultType"), R"("input_required")");
  EXPECT_EQ(send(answering(request, asked, "name", "Ann")).at("/error/code"), "");
  EXPECT_EQ(send(answering(request, again, "name", "Bob")).at("/error/code"), "-32602");
}

TEST_F(McpUsedStates, M057_ACallersOwnKeyIsPartOfTheUse) {
  serve_both();
  McpRequest request = asking("tools/call", "likes");
  const McpReply first = send(request);
  const McpReply second = send(answering(request, first, "name", "Ann"));
  McpRequest last = answering(request, second, "color", "red");
  EXPECT_EQ(send(last).at("/result/content/0/text"), R"("Ann likes red.")");
  last.meta = R"("interline/requestId":"another")";
  EXPECT_EQ(send(last).at("/error/code"), "-32602");
}

TEST_F(McpUsedStates, M103_AtAnEndpointsOwnUrlATaskOfAnotherIsNone) {
  serve_both();
  McpRequest request = asking("tools/call", "running");
  request.capabilities = kTasks;
  const McpReply begun = send(request);
  const std::string task = unquoted(begun.at("/result/taskId"));
  ASSERT_NE(task, "") << begun.last();
  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    McpRequest about = about_task(method, task, R"(,"inputResponses":{})");
    about.path = "/mcp/two";
    EXPECT_EQ(send(about).at("/error/code"), "-32602") << method;
    about.path = method == "tasks/get" ? "/mcp" : "/mcp/one";
    EXPECT_EQ(send(about).at("/result/resultType"), R"("complete")") << method;
  }
}

}  // namespace
}  // namespace interline::testing
