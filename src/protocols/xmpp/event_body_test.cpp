#include "protocols/xmpp/event_body.hpp"

#include <gtest/gtest.h>

#include "tasks/event_body.hpp"

namespace interline::protocols::xmpp {
namespace {

using tasks::EntryType;

TEST(EventSchema, WhatOurTasksTellIsReadAgain) {
  const auto status = read_event_body(EntryType::status,
                                      tasks::status_body(tasks::State::cancelling, SystemTime()));
  ASSERT_TRUE(status);
  EXPECT_EQ(std::get<StatusBody>(*status).state, tasks::State::cancelling);

  const auto progress =
      read_event_body(EntryType::progress, tasks::progress_body(12.5, "a", std::nullopt));
  ASSERT_TRUE(progress);
  EXPECT_EQ(std::get<ProgressBody>(*progress).percent, 12.5);
  EXPECT_EQ(std::get<ProgressBody>(*progress).stage, "a");
  EXPECT_FALSE(std::get<ProgressBody>(*progress).message);

  tasks::Failure failure("x:y", "no", true);
  failure.details = R"({"a":1})";
  const auto failed = read_event_body(EntryType::failed, tasks::failed_body(failure));
  ASSERT_TRUE(failed);
  EXPECT_EQ(std::get<FailedBody>(*failed).failure, failure);

  const auto cancelled = read_event_body(EntryType::cancelled, tasks::cancelled_body(std::nullopt));
  ASSERT_TRUE(cancelled);
  EXPECT_FALSE(std::get<CancelledBody>(*cancelled).reason);
}

TEST(EventSchema, AResultKeepsItsBytes) {
  const std::string result =
      R"({"content":[{"type":"text","text":"\u0041  b"}],"structuredContent":{"n":1.50},"isError":true,"_meta":{"z":1,"a":2}})";
  const auto body =
      read_event_body(EntryType::completed, tasks::completed_body(result, std::nullopt));
  ASSERT_TRUE(body);
  EXPECT_EQ(std::get<CompletedBody>(*body).result, result);
}

TEST(EventSchema, AQuestionIsReadWithItsSchema) {
  const auto body = read_event_body(
      EntryType::input_required,
      R"({"requestId":"in-aaaaaaaaaaaaaaaaaaaaaa","question":"Q?","inputSchema":{"type":"object"},"createdAt":"2026-01-01T00:00:00Z"})");
  ASSERT_TRUE(body);
  const auto& question = std::get<RemoteQuestion>(*body);
  EXPECT_EQ(question.request, "in-aaaaaaaaaaaaaaaaaaaaaa");
  EXPECT_EQ(question.text, "Q?");
  EXPECT_EQ(question.schema, R"({"type":"object"})");
}

TEST(EventSchema, WhatIsNotAsItHasItIsRefusedWhole) {
  const std::pair<EntryType, const char*> bad[] = {
      {EntryType::status, R"({"state":"running"})"},
      {EntryType::status, R"({"state":"done","updatedAt":"2026-01-01T00:00:00Z"})"},
      {EntryType::status, R"({"state":"running","updatedAt":"yesterday"})"},
      {EntryType::status, R"({"state":"running","updatedAt":"2026-01-01T00:00:00Z","more":1})"},
      {EntryType::progress, "{}"},
      {EntryType::progress, R"({"percent":101})"},
      {EntryType::progress, R"({"percent":-1})"},
      {EntryType::progress, R"({"percent":"5"})"},
      {EntryType::input_required,
       R"({"requestId":"short","question":"Q","inputSchema":{},"createdAt":"2026-01-01T00:00:00Z"})"},
      {EntryType::input_required,
       R"({"requestId":"in-aaaaaaaaaaaaaaaaaaaaaa","question":"","inputSchema":{},"createdAt":"2026-01-01T00:00:00Z"})"},
      {EntryType::input_required,
       R"({"requestId":"in-aaaaaaaaaaaaaaaaaaaaaa","question":"Q","inputSchema":true,"createdAt":"2026-01-01T00:00:00Z"})"},
      {EntryType::completed, R"({"result":{}})"},
      {EntryType::completed, R"({"result":{"content":[],"other":1}})"},
      {EntryType::completed, R"({"result":{"content":[],"isError":"no"}})"},
      {EntryType::failed, R"({"error":{"code":"a","message":"m"}})"},
      {EntryType::failed, R"({"error":{"code":"","message":"m","retryable":false}})"},
      {EntryType::cancelled, R"({"reason":5})"},
      {EntryType::cancelled, "[]"},
      {EntryType::cancelled, "{} {}"},
      {EntryType::cancelled, R"({"reason":"a","reason":"b"})"},
      {EntryType::log, "{}"},
  };
  for (const auto& [type, json] : bad) EXPECT_FALSE(read_event_body(type, json)) << json;
}

}  // namespace
}  // namespace interline::protocols::xmpp
