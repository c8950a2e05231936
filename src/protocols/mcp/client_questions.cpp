#include "protocols/mcp/client_questions.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::protocols::mcp {
namespace {

using tasks::AnswerAction;
using tasks::QuestionKind;

/// Of a sampling request, what people are shown of it.
constexpr std::size_t kShown = 2'000;

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorKind::malformed, "The MCP server's question is refused: " + std::string(what));
}

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

Result<ServerQuestion> elicited(ServerQuestion question, const json::Value& params) {
  const json::Value* message = params.find("message");
  const json::Value* mode = params.find("mode");
  if (message == nullptr || !message->is_string()) return wrong("it has no \"message\"");
  question.text = message->as_string();
  const std::string_view word = mode == nullptr ? "form" : mode->get_string().value_or("");
  if (word == "form") {
    const json::Value* schema = params.find("requestedSchema");
    if (schema == nullptr || !schema->is_object()) return wrong("it has no \"requestedSchema\"");
    question.schema = schema->source();
    return question;
  }
  if (word != "url") {
    return fail(ErrorKind::not_acceptable, "The MCP server asks in a mode that is not known here.");
  }
  question.kind = QuestionKind::url;
  question.url = text_of(params, "url");
  if (question.url.empty()) return wrong("it has no \"url\"");
  return question;
}

/// The text of the last message that has one: what the model is asked.
std::string shown_of(const json::Value& messages) {
  std::string_view last;
  for (const json::Value& message : messages.items()) {
    const json::Value* content = message.find("content");
    if (content == nullptr) continue;
    if (content->is_object()) last = text_of(*content, "text");
    if (!content->is_array()) continue;
    for (const json::Value& block : content->items()) {
      if (const auto text = text_of(block, "text"); !text.empty()) last = text;
    }
  }
  return last.empty() ? "The agent asks for a model's answer."
                      : std::string(cut_utf8(last, kShown));
}

Result<ServerQuestion> sampled(ServerQuestion question, const json::Value& params) {
  const json::Value* messages = params.find("messages");
  if (messages == nullptr || !messages->is_array()) return wrong("it has no \"messages\"");
  question.kind = QuestionKind::sampling;
  question.text = shown_of(*messages);
  question.schema = params.source();
  return question;
}

Result<ServerQuestion> roots(ServerQuestion question, const json::Value&) {
  question.kind = QuestionKind::roots;
  question.text = "The agent asks which folders it may work in.";
  return question;
}

struct MethodRow {
  std::string_view method;
  Result<ServerQuestion> (*read)(ServerQuestion, const json::Value& params);
};
constexpr MethodRow kMethods[] = {
    {"elicitation/create", elicited},
    {"sampling/createMessage", sampled},
    {"roots/list", roots},
};

std::string elicit_result(AnswerAction action, std::string_view content) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("action", tasks::to_string(action));
  if (!content.empty()) writer.raw_member("content", content);
  writer.end_object();
  return text;
}

}  // namespace

Result<ServerQuestion> read_server_question(std::string_view key, std::string_view method,
                                            const json::Value& params) {
  const auto* const row = std::ranges::find(kMethods, method, &MethodRow::method);
  if (row == std::end(kMethods)) {
    return fail(ErrorKind::not_acceptable, "The MCP server asks for what is not known here.");
  }
  ServerQuestion question;
  question.key = key;
  return row->read(std::move(question), params);
}

Result<std::vector<ServerQuestion>> read_input_requests(const json::Value& requests) {
  if (!requests.is_object()) return wrong("\"inputRequests\" is an object");
  if (requests.size() > kMaxServerQuestions) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "The MCP server asks more at once than this gateway takes.");
  }
  std::vector<ServerQuestion> questions;
  for (const json::Member& entry : requests.members()) {
    const json::Value* params = entry.value.find("params");
    auto question = read_server_question(entry.name(), text_of(entry.value, "method"),
                                         params == nullptr ? json::Value() : *params);
    if (!question) return std::unexpected(question.error());
    questions.push_back(*std::move(question));
  }
  return questions;
}

