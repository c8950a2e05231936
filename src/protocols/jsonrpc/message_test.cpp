#include "protocols/jsonrpc/message.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::jsonrpc {
namespace {

json::Document parse(std::string_view text) {
  auto document = json::parse(text, limits_for(text.size()), json::Numbers::faithful);
  if (!document) throw std::runtime_error(json::to_string(document.error()));
  return *std::move(document);
}

std::string refusal(std::string_view text) {
  const auto document = parse(text);
  const auto message = read_message(document.root());
  return message ? "read" : message.error().message;
}

TEST(JsonRpc_Read, Request) {
  const auto document = parse(R"({"jsonrpc":"2.0","id":7,"method":"a\/b","params":{ "n":1.0 }})");
  const auto message = read_message(document.root());
  ASSERT_TRUE(message);
  EXPECT_EQ(message->kind, Kind::request);
  EXPECT_EQ(message->id, "7");
  EXPECT_EQ(message->method, "a/b");
  EXPECT_EQ(message->params.source(), R"({ "n":1.0 })");
}

TEST(JsonRpc_Read, IdsKeepTheirTypeAndSpelling) {
  for (const std::string id :
       {"0", "-1", "12345678901234567890123", R"("7")", R"("")", R"("a\u0062")"}) {
    const auto document = parse(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":null})");
    const auto message = read_message(document.root());
    ASSERT_TRUE(message) << id;
    EXPECT_EQ(message->kind, Kind::result);
    EXPECT_EQ(message->id, id);
  }
}

TEST(JsonRpc_Read, Notification) {
  const auto document = parse(R"({"method":"m","jsonrpc":"2.0"})");
  const auto message = read_message(document.root());
  ASSERT_TRUE(message);
  EXPECT_EQ(message->kind, Kind::notification);
  EXPECT_EQ(message->id, "");
  EXPECT_TRUE(message->params.is_null());
}

TEST(JsonRpc_Read, Errors) {
  const auto document = parse(
      R"({"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no \"m\"","data":[1]}})");
  const auto message = read_message(document.root());
  ASSERT_TRUE(message);
  EXPECT_EQ(message->kind, Kind::error);
  EXPECT_EQ(message->id, R"("x")");
  EXPECT_EQ(message->code, error_code::kMethodNotFound);
  EXPECT_EQ(message->message, "no \"m\"");
  EXPECT_EQ(message->data.source(), "[1]");
  for (const std::string_view id : {"", R"("id":null,)"}) {
    const std::string text =
        "{\"jsonrpc\":\"2.0\"," + std::string(id) + R"("error":{"code":1,"message":""}})";
    const auto anonymous = parse(text);
    ASSERT_TRUE(read_message(anonymous.root())) << "a parse error has no id";
    EXPECT_EQ(read_message(anonymous.root())->id, "");
  }
}

TEST(JsonRpc_Read, WhatIsNoMessageSaysWhy) {
  const auto expect = [](std::string_view text, std::string_view why) {
    const std::string said = refusal(text);
    EXPECT_NE(said.find(why), std::string::npos) << text << ": " << said;
    EXPECT_EQ(said.find("SECRET"), std::string::npos) << said;
  };
  expect("[]", "no object");
  expect("7", "no object");
  expect(R"({"id":1,"method":"m"})", "\"jsonrpc\"");
  expect(R"({"jsonrpc":"1.0","id":1,"method":"m"})", "\"jsonrpc\"");
  expect(R"({"jsonrpc":2.0,"id":1,"method":"m"})", "\"jsonrpc\"");
  expect(R"({"jsonrpc":"2.0","id":1,"method":{"SECRET":1}})", "\"method\"");
  expect(R"({"jsonrpc":"2.0","id":null,"method":"m"})", "a string or an integer");
  expect(R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", "a string or an integer");
  expect(R"({"jsonrpc":"2.0","id":1e3,"method":"m"})", "a string or an integer");
  expect(R"({"jsonrpc":"2.0","id":{},"result":1})", "a string or an integer");
  expect(R"({"jsonrpc":"2.0","id":1,"method":"m","params":"SECRET"})", "\"params\"");
  expect(R"({"jsonrpc":"2.0","id":1,"method":"m","result":1})", "neither result nor error");
  expect(R"({"jsonrpc":"2.0","id":1})", "neither a method");
  expect(R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}})", "neither");
  expect(R"({"jsonrpc":"2.0","result":1})", "a result has an id");
  expect(R"({"jsonrpc":"2.0","id":1,"error":"SECRET"})", "integer \"code\"");
  expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"SECRET"}})", "integer \"code\"");
  expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})", "\"message\"");
}

TEST(JsonRpc_Write, OneLineEach) {
  EXPECT_EQ(request("7", "m", R"({"a":1})"),
            R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}})");
  EXPECT_EQ(request("\"x\"", "m", ""), R"({"jsonrpc":"2.0","id":"x","method":"m"})");
  EXPECT_EQ(notification("n", "{}"), R"({"jsonrpc":"2.0","method":"n","params":{}})");
  EXPECT_EQ(result("7", "{}"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_EQ(error("7", error_code::kInvalidParams, "a\nb", "{}"),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"a\nb","data":{}}})");
  EXPECT_EQ(error("", error_code::kParseError, "no"),
            R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})");
}

}  // namespace
}  // namespace interline::protocols::jsonrpc
