// What is said in answer to a request is of that request alone: its capabilities, its status, its
// stream, its bounds.
#include <tuple>

#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kAgent = R"(
[agent]
name = "needy"
version = "1"

[[tool]]
name = "think"
prepare = [ { ask = { answer = { sampling = "Think.", max_tokens = 10 } } } ]
steps = [ { text = "Thought." } ]

[[tool]]
name = "work"
steps = [ { progress = 10 }, { wait = "20ms" }, { progress = 60 }, { text = "Done." } ]

[[tool]]
name = "lie"
output_schema = { type = "object", properties = { n = { type = "integer" } }, required = ["n"] }
steps = [ { structured = { n = "none" } } ]

[[prompt]]
name = "pick"
arguments = [ { name = "which", complete = [COMPLETIONS] } ]
messages = [ { user = "${arguments.which}" } ]
)";

class McpOneRequest : public McpTest {
 protected:
  void serve_needy() {
    std::string agent = kAgent;
    std::string values;
    for (int i = 0; i < 150; ++i) values += "\"v" + std::to_string(i) + "\",";
    agent.replace(agent.find("COMPLETIONS"), 11, values);
    write("needy.toml", agent);
    configure(
        "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"needy\"]\nvisible = true\n"
        "invoke = [\"*\"]\n[[endpoint]]\nname = \"needy\"\n"
        "runtime = { kind = \"script\", file = \"needy.toml\" }\n");
    start();
    until("an endpoint is served");
  }
  [[nodiscard]] static std::string on_the_wire(const McpRequest& request, bool last) {
    const std::string body = body_of(request);
    return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
           "Mcp-Method: " +
           request.method + "\r\nMcp-Name: " + request.name +
           "\r\nConnection: " + (last ? "close" : "keep-alive") +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
};

TEST_F(McpOneRequest, M006_M013_WhatOneDeclaresIsNotTrueOfTheNextOnTheSameConnection) {
  serve_needy();
  McpRequest first = call_of("needy.think");
  first.capabilities = R"({"sampling":{}})";
  McpRequest second = call_of("needy.think");
  second.id = "2";
  const std::string both = raw(on_the_wire(first, false) + on_the_wire(second, true)).last();
  EXPECT_THAT(both, HasSubstr(R"("input_required")"));
  EXPECT_THAT(both, HasSubstr("-32021"));
  EXPECT_THAT(both, HasSubstr("HTTP/1.1 400"));
}

TEST_F(McpOneRequest, M050_AStatusIsFinalBeforeAnyStreamBegins) {
  serve_needy();
  McpRequest request = call_of("needy.think");
  request.meta = R"("progressToken":1,"io.modelcontextprotocol/logLevel":"debug")";
  const McpReply reply = send(request);
  EXPECT_EQ(reply.status, 400);
  EXPECT_FALSE(reply.stream);
  EXPECT_EQ(reply.at("/error/code"), "-32021");
}

TEST_F(McpOneRequest, M038_AStreamHasThisRequestsMessagesAndTheAnswerLast) {
  serve_needy();
  const auto with_token = [](const std::string& token) {
    McpRequest request = call_of("needy.work");
    request.id = token;
    request.meta = R"("progressToken":)" + token;
    return request;
  };
  McpReply inner;
  const McpReply outer = read_until(with_token("1"), [&](const McpReply& reply) {
    if (inner.messages.empty() && !reply.messages.empty()) inner = send(with_token("2"));
    return false;
  });
  for (const auto& [reply, own, other] :
       {std::tuple(outer, "1", "2"), std::tuple(inner, "2", "1")}) {
    ASSERT_GE(reply.messages.size(), 2U) << reply.last();  // reports may be taken together
    for (std::size_t i = 0; i + 1 < reply.messages.size(); ++i) {
      EXPECT_EQ(at(reply.messages[i], "/params/progressToken"), own);
    }
    EXPECT_EQ(reply.at("/id"), own);
    EXPECT_THAT(reply.last(), Not(HasSubstr(std::string("\"id\":") + other)));
  }
}

TEST_F(McpOneRequest, M078_AResultThatItsOwnSchemaRefusesIsAnError) {
  serve_needy();
  const McpReply reply = send(call_of("needy.lie"));
  EXPECT_EQ(reply.at("/result/isError"), "true") << reply.last();
  EXPECT_EQ(reply.at("/result/structuredContent"), "");
}

TEST_F(McpOneRequest, M083_ACompletionHasAHundredValuesAtMost) {
  serve_needy();
  McpRequest request;
  request.method = "completion/complete";
  request.params = R"("ref":{"type":"ref/prompt","name":"needy.pick"},"argument":{"name":"which",)"
                   R"("value":"v"})";
  const McpReply reply = send(request);
  EXPECT_NE(reply.at("/result/completion/values/99"), "") << reply.last();
  EXPECT_EQ(reply.at("/result/completion/values/100"), "");
}

}  // namespace
}  // namespace interline::testing
