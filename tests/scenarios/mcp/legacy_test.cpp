// Clients of the revisions that are opened by `initialize`.
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class McpLegacy : public McpTest {
 protected:
  struct Client {
    std::string session;
    std::string version;
    std::string fields;  ///< further ones
    [[nodiscard]] std::string all() const {
      return "Mcp-Session-Id: " + session + "\r\nMCP-Protocol-Version: " + version + "\r\n" +
             fields;
    }
  };
  [[nodiscard]] McpReply initialize(const std::string& version,
                                    const std::string& capabilities = "{}",
                                    const std::string& fields = "") const {
    return post("/mcp", fields,
                R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
                    version + R"(","capabilities":)" + capabilities +
                    R"(,"clientInfo":{"name":"t","version":"1"}}})");
  }
  [[nodiscard]] static std::string session_of(const McpReply& reply) {
    const auto begin = reply.head.find("Mcp-Session-Id: ");
    if (begin == std::string::npos) return {};
    return reply.head.substr(begin + 16, reply.head.find('\r', begin) - begin - 16);
  }
  [[nodiscard]] Client open(const std::string& version = "2025-11-25",
                            const std::string& capabilities = "{}") const {
    return {session_of(initialize(version, capabilities)), version, ""};
  }
  [[nodiscard]] McpReply ask(const Client& client, const std::string& method,
                             const std::string& params = "{}", const std::string& id = "5") const {
    return post("/mcp", client.all(), request_of(method, params, id));
  }
  [[nodiscard]] static std::string request_of(const std::string& method, const std::string& params,
                                              const std::string& id = "5") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" +
           params + "}";
  }
  [[nodiscard]] static std::string text_of(const std::string& method, const Client& client,
                                           const std::string& body) {
    return method +
           " /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
           "Content-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\n" +
           client.all() + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
};

TEST_F(McpLegacy, M107_EveryRevisionIsAgreedToAndOthersGetTheNewest) {
  serve();
  for (const auto version : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    const McpReply reply = initialize(version);
    EXPECT_EQ(reply.at("/result/protocolVersion"), '"' + std::string(version) + '"');
    EXPECT_FALSE(session_of(reply).empty());
    EXPECT_EQ(reply.at("/result/resultType"), "");
    EXPECT_EQ(reply.at("/result/serverInfo/name"), R"("interline")");
    EXPECT_EQ(reply.at("/result/capabilities/extensions"), "");
  }
  EXPECT_EQ(initialize("2026-07-28").at("/result/protocolVersion"), R"("2025-11-25")");
  EXPECT_EQ(initialize("1999-01-01").at("/result/protocolVersion"), R"("2025-11-25")");
}

TEST_F(McpLegacy, M108_ResultsHaveTheShapeOfTheirRevision) {
  serve();
  const Client client = open();
  EXPECT_EQ(ask(client, "ping").at("/result"), "{}");
  EXPECT_EQ(ask(client, "logging/setLevel", R"({"level":"error"})").at("/result"), "{}");
  const McpReply tools = ask(client, "tools/list");
  EXPECT_EQ(tools.at("/result/tools/0/name"), R"("demo.ask")");
  EXPECT_EQ(tools.at("/result/ttlMs"), "");
  const McpReply called = ask(client, "tools/call", R"({"name":"demo.echo","arguments":{"a":1}})");
  EXPECT_EQ(called.at("/result/structuredContent"), R"({"a":1})");
  EXPECT_EQ(called.at("/result/resultType"), "");
  EXPECT_EQ(ask(client, "resources/read", R"({"uri":"interline:demo/x"})").at("/error/code"),
            "-32002");
}

TEST_F(McpLegacy, M109_SessionsAreNeededKnownAndEnded) {
  serve();
  EXPECT_EQ(post("/mcp", "", request_of("tools/list", "{}")).status, 400);
  Client client = open();
  EXPECT_EQ(ask(client, "tools/list").status, 200);
  Client unknown = client;
  unknown.session = "nobody";
  EXPECT_EQ(ask(unknown, "tools/list").status, 404);
  // Of another principal: not its own.
  Client other = client;
  other.fields = "Authorization: Bearer " + make_key("other") + "\r\n";
  EXPECT_EQ(ask(other, "tools/list").status, 404);
  EXPECT_EQ(raw(text_of("DELETE", client, "")).status, 204);
  EXPECT_EQ(ask(client, "tools/list").status, 404);
}

