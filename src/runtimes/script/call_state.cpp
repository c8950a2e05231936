#include "runtimes/script/call_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "schema/schema.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::array kActions = {tasks::AnswerAction::accept, tasks::AnswerAction::decline,
                                 tasks::AnswerAction::cancel};

json::Limits state_limits() {
  json::Limits limits;
  limits.bytes = limits.string_bytes = std::size_t{64} << 20U;
  limits.depth = 128;
  return limits;
}

std::unexpected<Error> not_ours() {
  return fail(ErrorKind::malformed, "the state is none of this agent's");
}

std::optional<CallState::Given> read_given(const json::Member& member) {
  const json::Value* action = member.value.find("action");
  if (action == nullptr || !action->is_string()) return std::nullopt;
  const auto named = std::ranges::find_if(kActions, [action](tasks::AnswerAction one) {
    return tasks::to_string(one) == action->as_string();
  });
  if (named == kActions.end()) return std::nullopt;
  const json::Value* value = member.value.find("value");
  return CallState::Given{std::string(member.name()), *named,
                          std::string(value == nullptr ? "" : value->source())};
}

bool allows(const Question& question, const std::string& value) {
  if (question.kind != tasks::QuestionKind::form) return true;
  const auto schema = json::parse_borrowed(question.schema.source());
  const auto answer = json::parse_borrowed(value);
  if (!schema || !answer) return false;
  const auto compiled = schema::Schema::compile(schema->root());
  return compiled && compiled->validate(answer->root()) == schema::Verdict::valid;
}

}  // namespace

std::string CallState::answers_text() const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const Given& given : answers) {
    writer.name(given.key);
    writer.begin_object();
    writer.member("action", tasks::to_string(given.action));
    if (!given.value.empty()) writer.raw_member("value", given.value);
    writer.end_object();
  }
  writer.end_object();
  return text;
}

std::string CallState::to_text() const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("next", static_cast<std::uint64_t>(next));
  writer.raw_member("answers", answers_text());
  if (!content.empty()) {
    writer.name("content");
    writer.begin_array();
    for (const std::string& block : content) writer.raw(block);
    writer.end_array();
  }
  if (!structured.empty()) writer.raw_member("structured", structured);
  writer.end_object();
  return text;
}

Result<CallState> CallState::read(std::string_view text) {
  const auto document = json::parse_borrowed(text, state_limits(), json::Numbers::faithful);
  if (!document) return not_ours();
  const json::Value& root = document->root();
  const json::Value* next = root.find("next");
  const json::Value* answers = root.find("answers");
  const auto number = next == nullptr ? std::nullopt : next->get_int64();
  if (!number || *number < 0 || answers == nullptr || !answers->is_object()) return not_ours();
  CallState state;
  state.next = static_cast<std::size_t>(*number);
  for (const json::Member& member : answers->members()) {
    auto given = read_given(member);
    if (!given) return not_ours();
    state.answers.push_back(*std::move(given));
  }
  if (const json::Value* content = root.find("content"); content != nullptr) {
    if (!content->is_array()) return not_ours();
    for (const json::Value& block : content->items()) state.content.emplace_back(block.source());
  }
  const json::Value* structured = root.find("structured");
  if (structured != nullptr) state.structured = std::string(structured->source());
  return state;
}

const CallState::Given* CallState::answer(std::string_view key) const {
  const auto found = std::ranges::find(answers, key, &Given::key);
  return found == answers.end() ? nullptr : &*found;
}

void CallState::take(const Ask& ask, const std::vector<tasks::Answer>& given) {
  for (const tasks::Answer& answer : given) {
    const auto asked = std::ranges::find(ask.questions, answer.key, &Question::key);
    if (asked == ask.questions.end() || this->answer(answer.key) != nullptr) continue;
    const bool accepted = answer.action == tasks::AnswerAction::accept;
    if (accepted && !allows(*asked, answer.value)) continue;
    answers.push_back({answer.key, answer.action, accepted ? answer.value : std::string()});
  }
}

bool holds(const std::optional<Condition>& condition, const CallState& state,
           tasks::QuestionKinds answerable) {
  if (!condition) return true;
  bool met = true;
  if (condition->answerable) met = (answerable & tasks::bit(*condition->answerable)) != 0;
  if (!condition->accepted.empty()) {
    const CallState::Given* given = state.answer(condition->accepted);
    met = given != nullptr && given->action == tasks::AnswerAction::accept;
  }
  return met != condition->negated;
}

std::vector<engine::AskedQuestion> open_questions(const Ask& ask, const CallState& state,
                                                  tasks::QuestionKinds answerable,
                                                  const Known& known) {
  std::vector<engine::AskedQuestion> open;
  for (const Question& question : ask.questions) {
    const bool can_answer = (answerable & tasks::bit(question.kind)) != 0;
    if (state.answer(question.key) != nullptr || (question.optional && !can_answer)) continue;
    engine::AskedQuestion asked;
    asked.key = question.key;
    asked.kind = question.kind;
    asked.text = question.text.fill(known);
    asked.schema = question.schema.fill(known);
    asked.url = question.url.fill(known);
    asked.expires_in = question.expires_in;
    open.push_back(std::move(asked));
  }
  return open;
}

}  // namespace interline::runtimes::script
