// SendMessage and what becomes of it (A2A 1.0, sections 3.1.1 and 3.4.3; checklist 15 to 28).
#include <gmock/gmock.h>

#include "a2a_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHello = R"({"data":{"text":"hello"}})";
const std::string kTask = "/result/task";

class A2aSending : public A2aTest {};

TEST_F(A2aSending, A15_A18_ABlockingMessageIsAnsweredWithItsTaskAndAllArtifacts) {
  serve_a2a();
  const McpReply reply = rpc("SendMessage", message_of("m-1", kHello));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.at("/id"), "1");
  EXPECT_EQ(reply.at(kTask + "/status/state"), R"("TASK_STATE_COMPLETED")");
  EXPECT_EQ(reply.at(kTask + "/artifacts/0/parts/0/data"), R"({"text":"hello"})");
  EXPECT_EQ(reply.at("/result/message"), "");
  const McpReply story =
      rpc("SendMessage", message_of("m-2", R"({"data":{"chunks":3}})"), "/a2a/demo/output");
  EXPECT_EQ(story.at(kTask + "/artifacts/0/artifactId"), R"("story")");
  EXPECT_EQ(story.at(kTask + "/artifacts/0/parts/2/text"), R"("part 3 ")");
}

TEST_F(A2aSending, A20_A23_TheContextIsMadeOrKeptAndInTheHistory) {
  serve_a2a();
  const McpReply made = rpc("SendMessage", message_of("m-1", kHello));
  const std::string context = made.at(kTask + "/contextId");
  EXPECT_GT(context.size(), 20U);
  EXPECT_EQ(made.at(kTask + "/history/0/contextId"), context);
  EXPECT_EQ(made.at(kTask + "/history/0/taskId"), made.at(kTask + "/id"));
  EXPECT_EQ(made.at(kTask + "/history/0/messageId"), R"("m-1")");
  const std::string more = R"(,"contextId":"mine-1")";
  const McpReply first = rpc("SendMessage", message_of("m-2", kHello, more));
  const McpReply second = rpc("SendMessage", message_of("m-3", kHello, more));
  EXPECT_EQ(first.at(kTask + "/contextId"), R"("mine-1")");
  EXPECT_EQ(second.at(kTask + "/contextId"), R"("mine-1")");
  EXPECT_NE(first.at(kTask + "/id"), second.at(kTask + "/id"));
}

TEST_F(A2aSending, A17_WhoWantsToReturnImmediatelyDoesNotWait) {
  serve_a2a();
  const McpReply reply =
      rpc("SendMessage", message_of("m-1", R"({"data":{}})", "", R"({"returnImmediately":true})"),
          "/a2a/demo/never");
  EXPECT_THAT(reply.at(kTask + "/status/state"),
              ::testing::AnyOf(R"("TASK_STATE_SUBMITTED")", R"("TASK_STATE_WORKING")"));
}

TEST_F(A2aSending, A16_A28_AQuestionEndsTheWaitAndItsAnswerWaitsForTheEnd) {
  serve_a2a();
  const std::string ask = "/a2a/demo/ask";
  const McpReply asked =
      rpc("SendMessage", message_of("m-1", R"({"data":{"question":"Who?","suspend":true}})"), ask);
  EXPECT_EQ(asked.at(kTask + "/status/state"), R"("TASK_STATE_INPUT_REQUIRED")");
  EXPECT_EQ(asked.at(kTask + "/status/message/role"), R"("ROLE_AGENT")");
  EXPECT_EQ(asked.at(kTask + "/status/message/parts/0/text"), R"("Who?")");
  EXPECT_EQ(asked.at(kTask + "/metadata/openwop/interrupt/kind"), R"("clarification")");
  const std::string id = asked.at(kTask + "/id");
  const McpReply answered =
      rpc("SendMessage", message_of("m-2", R"({"text":"Ann"})", R"(,"taskId":)" + id), ask);
  EXPECT_EQ(answered.at(kTask + "/id"), id);
  EXPECT_EQ(answered.at(kTask + "/status/state"), R"("TASK_STATE_COMPLETED")");
  EXPECT_THAT(answered.at(kTask + "/artifacts/0/parts/0/data"), HasSubstr(R"("answers":["Ann"])"));
  EXPECT_EQ(answered.at(kTask + "/history/0/messageId"), R"("m-1")");
  EXPECT_EQ(answered.at(kTask + "/history/1/parts/0/text"), R"("Who?")");
  EXPECT_EQ(answered.at(kTask + "/history/2/messageId"), R"("m-2")");
}

