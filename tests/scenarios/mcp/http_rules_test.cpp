// What HTTP adds to the messages: who may reach it, headers, statuses, media types. Numbers are
// those of the checklist (README.md).
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class McpHttp : public McpTest {};

McpRequest listing() {
  McpRequest request;
  request.method = "tools/list";
  return request;
}

McpRequest with(McpRequest request, const std::string& field, const std::string& value) {
  request.fields.emplace_back(field, value);
  return request;
}

TEST_F(McpHttp, M001_WhatIsNoSingleJsonMessageIsRefused) {
  serve();
  const McpReply utf8 = post("/mcp", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}");
  EXPECT_EQ(utf8.status, 400);
  EXPECT_EQ(utf8.at("/error/code"), "-32700");
  EXPECT_EQ(utf8.at("/id"), "");
  const McpReply batch = post("/mcp", "MCP-Protocol-Version: 2026-07-28\r\n", "[]");
  EXPECT_EQ(batch.status, 400);
  EXPECT_EQ(batch.at("/error/code"), "-32600");
}

TEST_F(McpHttp, M002_IdsAreEchoedWithTheirTypeAndOthersRefused) {
  serve();
  for (const auto id : {"1", R"("1")", "0", "-5", "9007199254740991", R"("💡")"}) {
    McpRequest request = listing();
    request.id = id;
    EXPECT_EQ(send(request).at("/id"), id);
  }
  for (const auto id : {"null", "1.5", "{}"}) {
    McpRequest request = listing();
    request.id = id;
    const McpReply reply = send(request);
    EXPECT_EQ(reply.status, 400) << id;
    EXPECT_EQ(reply.at("/error/code"), "-32600") << id;
  }
}

TEST_F(McpHttp, M005_M037_ANotificationIsAcceptedAndNotAnswered) {
  serve();
  const McpReply reply =
      post("/mcp", "MCP-Protocol-Version: 2026-07-28\r\n",
           R"({"jsonrpc":"2.0","method":"notifications/unheard","params":{"_meta":{)"
           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(reply.status, 202);
  EXPECT_TRUE(reply.messages.empty());
}

TEST_F(McpHttp, M009_WithoutMetaVersionOrCapabilitiesIsRefused) {
  serve();
  McpRequest request = listing();
  request.capabilities = "";
  McpReply reply = send(request);
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.at("/error/code"), "-32602");
  reply = post("/mcp", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n",
               R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":{}})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.at("/error/code"), "-32602");
  EXPECT_EQ(reply.at("/id"), "4");
}

TEST_F(McpHttp, M019_UnknownAndRemovedMethodsAreNotFound) {
  serve();
  for (const auto method : {"tools/uninvented", "ping", "initialize", "logging/setLevel",
                            "resources/subscribe", "tasks/list", "tasks/result"}) {
    McpRequest request = listing();
    request.method = method;
    const McpReply reply = send(request);
    EXPECT_EQ(reply.status, 404) << method;
    EXPECT_EQ(reply.at("/error/code"), "-32601") << method;
  }
}

TEST_F(McpHttp, M022_M043_VersionsThatAreNotServedAndHeadersThatDiffer) {
  serve();
  McpRequest request = listing();
  request.version = "v999.0.0";
  McpReply reply = send(request);
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.at("/error/code"), "-32022");
  EXPECT_EQ(reply.at("/error/data/requested"), R"("v999.0.0")");
  EXPECT_EQ(reply.at("/error/data/supported"), R"(["2026-07-28"])");
  // The header is looked at before the version is.
  reply = send(with(request, "MCP-Protocol-Version", "2026-07-28"));
  EXPECT_EQ(reply.at("/error/code"), "-32020");
}

TEST_F(McpHttp, M034_OriginAndHostOfAnotherPlaceAreRefused) {
  serve();
  EXPECT_EQ(send(with(listing(), "Origin", "https://evil.example")).status, 403);
  EXPECT_EQ(send(with(listing(), "Origin", "null")).status, 403);
  EXPECT_EQ(send(with(listing(), "Host", "evil.example.com")).status, 403);
  EXPECT_EQ(send(with(listing(), "Origin", "http://localhost:3000")).status, 200);
  EXPECT_EQ(send(with(listing(), "Host", "localhost:1")).status, 200);
  EXPECT_EQ(send(listing()).status, 200);
}

