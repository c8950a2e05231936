#include "protocols/mcp/input_requests.hpp"

#include <algorithm>
#include <array>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/form_schema.hpp"
#include "protocols/mcp/task_ids.hpp"

namespace interline::protocols::mcp {
namespace {

using tasks::AnswerAction;
using tasks::QuestionKind;

/// Of a request for sampling whose asker gave no number.
constexpr std::int64_t kMaxTokens = 1'000;

constexpr std::string_view kElicit = "elicitation/create";
constexpr std::string_view kSample = "sampling/createMessage";
constexpr std::string_view kRoots = "roots/list";

std::unexpected<Error> wrong() {
  return fail(ErrorKind::malformed, "An answer is not of the form that was asked for.");
}

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

// --- what is asked -----------------------------------------------------------------------------

std::string form_params(const InputQuestion& question, Revision revision) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  // Older clients know forms alone, and no word for them.
  if (revision >= Revision::v2025_11_25) writer.member("mode", "form");
  writer.member("message", question.text);
  writer.raw_member("requestedSchema", form_for(question.schema, revision).schema);
  writer.end_object();
  return text;
}

std::string url_params(const InputQuestion& question, Revision revision) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("mode", "url");
  writer.member("message", question.text);
  writer.member("url", question.url);
  if (!is_modern(revision)) writer.member("elicitationId", question.key);
  writer.end_object();
  return text;
}

/// The asker's own params, where it gave some.
std::optional<json::Document> own_params(const InputQuestion& question) {
  if (question.schema.empty()) return std::nullopt;
  auto document = json::parse_borrowed(question.schema, {}, json::Numbers::faithful);
  if (!document) return std::nullopt;
  const json::Value* messages = document->root().find("messages");
  const json::Value* most = document->root().find("maxTokens");
  if (messages == nullptr || !messages->is_array() || most == nullptr || !most->get_int64()) {
    return std::nullopt;
  }
  return *std::move(document);
}

std::string sampling_params(const InputQuestion& question) {
  if (own_params(question)) return question.schema;
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("messages");
  writer.begin_array();
  writer.begin_object();
  writer.member("role", "user");
  writer.name("content");
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", question.text);
  writer.end_object();
  writer.end_object();
  writer.end_array();
  writer.member("maxTokens", kMaxTokens);
  writer.end_object();
  return text;
}

ClientCapabilities needs(const InputQuestion& question) {
  ClientCapabilities needed;
  needed.add(needed_for(question.kind));
  if (question.kind == QuestionKind::sampling) {
    const auto params = own_params(question);
    if (params && params->root().find("tools") != nullptr) {
      needed.add(ClientCapability::sampling_tools);
    }
  }
  return needed;
}

// --- what is answered --------------------------------------------------------------------------

struct ActionWord {
  std::string_view word;
  AnswerAction action;
};
constexpr ActionWord kActions[] = {{"accept", AnswerAction::accept},
                                   {"decline", AnswerAction::decline},
                                   {"cancel", AnswerAction::cancel}};

Result<InputAnswer> elicited(const json::Value& response, const InputQuestion& question,
                             Revision revision) {
  const auto* const row =
      std::ranges::find(kActions, text_of(response, "action"), &ActionWord::word);
  if (row == std::end(kActions)) return wrong();
  InputAnswer answer{question.key, row->action, ""};
  if (row->action != AnswerAction::accept) return answer;
  if (question.kind != QuestionKind::form) {
    answer.value = "null";  // consent; what came of it is not told to us
    return answer;
  }
  auto value = form_value(form_for(question.schema, revision).shape, response.find("content"));
  if (!value) return std::unexpected(value.error());
  answer.value = *std::move(value);
  return answer;
}

/// CreateMessageResult.
Result<InputAnswer> sampled(const json::Value& response, const InputQuestion& question) {
  const json::Value* content = response.find("content");
  const std::string_view role = text_of(response, "role");
  const json::Value* model = response.find("model");
  const bool structured = content != nullptr && (content->is_object() || content->is_array());
  if (!structured || (role != "assistant" && role != "user") || model == nullptr ||
      !model->is_string()) {
    return wrong();
  }
  return InputAnswer{question.key, AnswerAction::accept, std::string(response.source())};
}

/// ListRootsResult.
Result<InputAnswer> listed_roots(const json::Value& response, const InputQuestion& question) {
  const json::Value* roots = response.find("roots");
  const auto is_root = [](const json::Value& root) {
    return text_of(root, "uri").starts_with("file://");
  };
  if (roots == nullptr || !roots->is_array() || !std::ranges::all_of(roots->items(), is_root)) {
    return wrong();
  }
  return InputAnswer{question.key, AnswerAction::accept, std::string(response.source())};
}

}  // namespace

InputQuestion input_question(const tasks::Question& question, std::string_view tenant) {
  return {write_task_id(tenant, question.id), question.kind, question.text, question.schema,
          question.url};
}

std::optional<InputRequest> input_request(const InputQuestion& question, Revision revision) {
  switch (question.kind) {
    case QuestionKind::form:
      if (revision < Revision::v2025_06_18) return std::nullopt;
      return InputRequest{kElicit, form_params(question, revision)};
    case QuestionKind::url:
    case QuestionKind::credential:
      if (question.url.empty() || revision < Revision::v2025_11_25) return std::nullopt;
      return InputRequest{kElicit, url_params(question, revision)};
    case QuestionKind::sampling:
      return InputRequest{kSample, sampling_params(question)};
    case QuestionKind::roots:
      return InputRequest{kRoots, ""};
  }
  return std::nullopt;
}

std::string input_requests(std::span<const InputQuestion> questions, ClientCapabilities declared,
                           Revision revision) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const InputQuestion& question : questions) {
    if (!declared.has_all(needs(question))) continue;
    const auto request = input_request(question, revision);
    if (!request) continue;
    writer.name(question.key);
    writer.begin_object();
    writer.member("method", request->method);
    if (!request->params.empty()) writer.raw_member("params", request->params);
    writer.end_object();
  }
  writer.end_object();
  return text;
}

ClientCapabilities missing_for(std::span<const InputQuestion> questions,
                               ClientCapabilities declared) {
  ClientCapabilities missing;
  for (const InputQuestion& question : questions) missing.add_all(needs(question));
  return missing.without(declared);
}

Result<InputAnswer> read_input_response(const json::Value& response, const InputQuestion& question,
                                        Revision revision) {
  if (!response.is_object()) return wrong();
  switch (question.kind) {
    case QuestionKind::form:
    case QuestionKind::url:
    case QuestionKind::credential:
      return elicited(response, question, revision);
    case QuestionKind::sampling:
      return sampled(response, question);
    case QuestionKind::roots:
      return listed_roots(response, question);
  }
  return wrong();
}

Result<std::vector<InputAnswer>> read_input_responses(const json::Value& responses,
                                                      std::span<const InputQuestion> questions,
                                                      Revision revision) {
  if (!responses.is_object()) return wrong();
  std::vector<InputAnswer> answers;
  for (const InputQuestion& question : questions) {
    const json::Value* response = responses.find(question.key);
    if (response == nullptr) continue;
    auto answer = read_input_response(*response, question, revision);
    if (!answer) return std::unexpected(answer.error());
    answers.push_back(*std::move(answer));
  }
  return answers;
}

}  // namespace interline::protocols::mcp