TEST_F(McpLegacy, M109_ASessionOutlivesTheGateway) {
  serve();
  const Client client = open("2025-06-18");
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  start();
  until("an endpoint is served");
  until("an endpoint is served");
  EXPECT_EQ(ask(client, "tools/list").status, 200);
}

TEST_F(McpLegacy, M110_AVersionThatIsNotServedIsRefused) {
  serve();
  Client client = open();
  client.version = "2024-11-05";
  EXPECT_EQ(ask(client, "tools/list").status, 400);
  client.version = "nonsense";
  EXPECT_EQ(ask(client, "tools/list").status, 400);
}

TEST_F(McpLegacy, M111_BatchesBelongToOneRevision) {
  serve();
  const std::string batch = "[" + request_of("ping", "{}", "1") + "," +
                            request_of("tools/call", R"({"name":"demo.echo"})", "2") +
                            R"(,{"jsonrpc":"2.0","method":"notifications/initialized"}])";
  const McpReply reply = post("/mcp", open("2025-03-26").all(), batch);
  EXPECT_EQ(reply.at("/0/result"), "{}");
  EXPECT_EQ(reply.at("/1/id"), "2");
  EXPECT_EQ(reply.at("/2"), "");
  EXPECT_EQ(post("/mcp", open("2025-06-18").all(), batch).status, 400);
}

TEST_F(McpLegacy, M111_ARequestInABatchMayAskTheClient) {
  write("curious.toml",
        "[agent]\nname = \"curious\"\nversion = \"1\"\n"
        "[[tool]]\nname = \"ask\"\n"
        "steps = [ { ask = { why = { sampling = \"Why?\" } } },"
        " { text = \"${answers.why.value.content.text}\" } ]\n");
  serve(
      "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"curious\"]\nvisible = true\n"
      "invoke = [\"*\"]\n[[endpoint]]\nname = \"curious\"\n"
      "runtime = { kind = \"script\", file = \"curious.toml\" }\n");
  until("an endpoint is served");
  const Client client = open("2025-03-26", R"({"sampling":{}})");
  const std::string batch = "[" + request_of("ping", "{}", "1") + "," +
                            request_of("tools/call", R"({"name":"curious.ask"})", "2") + "]";
  bool answered = false;
  const McpReply heard = read_raw(text_of("POST", client, batch), [&](const McpReply& reply) {
    for (const std::string& message : reply.messages) {
      if (answered || at(message, "/method") != R"("sampling/createMessage")") continue;
      answered = true;
      const std::string said =
          R"([{"jsonrpc":"2.0","id":)" + at(message, "/id") +
          R"(,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"So."}}}])";
      EXPECT_EQ(post("/mcp", client.all(), said).status, 202);
    }
    return false;
  });
  EXPECT_TRUE(answered) << heard.head << heard.last();
  ASSERT_TRUE(heard.stream);
  EXPECT_EQ(heard.at("/0/result"), "{}");
  EXPECT_EQ(heard.at("/1/id"), "2");
  EXPECT_EQ(heard.at("/1/result/content/0/text"), R"("So.")");
}

TEST_F(McpLegacy, M025_BothErasAreServedAtOnce) {
  serve();
  const Client client = open();
  McpRequest modern;
  modern.method = "tools/list";
  EXPECT_EQ(send(modern).at("/result/resultType"), R"("complete")");
  EXPECT_EQ(ask(client, "tools/list").at("/result/resultType"), "");
  modern.method = "initialize";
  EXPECT_EQ(send(modern).status, 404);
}

TEST_F(McpLegacy, M113_QuestionsAreRequestsOnTheCallsOwnStream) {
  serve();
  const Client client = open("2025-11-25", R"({"elicitation":{}})");
  const std::string call =
      text_of("POST", client, request_of("tools/call", R"({"name":"demo.ask","arguments":{}})"));
  bool answered = false;
  const McpReply heard = read_raw(call, [&](const McpReply& reply) {
    for (const std::string& message : reply.messages) {
      if (answered || at(message, "/method") != R"("elicitation/create")") continue;
      answered = true;
      const McpReply accepted =
          post("/mcp", client.all(),
               R"({"jsonrpc":"2.0","id":)" + at(message, "/id") +
                   R"(,"result":{"action":"accept","content":{"value":"Ann"}}})");
      EXPECT_EQ(accepted.status, 202);
    }
    return false;
  });
  EXPECT_TRUE(answered);
  EXPECT_EQ(heard.at("/result/structuredContent/answers"), R"(["Ann"])");
  EXPECT_EQ(heard.at("/id"), "5");
}