TEST_F(McpHttp, M034_APageThatIsAllowedMayAskAndRead) {
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\nallowed_origins = [\"https://good.example\"]\n"
        "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"*\"]\nvisible = true\n");
  start();
  const McpReply preflight =
      raw("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          "Origin: https://good.example\r\nAccess-Control-Request-Method: POST\r\n"
          "Access-Control-Request-Headers: mcp-method, content-type\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_THAT(preflight.head, HasSubstr("Access-Control-Allow-Origin: https://good.example"));
  EXPECT_THAT(preflight.head, HasSubstr("Access-Control-Allow-Headers: mcp-method, content-type"));
  const McpReply reply = send(with(listing(), "Origin", "https://good.example"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.head, HasSubstr("Access-Control-Allow-Origin: https://good.example"));
}

TEST_F(McpHttp, M045_MethodAndNameHeadersSayWhatTheBodySays) {
  serve();
  EXPECT_EQ(send(with(listing(), "Mcp-Method", "")).at("/error/code"), "-32020");
  EXPECT_EQ(send(with(listing(), "Mcp-Method", "TOOLS/LIST")).at("/error/code"), "-32020");
  EXPECT_EQ(send(with(listing(), "Mcp-Method", "  tools/list\t")).status, 200);
  const McpRequest call = call_of("demo.echo");
  EXPECT_EQ(send(with(call, "Mcp-Name", "")).status, 400);
  EXPECT_EQ(send(with(call, "Mcp-Name", "demo.fail")).at("/error/code"), "-32020");
  EXPECT_EQ(send(with(call, "Mcp-Name", "=?base64?ZGVtby5lY2hv?=")).status, 200);
}

TEST_F(McpHttp, M037_WhoeverTakesNoEventsIsNotListenedTo) {
  serve();
  McpRequest request;
  request.method = "subscriptions/listen";
  request.params = R"("notifications":{"toolsListChanged":true})";
  EXPECT_EQ(send(with(request, "Accept", "application/json")).status, 406);
}

TEST_F(McpHttp, MediaTypesThatAreNotTakenAreRefused) {
  serve();
  EXPECT_EQ(send(with(listing(), "Content-Type", "text/plain")).status, 415);
  EXPECT_EQ(send(with(listing(), "Content-Type", "application/json; charset=utf-8")).status, 200);
  EXPECT_EQ(send(with(listing(), "Content-Type", "application/json; charset=latin1")).status, 415);
  EXPECT_EQ(send(with(listing(), "Content-Encoding", "gzip")).status, 415);
  EXPECT_EQ(send(with(listing(), "Content-Encoding", "identity")).status, 200);
  EXPECT_EQ(send(with(listing(), "Accept", "text/html")).status, 406);
  EXPECT_EQ(send(with(listing(), "Accept", "*/*")).status, 200);
  const McpReply events = send(with(listing(), "Accept", "text/event-stream"));
  EXPECT_TRUE(events.stream);
  EXPECT_EQ(events.at("/result/resultType"), R"("complete")");
}

TEST_F(McpHttp, KeysSayWhoAsks) {
  serve();
  const std::string key = make_key("ci");
  McpRequest request = listing();
  request.path = "/mcp/second";
  const McpReply stranger = send(request);
  EXPECT_EQ(stranger.status, 401);
  EXPECT_THAT(stranger.head, HasSubstr("WWW-Authenticate: Bearer realm=\"interline\""));
  EXPECT_THAT(stranger.head, Not(HasSubstr("invalid_token")));
  request.key = key;
  EXPECT_EQ(send(request).status, 200);
  request.key = key + "x";
  const McpReply wrong = send(request);
  EXPECT_EQ(wrong.status, 401);
  EXPECT_THAT(wrong.head, HasSubstr("error=\"invalid_token\""));
  request.key = key;
  request.path = "/mcp/nowhere";
  EXPECT_EQ(send(request).status, 404);
}

TEST_F(McpHttp, NothingIsOpenToStrangersWhereNothingIsGrantedToThem) {
  configure("");
  start();
  EXPECT_EQ(send(listing()).status, 401);
}

}  // namespace
}  // namespace interline::testing
