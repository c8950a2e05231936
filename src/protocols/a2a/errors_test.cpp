#include "protocols/a2a/errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace interline::protocols::a2a {
namespace {

using ::testing::HasSubstr;

struct Row {
  Fault fault;
  std::string_view reason;
  std::int64_t code;
  unsigned status;
  std::string_view word;
};
// A2A 1.0.1, sections 3.3.2 and 5.4.
constexpr Row kRows[] = {
    {Fault::task_not_found, "TASK_NOT_FOUND", -32001, 404, "NOT_FOUND"},
    {Fault::task_not_cancelable, "TASK_NOT_CANCELABLE", -32002, 400, "FAILED_PRECONDITION"},
    {Fault::push_notification_not_supported, "PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400,
     "FAILED_PRECONDITION"},
    {Fault::unsupported_operation, "UNSUPPORTED_OPERATION", -32004, 400, "FAILED_PRECONDITION"},
    {Fault::content_type_not_supported, "CONTENT_TYPE_NOT_SUPPORTED", -32005, 400,
     "INVALID_ARGUMENT"},
    {Fault::invalid_agent_response, "INVALID_AGENT_RESPONSE", -32006, 500, "INTERNAL"},
    {Fault::extended_agent_card_not_configured, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, 400,
     "FAILED_PRECONDITION"},
    {Fault::extension_support_required, "EXTENSION_SUPPORT_REQUIRED", -32008, 400,
     "FAILED_PRECONDITION"},
    {Fault::version_not_supported, "VERSION_NOT_SUPPORTED", -32009, 400, "FAILED_PRECONDITION"},
};

TEST(A2aErrors, A60_A61_EachHasItsCodeStatusWordAndReasonInBothBindings) {
  for (const Row& row : kRows) {
    const ErrorAnswer answer = fault(Edition::v1_0_1, row.fault, "No.");
    const std::string info = R"("@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":")" +
                             std::string(row.reason) + R"(","domain":"a2a-protocol.org")";
    EXPECT_EQ(json_rpc_error("7", answer), R"({"jsonrpc":"2.0","id":7,"error":{"code":)" +
                                               std::to_string(row.code) +
                                               R"(,"message":"No.","data":[{)" + info + "}]}}");
    EXPECT_EQ(http_error(answer), R"({"error":{"code":)" + std::to_string(row.status) +
                                      R"(,"status":")" + std::string(row.word) +
                                      R"(","message":"No.","details":[{)" + info + "}]}}");
    EXPECT_EQ(fault_of_reason(row.reason), row.fault);
    EXPECT_EQ(fault_of_code(row.code), row.fault);
  }
}

TEST(A2aErrors, TheOlderEditionHasOtherStatuses) {
  EXPECT_EQ(fault(Edition::v1_0_0, Fault::task_not_cancelable, "").status, 409U);
  EXPECT_EQ(fault(Edition::v1_0_0, Fault::content_type_not_supported, "").status, 415U);
  EXPECT_EQ(fault(Edition::v1_0_0, Fault::invalid_agent_response, "").status, 502U);
  EXPECT_EQ(fault(Edition::v1_0_0, Fault::version_not_supported, "").word, "UNIMPLEMENTED");
}

TEST(A2aErrors, AnIdThatCouldNotBeReadIsNull) {
  EXPECT_THAT(json_rpc_error("", refusal(Refusal::not_json, "No.")), HasSubstr(R"("id":null)"));
}

TEST(A2aErrors, ViolationsAreToldWithTheirFieldsUpToTwenty) {
  std::vector<FieldViolation> many(30, {"message.parts", "is required"});
  const ErrorAnswer answer = invalid_params(many);
  EXPECT_EQ(answer.code, -32602);
  std::size_t told = 0;
  for (auto at = answer.details.find("is required"); at != std::string::npos;
       at = answer.details.find("is required", at + 1)) {
    ++told;
  }
  EXPECT_EQ(told, 20U);
  EXPECT_THAT(answer.details, HasSubstr("google.rpc.BadRequest"));
}

TEST(A2aErrors, WhatTheEngineSaysHasAnAnswer) {
  const ErrorAnswer ended = to_answer(
      Edition::v1_0_1, Error(ErrorKind::conflict, ErrorReason::terminal, "It has ended."));
  EXPECT_EQ(ended.code, -32004);
  Error rate(ErrorKind::resource_constraint, ErrorReason::rate, "Too often.");
  rate.retry_after = std::chrono::milliseconds(1500);
  const ErrorAnswer slow = to_answer(Edition::v1_0_1, rate);
  EXPECT_EQ(slow.status, 429U);
  EXPECT_TRUE(slow.of_http);
  EXPECT_EQ(slow.retry_after, std::chrono::milliseconds(1500));
  EXPECT_EQ(to_answer(Edition::v1_0_1, Error(ErrorKind::unavailable, "Not now.")).status, 503U);
}

}  // namespace
}  // namespace interline::protocols::a2a
