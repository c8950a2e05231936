// Revisions that are opened by `initialize`, over standard input and output.
#include <map>

#include <gmock/gmock.h>

#include "stdio_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class McpStdioLegacy : public StdioTest {
 protected:
  static std::string ask(StdioClient& client, const std::string& method,
                         const std::string& params = "{}", const std::string& id = "5") {
    client.send(legacy_line(method, params, id));
    return client.answer(id);
  }
};

TEST_F(McpStdioLegacy, M107_InitializeAgreesUponEveryRevisionThatHasIt) {
  serve();
  for (const std::string version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    StdioClient client(folder());
    const std::string opened = open(client, version);
    EXPECT_EQ(at(opened, "/result/protocolVersion"), '"' + version + '"');
    EXPECT_EQ(at(opened, "/result/serverInfo/name"), R"("interline")");
    EXPECT_EQ(at(opened, "/result/resultType"), "");
    EXPECT_THAT(ask(client, "tools/list"), HasSubstr(R"("name":"demo.echo")"));
  }
  for (const std::string version : {"2026-07-28", "1999-01-01"}) {
    StdioClient client(folder());
    EXPECT_EQ(at(open(client, version), "/result/protocolVersion"), R"("2025-11-25")");
  }
}

TEST_F(McpStdioLegacy, M107_InitializeComesOnceAndOnlyAPingMayComeBeforeIt) {
  serve();
  StdioClient client(folder());
  EXPECT_EQ(at(ask(client, "ping"), "/result"), "{}");
  EXPECT_EQ(at(ask(client, "tools/list"), "/error/code"), "-32602");
  client.send(legacy_line("initialize", R"({"protocolVersion":7})", "1"));
  EXPECT_EQ(at(client.answer("1"), "/error/code"), "-32602");
  open(client);
  client.send(legacy_line("initialize",
                          R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                          R"("clientInfo":{"name":"n","version":"1"}})",
                          "2"));
  EXPECT_EQ(at(client.answer("2"), "/error/code"), "-32600");
  EXPECT_EQ(at(ask(client, "ping"), "/result"), "{}");
}

TEST_F(McpStdioLegacy, M108_ResultsHaveTheShapeOfTheirRevision) {
  serve();
  StdioClient client(folder());
  open(client);
  EXPECT_EQ(at(ask(client, "logging/setLevel", R"({"level":"error"})"), "/result"), "{}");
  const std::string called =
      ask(client, "tools/call", R"({"name":"demo.echo","arguments":{"a":1}})");
  EXPECT_EQ(at(called, "/result/structuredContent"), R"({"a":1})");
  EXPECT_EQ(at(called, "/result/resultType"), "");
  EXPECT_EQ(at(ask(client, "resources/read", R"({"uri":"interline:demo/x"})"), "/error/code"),
            "-32002");
}

TEST_F(McpStdioLegacy, M025_BothErasAreServedByOneProcess) {
  serve();
  StdioClient client(folder());
  open(client);
  McpRequest modern;
  modern.method = "tools/list";
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(at(client.ask(modern), "/result/resultType"), R"("complete")");
    EXPECT_EQ(at(ask(client, "tools/list"), "/result/resultType"), "");
  }
  modern.method = "initialize";
  EXPECT_EQ(at(client.ask(modern), "/error/code"), "-32601");
}

TEST_F(McpStdioLegacy, M111_BatchesBelongToOneRevision) {
  serve();
  const std::string batch = "[" + legacy_line("ping", "{}", "1") + "," +
                            legacy_line("tools/call", R"({"name":"demo.echo"})", "2") + "," +
                            legacy_line("initialize", "{}", "3") + "," +
                            legacy_line("notifications/initialized") + ",7]";
  StdioClient client(folder());
  open(client, "2025-03-26");
  client.send(batch);
  const std::string answers = client.next();
  std::map<std::string, std::string> by_id;
  for (const auto* const place : {"/0", "/1", "/2", "/3"}) {
    const std::string element = at(answers, place);
    by_id[at(element, "/id")] = element;
  }
  EXPECT_EQ(at(by_id["1"], "/result"), "{}") << answers;
  EXPECT_NE(at(by_id["2"], "/result/content"), "");
  EXPECT_EQ(at(by_id["3"], "/error/code"), "-32600");
  EXPECT_EQ(at(by_id[""], "/error/code"), "-32600");
  EXPECT_EQ(at(answers, "/4"), "");
  client.send("[" + legacy_line("notifications/initialized") + "]");  // no answer at all
  EXPECT_EQ(at(ask(client, "ping"), "/result"), "{}");
  client.send("[]");
  EXPECT_EQ(at(client.next(), "/error/code"), "-32600");
  for (const std::string version : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    StdioClient other(folder());
    open(other, version);
    other.send(batch);
    EXPECT_EQ(at(other.next(), "/error/code"), "-32600") << version;
  }
}

