#include "protocols/a2a/task_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocols/a2a/server/artifact_fold.hpp"
#include "tasks/event_body.hpp"

namespace interline::protocols::a2a {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 2026-01-02T03:04:05.678Z and a little.
const SystemTime kTime(std::chrono::nanoseconds(1767323045678901234));

tasks::Task task_in(tasks::State state, std::string outcome = {}) {
  auto admission = std::make_shared<tasks::Admission>();
  admission->id = "T";
  admission->context = "C";
  tasks::Task task;
  task.admission = std::move(admission);
  task.state = state;
  task.outcome = std::move(outcome);
  task.updated = kTime;
  return task;
}

std::string shown(const tasks::Task& task) {
  return task_text(task, Artifacts::any, {}, {}, std::nullopt);
}

tasks::Task asking(tasks::QuestionKind kind) {
  tasks::Task task = task_in(tasks::State::input_required);
  tasks::Question question;
  question.id = "Q";
  question.kind = kind;
  question.text = "Which?";
  tasks::InputRequest request;
  request.id = "R";
  request.questions = {question};
  task.pending = request;
  return task;
}

TEST(A2aTaskView, A67_A69_ATaskIsWrittenWithoutDefaultsAndWithMilliseconds) {
  EXPECT_EQ(shown(task_in(tasks::State::accepted)),
            R"({"id":"T","contextId":"C","status":{"state":"TASK_STATE_SUBMITTED",)"
            R"("timestamp":"2026-01-02T03:04:05.678Z"}})");
}

TEST(A2aTaskView, A66_EveryStateHasItsName) {
  const std::pair<tasks::State, std::string_view> kNames[] = {
      {tasks::State::accepted, "TASK_STATE_SUBMITTED"},
      {tasks::State::running, "TASK_STATE_WORKING"},
      {tasks::State::cancelling, "TASK_STATE_WORKING"},
      {tasks::State::completed, "TASK_STATE_COMPLETED"},
      {tasks::State::failed, "TASK_STATE_FAILED"},
      {tasks::State::cancelled, "TASK_STATE_CANCELED"}};
  for (const auto& [state, name] : kNames) {
    EXPECT_THAT(shown(task_in(state)), HasSubstr(name));
  }
  EXPECT_THAT(shown(asking(tasks::QuestionKind::form)), HasSubstr("TASK_STATE_INPUT_REQUIRED"));
  EXPECT_THAT(shown(asking(tasks::QuestionKind::credential)),
              HasSubstr("TASK_STATE_AUTH_REQUIRED"));
}

TEST(A2aTaskView, AQuestionIsTheStatusMessageAndTheInterruptIsNamed) {
  const std::string text = shown(asking(tasks::QuestionKind::form));
  EXPECT_THAT(text, HasSubstr(R"("message":{"messageId":"R","contextId":"C","taskId":"T",)"
                              R"("role":"ROLE_AGENT","parts":[{"text":"Which?"}]})"));
  EXPECT_THAT(text, HasSubstr(R"("openwop":{"interrupt":{"kind":"clarification","nodeId":"Q"}})"));
}

TEST(A2aTaskView, AResultIsAnArtifactOfItsContentWithoutWhatIsSaidTwice) {
  const std::string outcome =
      R"({"result":{"content":[{"type":"text","text":"{\"n\": 1}"},{"type":"text","text":"More."},)"
      R"({"type":"image","data":"AA==","mimeType":"image/png"},)"
      R"({"type":"resource_link","uri":"x:y","name":"f"}],"structuredContent":{"n":1}}})";
  EXPECT_THAT(shown(task_in(tasks::State::completed, outcome)),
              HasSubstr(R"("artifacts":[{"artifactId":"result","parts":[{"data":{"n":1}},)"
                        R"({"text":"More."},{"raw":"AA==","mediaType":"image/png"},)"
                        R"({"url":"x:y","filename":"f"}]}])"));
}

TEST(A2aTaskView, AnAgentMaySayAMessageAloneOrOneBesideItsEnd) {
  const std::string lone =
      R"({"result":{"content":[],"_meta":{"interline/a2a":{"message":{"parts":[{"text":"Hi."}]}}}}})";
  EXPECT_EQ(
      lone_message(task_in(tasks::State::completed, lone)),
      R"({"messageId":"T-end","contextId":"C","role":"ROLE_AGENT","parts":[{"text":"Hi."}]})");
  EXPECT_EQ(lone_message(task_in(tasks::State::completed, R"({"result":{"content":[]}})")), "");
  const std::string beside =
      R"({"result":{"content":[],"_meta":{"interline/a2a":{"status":{"parts":[{"text":"Hi."}]}}}}})";
  EXPECT_THAT(shown(task_in(tasks::State::completed, beside)),
              HasSubstr(R"("message":{"messageId":"T-end")"));
}

TEST(A2aTaskView, HistoryIsInOrderAndItsNewestAreShown) {
  const auto message = [](int at, std::string text) {
    return KeptMessage{SystemTime(std::chrono::seconds(at)), std::move(text)};
  };
  const tasks::Task task = task_in(tasks::State::running);
  const auto history = [&](std::optional<std::int32_t> length) {
    return task_text(task, Artifacts::left_out, {}, {message(2, "2"), message(1, "1")}, length);
  };
  EXPECT_THAT(history(std::nullopt), HasSubstr(R"("history":[1,2])"));
  EXPECT_THAT(history(1), HasSubstr(R"("history":[2])"));
  EXPECT_THAT(history(0), Not(HasSubstr("history")));
}

TEST(A2aTaskView, ChunksFoldAsTheyAreToldToAndAreToldAsTheyCome) {
  server::ArtifactFold fold;
  const auto chunk = [&fold](std::string parts, bool append) {
    tasks::LogEntry entry;
    entry.type = tasks::EntryType::output;
    entry.body = tasks::output_body({"story", std::move(parts), append, false});
    fold.add(entry);
    return entry;
  };
  chunk(R"([{"text":"a"}])", false);
  const tasks::LogEntry second = chunk(R"([{"text":"b"}])", true);
  ASSERT_EQ(fold.shown().size(), 1U);
  EXPECT_EQ(fold.shown()[0].elements, R"([{"text":"a"},{"text":"b"}])");
  EXPECT_EQ(artifact_update(task_in(tasks::State::running), second),
            R"({"artifactUpdate":{"taskId":"T","contextId":"C","artifact":{"artifactId":"story",)"
            R"("parts":[{"text":"b"}]},"append":true}})");
  chunk("[]", true);
  EXPECT_EQ(fold.shown()[0].elements, R"([{"text":"a"},{"text":"b"}])");
  chunk(R"([{"text":"c"}])", false);
  EXPECT_EQ(fold.shown()[0].elements, R"([{"text":"c"}])");
}

}  // namespace
}  // namespace interline::protocols::a2a
