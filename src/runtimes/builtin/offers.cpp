#include "runtimes/builtin/offers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::builtin {
namespace {

using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;

// clang-format off
constexpr std::string_view kPrompts = R"json([{"name":"greet","description":"Greets somebody.","arguments":[{"name":"name","description":"Whom.","required":true}]},{"name":"interview","description":"Asks for a topic first."}])json";
constexpr std::string_view kResources = R"json([{"uri":"builtin://about","name":"about","mimeType":"text/plain"},{"uri":"builtin://count","name":"count","description":"Counts the changes made by the tool \"change\".","mimeType":"text/plain"}])json";
constexpr std::string_view kTemplates = R"json([{"uriTemplate":"builtin://text/{word}","name":"text","description":"Is its own word.","mimeType":"text/plain"}])json";
// clang-format on
constexpr std::string_view kTextPrefix = "builtin://text/";
constexpr std::array<std::string_view, 3> kNames = {"Ada", "Alan", "Grace"};

std::unexpected<Error> nothing() {
  return fail(ErrorKind::not_found, "The builtin agent has nothing of that name.");
}

Consulted with(std::string_view result) {
  Consulted answer;
  answer.result = result;
  return answer;
}

Consulted prompt_of(std::string_view text) {
  Consulted answer;
  json::Writer writer(answer.result);
  writer.begin_object();
  writer.name("messages");
  writer.begin_array();
  writer.begin_object();
  writer.member("role", "user");
  writer.name("content");
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", text);
  writer.end_object();
  writer.end_object();
  writer.end_array();
  writer.end_object();
  return answer;
}

Consulted resource_of(std::string_view uri, std::string_view text) {
  Consulted answer;
  json::Writer writer(answer.result);
  writer.begin_object();
  writer.name("contents");
  writer.begin_array();
  writer.begin_object();
  writer.member("uri", uri);
  writer.member("mimeType", "text/plain");
  writer.member("text", text);
  writer.end_object();
  writer.end_array();
  writer.end_object();
  return answer;
}

Consulted question(std::string key, std::string text) {
  Consulted answer;
  engine::AskedQuestion asked;
  asked.key = std::move(key);
  asked.text = std::move(text);
  asked.schema = R"({"type":"string"})";
  answer.questions.push_back(std::move(asked));
  answer.state = R"({"asked":true})";
  return answer;
}

/// The JSON text of the answer to that question; "" where there is none.
std::string answer_to(const Consultation& asked, std::string_view key) {
  const auto found = std::ranges::find(asked.answers, key, &tasks::Answer::key);
  const bool there = found != asked.answers.end() && found->action == tasks::AnswerAction::accept;
  return there ? found->value : std::string();
}

std::string text_of(std::string_view params, std::string_view name) {
  const auto document = json::parse_borrowed(params);
  if (!document || !document->root().is_object()) return {};
  const json::Value* value = document->root().find(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

Result<Consulted> get_prompt(const Consultation& asked) {
  if (asked.subject == "greet") {
    const std::string name = text_of(asked.params, "name");
    if (name.empty()) return fail(ErrorKind::malformed, "The argument \"name\" is missing.");
    return prompt_of("Greet " + name + ".");
  }
  if (asked.subject != "interview") return nothing();
  const std::string topic = answer_to(asked, "topic");
  if (topic.empty()) return question("topic", "What shall the interview be about?");
  return prompt_of("Interview me about " + topic + ".");
}

Result<Consulted> read_resource(const Consultation& asked, const Agent& agent) {
  if (!has_resource(asked.subject)) return nothing();
  if (asked.subject == "builtin://count") {
    return resource_of(asked.subject, std::to_string(agent.count()));
  }
  const bool about = asked.subject == "builtin://about";
  return resource_of(asked.subject,
                     about ? std::string_view("The agent that is always there.")
                           : std::string_view(asked.subject).substr(kTextPrefix.size()));
}

/// Names that begin with what was written.
Result<Consulted> complete(const Consultation& asked) {
  const auto document = json::parse_borrowed(asked.params);
  if (!document) return std::unexpected(json::to_error(document.error()));
  const json::Value* argument = document->root().find("argument");
  const json::Value* written = argument == nullptr ? nullptr : argument->find("value");
  const std::string_view begin =
      written != nullptr && written->is_string() ? written->as_string() : std::string_view();
  Consulted answer;
  json::Writer writer(answer.result);
  writer.begin_object();
  writer.name("values");
  writer.begin_array();
  for (const std::string_view name : kNames) {
    if (asked.subject == "greet" && name.starts_with(begin)) writer.value(name);
  }
  writer.end_array();
  writer.end_object();
  return answer;
}

Result<Consulted> prepare(const Consultation& asked) {
  if (asked.subject != "prepare_then" || !answer_to(asked, "colour").empty()) {
    Consulted ready;
    ready.state = asked.state;
    return ready;
  }
  return question("colour", "Which colour?");
}

}  // namespace

bool has_resource(std::string_view uri) {
  return uri == "builtin://about" || uri == "builtin://count" ||
         (uri.starts_with(kTextPrefix) && uri.size() > kTextPrefix.size());
}

Result<Consulted> answer(const Consultation& asked, const Agent& agent) {
  switch (asked.kind) {
    case ConsultationKind::list_prompts:
      return with(kPrompts);
    case ConsultationKind::list_resources:
      return with(kResources);
    case ConsultationKind::list_resource_templates:
      return with(kTemplates);
    case ConsultationKind::get_prompt:
      return get_prompt(asked);
    case ConsultationKind::read_resource:
      return read_resource(asked, agent);
    case ConsultationKind::complete:
      return complete(asked);
    case ConsultationKind::prepare:
      return prepare(asked);
  }
  return nothing();
}

}  // namespace interline::runtimes::builtin