TEST_F(McpLegacy, M112_WhoWasCutOffTakesUpTheStreamAgain) {
  serve();
  const Client client = open();
  const std::string call =
      text_of("POST", client,
              request_of("tools/call",
                         R"({"name":"demo.sleep","arguments":{"milliseconds":2000,"steps":4},)"
                         R"("_meta":{"progressToken":1}})"));
  const McpReply cut =
      read_raw(call, [](const McpReply& reply) { return !reply.messages.empty(); });
  ASSERT_FALSE(cut.ids.empty());
  Client again = client;
  again.fields = "Last-Event-ID: " + cut.ids.front() + "\r\n";
  const McpReply rest = raw(text_of("GET", again, ""));
  EXPECT_TRUE(rest.stream);
  EXPECT_EQ(rest.at("/result/content/0/text"), R"("Slept.")");
  EXPECT_EQ(at(rest.messages.front(), "/method"), R"("notifications/progress")");
}

TEST_F(McpLegacy, CancellingIsANotification) {
  serve();
  const Client client = open();
  bool cancelled = false;
  const std::string call =
      text_of("POST", client,
              request_of("tools/call",
                         R"({"name":"demo.sleep","arguments":{"milliseconds":600000,)"
                         R"("steps":1000},"_meta":{"progressToken":1}})",
                         "\"call\""));
  read_raw(call, [&](const McpReply& reply) {
    if (!reply.messages.empty() && !cancelled) {
      cancelled = true;
      EXPECT_EQ(post("/mcp", client.all(),
                     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                     R"({"requestId":"call"}})")
                    .status,
                202);
    }
    return false;
  });
  const std::string task = unquoted(at(local("GET", "/v1/tasks").body, "/tasks/0/id"));
  follow_until(task, "cancelled");
}

TEST_F(McpLegacy, M040_WhereTheyAreNotServedOnlyPostIs) {
  serve("[mcp]\nlegacy = false\n");
  const McpReply reply = initialize("2025-11-25");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.at("/error/data/supported"), R"(["2026-07-28"])");
  const McpReply get = raw("GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(get.status, 405);
  EXPECT_THAT(get.head, HasSubstr("Allow: POST"));
}

/// What a client declares counts as far as its revision has a word for it.
TEST_F(McpLegacy, M012_M113_AQuestionThatTheRevisionLacksIsNotAsked) {
  serve();
  struct Row {
    std::string version;
    std::string capabilities;
    std::string question;
  };
  for (const Row& row : {Row{"2025-03-26", R"({"elicitation":{}})", "{}"},
                         Row{"2025-06-18", R"({"elicitation":{"url":{}}})",
                             R"({"kind":"url","url":"https://pay.example/1"})"}}) {
    const Client client = open(row.version, row.capabilities);
    const McpReply reply =
        ask(client, "tools/call", R"({"name":"demo.ask","arguments":)" + row.question + "}");
    EXPECT_EQ(reply.at("/error"), "") << row.version << reply.last();
    EXPECT_EQ(reply.at("/result/isError"), "true") << row.version;
  }
}

TEST_F(McpLegacy, M113_AnAnswerThatIsNoneIsNoFaultOfTheCall) {
  serve();
  const Client client = open("2025-11-25", R"({"elicitation":{}})");
  const std::string call =
      text_of("POST", client, request_of("tools/call", R"({"name":"demo.ask","arguments":{}})"));
  bool answered = false;
  const McpReply heard = read_raw(call, [&](const McpReply& reply) {
    for (const std::string& message : reply.messages) {
      if (answered || at(message, "/method") != R"("elicitation/create")") continue;
      answered = true;
      (void)post(
          "/mcp", client.all(),
          R"({"jsonrpc":"2.0","id":)" + at(message, "/id") + R"(,"result":{"action":"perhaps"}})");
    }
    return false;
  });
  EXPECT_TRUE(answered);
  EXPECT_EQ(heard.at("/error/code"), "-32603");
}

}  // namespace
}  // namespace interline::testing