TEST_F(A2aSending, A78_ACredentialIsAuthRequiredAndNamesItsAddress) {
  serve_a2a();
  const McpReply asked = rpc(
      "SendMessage",
      message_of(
          "m-1",
          R"({"data":{"question":"Log in at Acme.","kind":"credential","url":"https://acme.example/in"}})"),
      "/a2a/demo/ask");
  EXPECT_EQ(asked.at(kTask + "/status/state"), R"("TASK_STATE_AUTH_REQUIRED")");
  EXPECT_THAT(asked.at(kTask + "/status/message/parts/0/text"),
              HasSubstr("https://acme.example/in"));
  EXPECT_EQ(asked.at(kTask + "/metadata/openwop/interrupt/kind"), R"("credential")");
}

TEST_F(A2aSending, A22_A24_A25_WhatNamesATaskHasToFitIt) {
  serve_a2a();
  const McpReply unknown =
      rpc("SendMessage", message_of("m-1", kHello, R"(,"taskId":"nothing-of-that-name-here")"));
  EXPECT_EQ(unknown.at("/error/code"), "-32001");
  EXPECT_EQ(unknown.at("/error/data/0/reason"), R"("TASK_NOT_FOUND")");
  EXPECT_EQ(unknown.at("/error/data/0/domain"), R"("a2a-protocol.org")");
  const McpReply done = rpc("SendMessage", message_of("m-2", kHello));
  const std::string task = R"(,"taskId":)" + done.at(kTask + "/id");
  const McpReply ended = rpc("SendMessage", message_of("m-3", kHello, task));
  EXPECT_EQ(ended.at("/error/code"), "-32004");
  const McpReply other =
      rpc("SendMessage", message_of("m-4", kHello, task + R"(,"contextId":"another")"));
  EXPECT_EQ(other.at("/error/code"), "-32602");
  EXPECT_EQ(other.at("/error/data/0/fieldViolations/0/field"), R"("message.contextId")");
}

TEST_F(A2aSending, AMessageThatComesAgainIsTheSameTaskAndAnotherOfItsIdIsRefused) {
  serve_a2a();
  const McpReply once = rpc("SendMessage", message_of("m-1", kHello));
  const McpReply again = rpc("SendMessage", message_of("m-1", kHello));
  EXPECT_EQ(again.at(kTask + "/id"), once.at(kTask + "/id"));
  const McpReply other = rpc("SendMessage", message_of("m-1", R"({"data":{"text":"other"}})"));
  EXPECT_EQ(other.at("/error/code"), "-32602");
  EXPECT_EQ(other.at("/error/data/0/fieldViolations/0/field"), R"("message.messageId")");
}

TEST_F(A2aSending, WhereMessageIdsAreReusedEachMessageIsATask) {
  serve_a2a("message_ids = \"reused\"\n");
  const McpReply once = rpc("SendMessage", message_of("m-1", kHello));
  const McpReply again = rpc("SendMessage", message_of("m-1", kHello));
  EXPECT_NE(again.at(kTask + "/id"), once.at(kTask + "/id"));
}

TEST_F(A2aSending, A26_PartsThatTheToolCannotTakeAreContentTypeNotSupported) {
  serve_a2a();
  const McpReply reply =
      rpc("SendMessage", message_of("m-1", R"({"raw":"dGNr","mediaType":"image/png"})"));
  EXPECT_EQ(reply.at("/error/code"), "-32005");
  EXPECT_EQ(reply.at("/error/data/0/reason"), R"("CONTENT_TYPE_NOT_SUPPORTED")");
  // echo has no argument of its own that could take a text.
  const McpReply text = rpc("SendMessage", message_of("m-2", R"({"text":"hi"})"));
  EXPECT_EQ(text.at("/error/code"), "-32602");
}

TEST_F(A2aSending, A27_WhatIsWrongIsToldAllAtOnceAndNothingIsDone) {
  serve_a2a();
  const McpReply reply =
      rpc("SendMessage", R"({"message":{"role":"user","parts":[{"text":"a","url":"b"}]}})");
  EXPECT_EQ(reply.at("/error/code"), "-32602");
  EXPECT_EQ(reply.at("/error/data/0/fieldViolations/0/field"), R"("message.messageId")");
  EXPECT_EQ(reply.at("/error/data/0/fieldViolations/1/field"), R"("message.role")");
  EXPECT_EQ(reply.at("/error/data/0/fieldViolations/2/field"), R"("message.parts[0]")");
}

TEST_F(A2aSending, AResultWithIsErrorIsFailedWithItsArtifacts) {
  serve_a2a();
  const McpReply reply =
      rpc("SendMessage", message_of("m-1", R"({"data":{"isError":true}})"), "/a2a/demo/fail");
  EXPECT_EQ(reply.at(kTask + "/status/state"), R"("TASK_STATE_FAILED")");
  EXPECT_EQ(reply.at(kTask + "/artifacts/0/parts/0/text"), R"("It did not work.")");
}

TEST_F(A2aSending, ARefusalIsRejectedAndOtherFailuresAreFailedWithTheirText) {
  serve_a2a();
  const McpReply rejected = rpc(
      "SendMessage", message_of("m-1", R"({"data":{"code":"interline:rejected","message":"No."}})"),
      "/a2a/demo/fail");
  EXPECT_EQ(rejected.at(kTask + "/status/state"), R"("TASK_STATE_REJECTED")");
  EXPECT_EQ(rejected.at(kTask + "/status/message/parts/0/text"), R"("No.")");
  const McpReply failed =
      rpc("SendMessage", message_of("m-2", R"({"data":{"message":"Broken."}})"), "/a2a/demo/fail");
  EXPECT_EQ(failed.at(kTask + "/status/state"), R"("TASK_STATE_FAILED")");
  EXPECT_EQ(failed.at(kTask + "/artifacts"), "");
}

TEST_F(A2aSending, ATenantNamesAnAgentOfTheHostsInterfaceAndNothingOfOthers) {
  serve_a2a("");
  const std::string params = message_of("m-1", R"({"data":{}})");
  const std::string with = R"({"tenant":"second",)" + params.substr(1);
  EXPECT_EQ(rpc("SendMessage", with, "/a2a").at("/error/data/0/fieldViolations/0/field"),
            R"("tenant")");
  EXPECT_EQ(rpc("SendMessage", with, "/a2a").last(),
            rpc("SendMessage", R"({"tenant":"nowhere",)" + params.substr(1), "/a2a").last());
  EXPECT_EQ(rpc("SendMessage", params, "/a2a").at("/error/code"), "-32004");
}

}  // namespace
}  // namespace interline::testing
