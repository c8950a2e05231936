#include "protocols/mcp/server/round_payload.hpp"

#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::protocols::mcp::server {
namespace {

// Long texts are the agent's schemas; short names keep the state small.
constexpr std::string_view kToken = "token";
constexpr std::string_view kTask = "task";
constexpr std::string_view kNumber = "round";
constexpr std::string_view kState = "state";
constexpr std::string_view kQuestions = "questions";
constexpr std::string_view kAnswers = "answers";

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

std::optional<tasks::AnswerAction> action_named(std::string_view word) {
  using enum tasks::AnswerAction;
  for (const tasks::AnswerAction action : {accept, decline, cancel}) {
    if (tasks::to_string(action) == word) return action;
  }
  return std::nullopt;
}

void write_question(json::Writer& writer, const InputQuestion& question) {
  writer.begin_object();
  writer.member("key", question.key);
  writer.member("kind", tasks::to_string(question.kind));
  writer.member("text", question.text);
  if (!question.schema.empty()) writer.member("schema", question.schema);
  if (!question.url.empty()) writer.member("url", question.url);
  writer.end_object();
}

void write_answer(json::Writer& writer, const tasks::Answer& answer) {
  writer.begin_object();
  writer.member("key", answer.key);
  writer.member("action", tasks::to_string(answer.action));
  if (!answer.value.empty()) writer.member("value", answer.value);
  writer.end_object();
}

bool read_question(const json::Value& value, Round& round) {
  const auto kind = tasks::question_kind_named(text_of(value, "kind"));
  if (!kind) return false;
  InputQuestion question;
  question.key = text_of(value, "key");
  question.kind = *kind;
  question.text = text_of(value, "text");
  question.schema = text_of(value, "schema");
  question.url = text_of(value, "url");
  round.questions.push_back(std::move(question));
  return true;
}

bool read_answer(const json::Value& value, Round& round) {
  const auto action = action_named(text_of(value, "action"));
  if (!action) return false;
  tasks::Answer answer;
  answer.key = text_of(value, "key");
  answer.action = *action;
  answer.value = text_of(value, "value");
  round.answers.push_back(std::move(answer));
  return true;
}

}  // namespace

std::string write_payload(const Round& round) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (!round.token.empty()) writer.member(kToken, round.token);
  if (!round.task.empty()) writer.member(kTask, round.task);
  writer.member(kNumber, static_cast<std::uint64_t>(round.number));
  if (round.state) writer.member(kState, *round.state);
  writer.name(kQuestions);
  writer.begin_array();
  for (const InputQuestion& question : round.questions) write_question(writer, question);
  writer.end_array();
  writer.name(kAnswers);
  writer.begin_array();
  for (const tasks::Answer& answer : round.answers) write_answer(writer, answer);
  writer.end_array();
  writer.end_object();
  return text;
}

std::optional<Round> read_payload(std::string_view text) {
  const auto parsed = json::parse_borrowed(text, jsonrpc::limits_for(text.size()));
  if (!parsed) return std::nullopt;
  const json::Value& root = parsed->root();
  const json::Value* number = root.find(kNumber);
  const json::Value* questions = root.find(kQuestions);
  const json::Value* answers = root.find(kAnswers);
  if (number == nullptr || !number->get_int64() || questions == nullptr || !questions->is_array() ||
      answers == nullptr || !answers->is_array()) {
    return std::nullopt;
  }
  Round round;
  round.token = text_of(root, kToken);
  round.task = text_of(root, kTask);
  round.number = static_cast<std::uint32_t>(*number->get_int64());
  if (root.find(kState) != nullptr) round.state = text_of(root, kState);
  for (const json::Value& question : questions->items()) {
    if (!read_question(question, round)) return std::nullopt;
  }
  for (const json::Value& answer : answers->items()) {
    if (!read_answer(answer, round)) return std::nullopt;
  }
  return round;
}

}  // namespace interline::protocols::mcp::server
