// 2026-07-28, basic/index, "Error Codes"; checklist 18, 20.
#include "protocols/mcp/errors.hpp"

#include <gtest/gtest.h>

#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

TEST(Mcp_Errors, StatusesAreThoseOfTheHttpBinding) {
  EXPECT_EQ(parse_error({json::ParseErrorCode::syntax, 0, 1, 1}).status, 400);
  EXPECT_EQ(parse_error({json::ParseErrorCode::syntax, 0, 1, 1}).code, -32700);
  EXPECT_EQ(invalid_request("x").status, 400);
  EXPECT_EQ(method_not_found().status, 404);
  EXPECT_EQ(invalid_params("x").status, 200);
  EXPECT_EQ(incomplete_meta("x").status, 400);
  EXPECT_EQ(incomplete_meta("x").code, -32602);
  EXPECT_EQ(header_mismatch("x").status, 400);
  EXPECT_EQ(internal_error().status, 200);
  EXPECT_EQ(name_of(-32020), "HeaderMismatch");
  EXPECT_EQ(name_of(-32000), "");
}

TEST(Mcp_Errors, DataHasTheShapesOfTheSchema) {
  ClientCapabilities needed;
  needed.add(ClientCapability::sampling);
  EXPECT_EQ(missing_capability(needed).data, R"({"requiredCapabilities":{"sampling":{}}})");
  EXPECT_EQ(missing_capability(needed).status, 400);
  EXPECT_EQ(resource_not_found("a://b", Revision::v2026_07_28).data, R"({"uri":"a://b"})");
  EXPECT_EQ(resource_not_found("a://b", Revision::v2026_07_28).code, -32602);
  EXPECT_EQ(resource_not_found("a://b", Revision::v2025_11_25).code, -32002);
  const std::string longest(200, 'v');
  EXPECT_EQ(unsupported_version(longest, kModernRevisions).data,
            R"({"supported":["2026-07-28"],"requested":")" + longest + "\"}");
}

TEST(Mcp_Errors, ALineLeavesOutAnIdThatCouldNotBeRead) {
  EXPECT_EQ(
      error_line("", method_not_found()),
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"This method is not offered here."}})");
  EXPECT_EQ(error_line("\"a\"", {-32602, 200, "m", "[1]"}),
            R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"m","data":[1]}})");
}

TEST(Mcp_Errors, EveryEngineErrorHasAnAnswerThatMayBeEmitted) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) {
    for (int reason = 0; reason <= static_cast<int>(ErrorReason::rate); ++reason) {
      const Error error(static_cast<ErrorKind>(kind), static_cast<ErrorReason>(reason), "text");
      const ErrorAnswer answer = to_answer(error);
      EXPECT_TRUE(answer.code == -32602 || answer.code == -32603);
      EXPECT_EQ(answer.status, 200);
      EXPECT_EQ(answer.message, "text");
      const auto data = testing::parse(answer.data);
      EXPECT_EQ(data.root().find("interline")->find("kind")->as_string(), to_string(error.kind));
      EXPECT_EQ(data.root().find("interline")->find("reason") == nullptr, reason == 0);
    }
  }
}

TEST(Mcp_Errors, WhenToTryAgainIsTold) {
  Error error(ErrorKind::resource_constraint, ErrorReason::rate, "Too often.");
  error.retry_after = std::chrono::milliseconds(1500);
  EXPECT_EQ(to_answer(error).data,
            R"({"interline":{"kind":"resource_constraint","reason":"rate","retryAfterMs":1500}})");
  EXPECT_FALSE(is_repairable(error));
  EXPECT_TRUE(is_repairable(Error(ErrorKind::not_acceptable, "x")));
}

TEST(Mcp_Errors, NoForeignCodeOfTheReservedRangesIsPassedOn) {
  for (std::int64_t code = -32099; code <= -32000; ++code) {
    const std::int64_t told = relayed_code(code, Revision::v2026_07_28);
    EXPECT_EQ(told, code == -32002 ? -32602 : -32603);
  }
  for (const std::int64_t code : {-32700LL, -32600LL, -32602LL, -32100LL, -31999LL, 0LL, 42LL}) {
    EXPECT_EQ(relayed_code(code, Revision::v2026_07_28), code);
  }
  EXPECT_EQ(relayed_code(-32002, Revision::v2025_06_18), -32002);
}

}  // namespace
}  // namespace interline::protocols::mcp