TEST_F(McpStdioLegacy, M111_ACallOfABatchMayAskWhatAnotherBatchAnswers) {
  serve("[[endpoint]]\nname = \"conf\"\nruntime = { kind = \"script\", file = \"" +
        std::string(INTERLINE_SOURCE_DIR) + "/examples/conformance/agent.toml\" }\n");
  until("an endpoint is served");
  StdioClient client(folder());
  open(client, "2025-03-26", R"({"sampling":{}})");
  client.send("[" +
              legacy_line("tools/call",
                          R"({"name":"conf.test_sampling","arguments":{"prompt":"p"}})", "1") +
              "," + legacy_line("ping", "{}", "2") + "]");
  const std::string question = client.until(
      [](const std::string& line) { return at(line, "/method") == R"("sampling/createMessage")"; });
  client.send(
      "[{\"jsonrpc\":\"2.0\",\"id\":" + at(question, "/id") +
      R"(,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"t"}}}])");
  const std::string answers = client.next();
  EXPECT_EQ(at(answers, "/0/result"), "{}") << answers;
  EXPECT_EQ(at(answers, "/1/result/content/0/text"), R"("LLM response: t")") << answers;
}

TEST_F(McpStdioLegacy, M113_QuestionsAreRequestsOnTheSamePipe) {
  serve();
  StdioClient client(folder());
  open(client, "2025-11-25", R"({"elicitation":{}})");
  for (const std::string action : {"accept", "decline"}) {
    client.send(legacy_line("tools/call", R"({"name":"demo.ask","arguments":{}})", "8"));
    const std::string question = client.until(
        [](const std::string& line) { return at(line, "/method") == R"("elicitation/create")"; });
    // Others are served meanwhile.
    EXPECT_EQ(at(ask(client, "ping"), "/result"), "{}");
    client.send(R"({"jsonrpc":"2.0","id":)" + at(question, "/id") + R"(,"result":{"action":")" +
                action + R"(","content":{"value":"Ann"}}})");
    EXPECT_EQ(at(client.answer("8"), "/result/structuredContent/answers"),
              action == "accept" ? R"(["Ann"])" : "[null]");
  }
  // Without the capability nothing is asked.
  StdioClient other(folder());
  open(other);
  EXPECT_EQ(
      at(ask(other, "tools/call", R"({"name":"demo.ask","arguments":{}})"), "/result/isError"),
      "true");
}

TEST_F(McpStdioLegacy, M113_AQuestionIsGivenUpWithItsCall) {
  serve();
  StdioClient client(folder());
  open(client, "2025-11-25", R"({"elicitation":{}})");
  client.send(legacy_line("tools/call", R"({"name":"demo.ask","arguments":{}})", "8"));
  const std::string question = client.until(
      [](const std::string& line) { return at(line, "/method") == R"("elicitation/create")"; });
  client.send(legacy_line("notifications/cancelled", R"({"requestId":8})"));
  follow_until(only_task(), "cancelled");
  client.send(R"({"jsonrpc":"2.0","id":)" + at(question, "/id") +
              R"(,"result":{"action":"accept","content":{"value":"late"}}})");
  EXPECT_EQ(at(ask(client, "ping"), "/result"), "{}");
  for (const std::string& line : client.heard()) {
    if (at(line, "/id") == "8") ADD_FAILURE() << line;
  }
}

}  // namespace
}  // namespace interline::testing
