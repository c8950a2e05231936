#include "protocols/a2a/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::protocols::a2a {
namespace {

using ::testing::HasSubstr;

json::Document parsed(std::string_view text) {
  auto document = json::parse(text);
  EXPECT_TRUE(document.has_value()) << text;
  return *std::move(document);
}

/// What is wrong with a message that has these members beside id and role; "" if nothing.
std::string wrong(const std::string& members) {
  const auto document =
      parsed(R"({"message":{"messageId":"m","role":"ROLE_USER",)" + members + "}}");
  const auto read = read_send(document.root());
  return read ? std::string() : read.error().message;
}

TEST(A2aMessages, A65_EverySpellingOfEveryMemberIsReadAndOneOnly) {
  const auto document = parsed(
      R"({"message":{"message_id":"m","context_id":"c","task_id":"t","role":1,
          "parts":[{"text":"a","media_type":"text/plain"}],"reference_task_ids":["r"]},
          "configuration":{"history_length":"3","return_immediately":true,
          "accepted_output_modes":["text/plain"]}})");
  const auto read = read_send(document.root());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->message.message_id, "m");
  EXPECT_EQ(read->message.context_id, "c");
  EXPECT_EQ(read->message.task_id, "t");
  EXPECT_EQ(read->message.role, Role::user);
  EXPECT_EQ(read->message.parts.front().media_type, "text/plain");
  EXPECT_EQ(read->history_length, 3);
  EXPECT_TRUE(read->return_immediately);
  EXPECT_THAT(wrong(R"("contextId":"a","context_id":"a","parts":[{"text":"a"}])"),
              HasSubstr("two spellings"));
}

TEST(A2aMessages, A68_UnknownMembersAreIgnoredAtEveryDepthAndNotKept) {
  const auto document = parsed(
      R"({"x":1,"message":{"x":1,"messageId":"m","role":"ROLE_USER","parts":[{"text":"a","x":1}]}})");
  const auto read = read_send(document.root());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(
      message_text(read->message, "T", "C"),
      R"({"messageId":"m","contextId":"C","taskId":"T","role":"ROLE_USER","parts":[{"text":"a"}]})");
}

TEST(A2aMessages, A70_BytesAreReadInBothAlphabetsAndWrittenInTheStandardOne) {
  for (const std::string raw : {"+/+/", "-_-_"}) {
    const auto document = parsed(
        R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":")" + raw + R"("}]}})");
    EXPECT_EQ(read_send(document.root())->message.parts.front().raw, "+/+/");
  }
  const auto document =
      parsed(R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"dGNrMQ"}]}})");
  EXPECT_EQ(read_send(document.root())->message.parts.front().raw, "dGNrMQ==");
  for (const std::string raw : {"a", "dGNr=a", "d Nr", "dGNrMQ==="}) {
    EXPECT_THAT(wrong(R"("parts":[{"raw":")" + raw + R"("}])"), HasSubstr("base64")) << raw;
  }
}

TEST(A2aMessages, A71_OneofsNullsAndTypesAreChecked) {
  EXPECT_EQ(wrong(R"("parts":[{"data":null}])"), "");
  EXPECT_THAT(wrong(R"("parts":[{"text":"a","data":null}])"), HasSubstr("exactly one"));
  EXPECT_THAT(wrong(R"("parts":[{"text":null}])"), HasSubstr("exactly one"));
  EXPECT_THAT(wrong(R"("parts":[null])"), HasSubstr("an object"));
  EXPECT_THAT(wrong(R"("parts":[])"), HasSubstr("message.parts"));
  EXPECT_THAT(wrong(R"("parts":[{"text":1}])"), HasSubstr("message.parts[0].text"));
  EXPECT_THAT(wrong(R"("parts":[{"text":"a"}],"metadata":[])"), HasSubstr("metadata"));
  EXPECT_THAT(wrong(R"("parts":[{"text":"a"}],"contextId":"a b")"), HasSubstr("contextId"));
  EXPECT_EQ(wrong(R"("parts":[{"text":"a"}],"contextId":null)"), "");
}

TEST(A2aMessages, A38_ListsAreBoundedAndIntegersMayBeWrittenInManyWays) {
  const auto size = [](const std::string& text) {
    const auto document = parsed(R"({"pageSize":)" + text + "}");
    const auto read = read_list(document.root());
    return read ? read->page_size : -1;
  };
  EXPECT_EQ(size("10"), 10);
  EXPECT_EQ(size("10.0"), 10);
  EXPECT_EQ(size("1e1"), 10);
  EXPECT_EQ(size(R"("10")"), 10);
  EXPECT_EQ(size("null"), kDefaultPage);
  for (const char* text : {"0", "101", "-1", R"("x")", "1.5", "true", "1e99", "4294967297"}) {
    EXPECT_EQ(size(text), -1) << text;
  }
}

TEST(A2aMessages, TheUnspecifiedStateFiltersNothing) {
  const auto document = parsed(R"({"status":"TASK_STATE_UNSPECIFIED"})");
  EXPECT_EQ(read_list(document.root())->status, std::nullopt);
  const auto number = parsed(R"({"status":3})");
  EXPECT_EQ(read_list(number.root())->status, TaskState::completed);
}

}  // namespace
}  // namespace interline::protocols::a2a