Result<std::vector<ServerQuestion>> read_required_urls(const json::Value& data) {
  const json::Value* list = data.find("elicitations");
  if (list == nullptr || !list->is_array() || list->size() == 0) {
    return wrong("\"elicitations\" is an array");
  }
  if (list->size() > kMaxServerQuestions) return wrong("\"elicitations\" are too many");
  std::vector<ServerQuestion> questions;
  for (const json::Value& entry : list->items()) {
    ServerQuestion question;
    question.key = "url-" + std::to_string(questions.size() + 1);
    auto read = elicited(std::move(question), entry);
    if (!read) return std::unexpected(read.error());
    if (read->kind != QuestionKind::url) return wrong("\"elicitations\" are URLs");
    questions.push_back(*std::move(read));
  }
  return questions;
}

std::optional<std::string> question_response(QuestionKind kind, AnswerAction action,
                                             std::string_view value) {
  switch (kind) {
    case QuestionKind::form:
      return elicit_result(action, action == AnswerAction::accept ? value : std::string_view());
    case QuestionKind::url:
    case QuestionKind::credential:
      return elicit_result(action, {});  // consent; what came of it is not ours to know
    case QuestionKind::sampling:
    case QuestionKind::roots:
      break;
  }
  if (action != AnswerAction::accept) return std::nullopt;
  return std::string(value);
}

std::string write_round(const PendingRound& round) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("rounds", static_cast<std::uint64_t>(round.rounds));
  if (round.request_state) writer.member("state", std::string_view(*round.request_state));
  writer.member("echoed", round.echoed);
  writer.name("questions");
  writer.begin_object();
  for (const auto& [key, kind] : round.questions) writer.member(key, tasks::to_string(kind));
  writer.end_object();
  writer.end_object();
  return text;
}

Result<PendingRound> read_round(std::string_view text) {
  const auto wrong_state = [] { return fail(ErrorKind::malformed, "This is no state of a call."); };
  json::Limits limits;
  limits.bytes = limits.string_bytes = text.size() + 1;
  const auto document = json::parse_borrowed(text, limits, json::Numbers::faithful);
  if (!document) return wrong_state();
  const json::Value& root = document->root();
  const json::Value* rounds = root.find("rounds");
  const json::Value* questions = root.find("questions");
  const json::Value* echoed = root.find("echoed");
  if (rounds == nullptr || questions == nullptr || !questions->is_object() || echoed == nullptr) {
    return wrong_state();
  }
  PendingRound round;
  round.rounds = static_cast<unsigned>(
      std::clamp<std::int64_t>(rounds->get_int64().value_or(0), 0, 1'000'000));
  round.echoed = echoed->get_bool().value_or(true);
  if (const json::Value* state = root.find("state")) {
    round.request_state = std::string(state->get_string().value_or(""));
  }
  for (const json::Member& question : questions->members()) {
    const auto kind = tasks::question_kind_named(question.value.get_string().value_or(""));
    if (!kind) return wrong_state();
    round.questions.emplace_back(question.name(), *kind);
  }
  return round;
}

Result<std::string> round_members(const PendingRound& round,
                                  const std::vector<tasks::Answer>& answers) {
  std::string text;
  if (!round.echoed) return text;
  std::string responses;
  json::Writer writer(responses);
  writer.begin_object();
  for (const auto& [key, kind] : round.questions) {
    const auto answer = std::ranges::find(answers, key, &tasks::Answer::key);
    const auto response = answer == answers.end()
                              ? std::nullopt
                              : question_response(kind, answer->action, answer->value);
    if (!response) {
      return fail(ErrorKind::conflict, "What the MCP server asked for was not granted.");
    }
    writer.raw_member(key, *response);
  }
  writer.end_object();
  if (!round.questions.empty()) text = "\"inputResponses\":" + responses;
  if (round.request_state) {
    std::string state;
    json::Writer(state).value(std::string_view(*round.request_state));
    text.append(text.empty() ? "" : ",").append("\"requestState\":").append(state);
  }
  return text;
}

}  // namespace interline::protocols::mcp
