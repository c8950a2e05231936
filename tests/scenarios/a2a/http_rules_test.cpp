// What holds for every exchange: versions, media types, envelopes, who asks, cards (A2A 1.0,
// sections 3.6, 5.4, 8, 9 and 11; checklist 1 to 12 and 53 to 77).
#include <gmock/gmock.h>

#include "a2a_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPing = R"({"id":"absent-absent-absent-absent"})";

class A2aHttpRules : public A2aTest {};

TEST_F(A2aHttpRules, A9_A10_A11_A12_TheVersionDecidesByMajorAndMinor) {
  serve_a2a();
  const auto code = [this](const std::string& fields, const std::string& query = "") {
    return rpc("GetTask", kPing, "/a2a" + query, fields).at("/error/code");
  };
  EXPECT_EQ(code("A2A-Version: 1.0\r\n"), "-32001");
  EXPECT_EQ(code("a2a-version: 1.0.7\r\n"), "-32001");
  EXPECT_EQ(code("", "?A2A-Version=1.0"), "-32001");
  for (const std::string version : {"99.0", "0.3", "1", "1.10", "1.0.x", "one"}) {
    EXPECT_EQ(code("A2A-Version: " + version + "\r\n"), "-32009") << version;
  }
  const McpReply none = rpc("GetTask", kPing, "/a2a", "");
  EXPECT_EQ(none.at("/error/code"), "-32009");
  EXPECT_EQ(none.at("/error/data/0/metadata/requested"), R"("0.3")");
  EXPECT_THAT(none.at("/error/message"), HasSubstr("A2A-Version: 1.0"));
  EXPECT_EQ(rest("GET", "/a2a/v1/tasks", "", "").status, 400);
}

TEST_F(A2aHttpRules, WhereAVersionIsAssumedARequestMayLeaveItOut) {
  serve_a2a("assume_version = \"1.0\"\n");
  EXPECT_EQ(rpc("GetTask", kPing, "/a2a", "").at("/error/code"), "-32001");
}

TEST_F(A2aHttpRules, TheEnvelopeOfJsonRpcIsChecked) {
  serve_a2a();
  const auto code = [this](const std::string& body) {
    return post("/a2a", kVersionField, body).at("/error/code");
  };
  EXPECT_EQ(code("{"), "-32700");
  EXPECT_EQ(code("[]"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","method":"GetTask","params":{}})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"1.0","id":1,"method":"GetTask","params":{}})"), "-32600");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"message/send","params":{}})"), "-32601");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]})"), "-32602");
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"GetTask","params":{}})"), "-32700");
  const McpReply named =
      post("/a2a", kVersionField, R"({"jsonrpc":"2.0","id":"x-1","method":"Nothing"})");
  EXPECT_EQ(named.at("/id"), R"("x-1")");
  EXPECT_EQ(named.status, 200);
}

TEST_F(A2aHttpRules, BodiesOfOtherTypesAreRefusedBeforeTheyAreRead) {
  serve_a2a();
  const std::string head = "POST /a2a HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
  const McpReply text = raw(head + "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(text.status, 415);
  EXPECT_EQ(text.at("/error/code"), "-32005");
  const McpReply encoded = raw(
      head +
      "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(encoded.status, 415);
}

TEST_F(A2aHttpRules, A62_A72_WhatIsNotThereIsAnErrorInTheBindingsWords) {
  serve_a2a();
  const McpReply wrong_method = rest("DELETE", "/a2a/demo/v1/tasks");
  EXPECT_EQ(wrong_method.status, 405);
  EXPECT_EQ(wrong_method.at("/error/code"), "405");
  const McpReply unknown = rest("GET", "/a2a/demo/v1/nothing/of/this");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(unknown.at("/error/status"), R"("NOT_FOUND")");
}

TEST_F(A2aHttpRules, A53_PushOperationsAreRefusedAsNotSupported) {
  serve_a2a();
  for (const std::string method :
       {"CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig",
        "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig"}) {
    EXPECT_EQ(rpc(method, "{}").at("/error/code"), "-32003");
  }
  EXPECT_EQ(rpc("GetExtendedAgentCard", "{}").at("/error/code"), "-32004");
}

TEST_F(A2aHttpRules, A77_WhoHasToSayWhoTheyAreIsToldSoAndHiddenAgentsAreAbsent) {
  serve_a2a();
  const McpReply stranger = rpc("GetTask", kPing, "/a2a/second/echo");
  EXPECT_EQ(stranger.status, 401);
  EXPECT_THAT(stranger.head, HasSubstr("WWW-Authenticate: Bearer"));
  EXPECT_EQ(stranger.at("/error/code"), "-32000");
  const McpReply absent = rpc("GetTask", kPing, "/a2a/nowhere/echo");
  EXPECT_EQ(absent.status, 401);
  EXPECT_EQ(stranger.last(), absent.last());
  const McpReply bad = rpc("GetTask", kPing, "/a2a",
                           std::string(kVersionField) + "Authorization: Bearer nonsense\r\n");
  EXPECT_EQ(bad.status, 401);
}

TEST_F(A2aHttpRules, A1_A2_A3_A4_CardsDescribeWhatIsRoutedAndAreCached) {
  serve_a2a();
  const McpReply host = rest("GET", "/.well-known/agent-card.json");
  EXPECT_EQ(host.status, 200);
  EXPECT_EQ(host.at("/supportedInterfaces/0/protocolBinding"), R"("JSONRPC")");
  EXPECT_EQ(host.at("/supportedInterfaces/1/protocolBinding"), R"("HTTP+JSON")");
  EXPECT_THAT(host.at("/supportedInterfaces/1/url"), HasSubstr("/a2a/v1"));
  EXPECT_EQ(host.at("/skills"), "[]");  // the default agent has several tools and no default one
  const McpReply tool = rest("GET", "/a2a/demo/echo/.well-known/agent-card.json");
  EXPECT_EQ(tool.at("/skills/0/id"), R"("demo.echo")");
  EXPECT_EQ(tool.at("/capabilities/streaming"), "true");
  EXPECT_THAT(tool.head, HasSubstr("Cache-Control: public, max-age=3600"));
  EXPECT_THAT(tool.head, HasSubstr("Last-Modified: "));
  const auto begin = tool.head.find("ETag: ") + 6;
  const std::string tag = tool.head.substr(begin, tool.head.find("\r\n", begin) - begin);
  const McpReply known = rest("GET", "/a2a/demo/echo/.well-known/agent-card.json", "",
                              "If-None-Match: " + tag + "\r\n");
  EXPECT_EQ(known.status, 304);
  EXPECT_EQ(rest("GET", "/a2a/demo/nothing/.well-known/agent-card.json").status, 404);
}

TEST_F(A2aHttpRules, PagesOfOtherSitesAndOtherNamesOfThisMachineAreRefused) {
  serve_a2a();
  const McpReply page = rpc("GetTask", kPing, "/a2a",
                            std::string(kVersionField) + "Origin: https://evil.example\r\n");
  EXPECT_EQ(page.status, 403);
  const McpReply rebound =
      raw("GET /.well-known/agent-card.json HTTP/1.1\r\nHost: evil.example\r\nConnection: "
          "close\r\n\r\n");
  EXPECT_EQ(rebound.status, 403);
}

}  // namespace
}  // namespace interline::testing
