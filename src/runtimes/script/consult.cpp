#include "runtimes/script/consult.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "runtimes/script/call_state.hpp"

namespace interline::runtimes::script {
namespace {

using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;

// completion/complete, `values`: at most 100 (2026-07-28, server/utilities/completion).
constexpr std::size_t kMostValues = 100;

std::unexpected<Error> no_such(std::string_view what) {
  return fail(ErrorKind::not_found, "there is no such " + std::string(what));
}

// --- questions first -----------------------------------------------------------------------------

/// Takes the steps that ask, until one has to wait.
struct Round {
  CallState state;
  std::vector<engine::AskedQuestion> questions;  ///< none: all were answered
};

Result<Round> ask_first(std::span<const Step> steps, const Consultation& asked,
                        Known::Parts parts) {
  Round round;
  if (asked.state) {
    auto state = CallState::read(*asked.state);
    if (!state) return std::unexpected(std::move(state.error()));
    round.state = *std::move(state);
  }
  bool answered = asked.state.has_value();
  for (; round.state.next < steps.size(); ++round.state.next) {
    const Step& step = steps[round.state.next];
    const Ask* ask = std::get_if<Ask>(&step.action);
    if (ask == nullptr || !holds(step.condition, round.state, asked.answerable)) continue;
    // The answers are to what the last round asked, and it asked this.
    if (std::exchange(answered, false)) round.state.take(*ask, asked.answers);
    const std::string answers = round.state.answers_text();
    parts.answers = answers;
    round.questions = open_questions(*ask, round.state, asked.answerable, Known(parts));
    if (!round.questions.empty()) break;
  }
  return round;
}

Consulted asking(Round round) {
  Consulted consulted;
  consulted.state = round.state.to_text();
  consulted.questions = std::move(round.questions);
  return consulted;
}

Result<Consulted> prepare(const Agent& agent, const Consultation& asked) {
  const auto tool = std::ranges::find(agent.tools, asked.subject, &Tool::name);
  if (tool == agent.tools.end()) return no_such("tool");
  if (tool->prepared == 0) return Consulted();
  Known::Parts parts;
  parts.arguments = asked.params;
  const auto steps = std::span(tool->steps).first(tool->prepared);
  auto round = ask_first(steps, asked, parts);
  if (!round) return std::unexpected(std::move(round.error()));
  return asking(*std::move(round));
}

// --- prompts -------------------------------------------------------------------------------------

Result<void> check_arguments(const Prompt& prompt, std::string_view params) {
  const auto parsed = json::parse_borrowed(params.empty() ? "{}" : params);
  if (!parsed || !parsed->root().is_object()) {
    return fail(ErrorKind::malformed, "the arguments are no object");
  }
  for (const std::string& name : prompt.required) {
    if (parsed->root().find(name) == nullptr) {
      return fail(ErrorKind::malformed, "the argument " + name + " is missing");
    }
  }
  return {};
}

Result<Consulted> get_prompt(const Agent& agent, const Consultation& asked) {
  const auto prompt = std::ranges::find(agent.prompts, asked.subject, &Prompt::name);
  if (prompt == agent.prompts.end()) return no_such("prompt");
  if (auto fits = check_arguments(*prompt, asked.params); !fits) {
    return std::unexpected(std::move(fits.error()));
  }
  Known::Parts parts;
  parts.arguments = asked.params;
  auto round = ask_first(prompt->steps, asked, parts);
  if (!round) return std::unexpected(std::move(round.error()));
  if (!round->questions.empty()) return asking(*std::move(round));
  const std::string answers = round->state.answers_text();
  parts.answers = answers;
  const Known known(parts);
  Consulted consulted;
  json::Writer writer(consulted.result);
  writer.begin_object();
  if (!prompt->description.empty()) writer.member("description", prompt->description);
  writer.name("messages");
  writer.begin_array();
  for (const JsonTemplate& message : prompt->messages) writer.raw(message.fill(known));
  writer.end_array();
  writer.end_object();
  return consulted;
}

// --- resources -----------------------------------------------------------------------------------

std::string read_result(const Contents& contents, std::string_view uri, const Known& known) {
  std::string result;
  json::Writer writer(result);
  writer.begin_object();
  writer.name("contents");
  writer.begin_array();
  writer.begin_object();
  writer.member("uri", uri);
  if (!contents.mime_type.empty()) writer.member("mimeType", contents.mime_type);
  if (!contents.blob.empty()) {
    writer.member("blob", contents.blob);
  } else {
    writer.member("text",
                  contents.json.empty() ? contents.text.fill(known) : contents.json.fill(known));
  }
  writer.end_object();
  writer.end_array();
  writer.end_object();
  return result;
}

Result<Consulted> read_contents(const Contents& contents, std::span<const Step> steps,
                                const Consultation& asked, std::string_view variables) {
  Known::Parts parts;
  parts.variables = variables;
  parts.uri = asked.subject;
  auto round = ask_first(steps, asked, parts);
  if (!round) return std::unexpected(std::move(round.error()));
  if (!round->questions.empty()) return asking(*std::move(round));
  const std::string answers = round->state.answers_text();
  parts.answers = answers;
  Consulted consulted;
  consulted.result = read_result(contents, asked.subject, Known(parts));
  return consulted;
}

std::string variables_text(const UriTemplate::Variables& variables) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const auto& [name, value] : variables) writer.member(name, value);
  writer.end_object();
  return text;
}

Result<Consulted> read_resource(const Agent& agent, const Consultation& asked) {
  const auto resource = std::ranges::find(agent.resources, asked.subject, &Resource::uri);
  if (resource != agent.resources.end()) {
    return read_contents(resource->contents, resource->steps, asked, "");
  }
  for (const ResourceTemplate& one : agent.templates) {
    const auto variables = one.pattern.match(asked.subject);
    if (variables) {
      return read_contents(one.contents, one.steps, asked, variables_text(*variables));
    }
  }
  return no_such("resource");
}

// --- completion ----------------------------------------------------------------------------------

std::string completion(const std::vector<Completions>& all, std::string_view name,
                       std::string_view begun) {
  const auto found = std::ranges::find(all, name, &Completions::name);
  std::string result;
  json::Writer writer(result);
  std::size_t total = 0;
  writer.begin_object();
  writer.name("values");
  writer.begin_array();
  for (const std::string& value : found == all.end() ? std::vector<std::string>() : found->values) {
    if (value.starts_with(begun) && ++total <= kMostValues) writer.value(value);
  }
  writer.end_array();
  writer.member("total", static_cast<std::uint64_t>(total));
  writer.member("hasMore", total > kMostValues);
  writer.end_object();
  return result;
}

Result<Consulted> complete(const Agent& agent, const Consultation& asked) {
  const auto params = json::parse_borrowed(asked.params);
  const json::Value* argument = params ? params->root().find("argument") : nullptr;
  const json::Value* name = argument == nullptr ? nullptr : argument->find("name");
  const json::Value* begun = argument == nullptr ? nullptr : argument->find("value");
  if (name == nullptr || !name->is_string() || begun == nullptr || !begun->is_string()) {
    return fail(ErrorKind::malformed, "argument needs name and value");
  }
  const json::Value* reference = params->root().find("ref");
  const json::Value* type = reference == nullptr ? nullptr : reference->find("type");
  const bool of_prompt = type != nullptr && type->is_string() && type->as_string() == "ref/prompt";
  Consulted consulted;
  const auto say = [&](const std::vector<Completions>& all) {
    consulted.result = completion(all, name->as_string(), begun->as_string());
    return consulted;
  };
  if (of_prompt) {
    const auto prompt = std::ranges::find(agent.prompts, asked.subject, &Prompt::name);
    if (prompt == agent.prompts.end()) return no_such("prompt");
    return say(prompt->completions);
  }
  for (const ResourceTemplate& one : agent.templates) {
    if (one.pattern.text() == asked.subject) return say(one.completions);
  }
  if (std::ranges::find(agent.resources, asked.subject, &Resource::uri) != agent.resources.end()) {
    return say({});
  }
  return no_such("resource");
}

// --- lists ---------------------------------------------------------------------------------------

template <class T>
Consulted list(const std::vector<T>& all) {
  Consulted consulted;
  json::Writer writer(consulted.result);
  writer.begin_array();
  for (const T& one : all) writer.raw(one.definition);
  writer.end_array();
  return consulted;
}

Result<Consulted> list_prompts(const Agent& agent, const Consultation&) {
  return list(agent.prompts);
}
Result<Consulted> list_resources(const Agent& agent, const Consultation&) {
  return list(agent.resources);
}
Result<Consulted> list_templates(const Agent& agent, const Consultation&) {
  return list(agent.templates);
}

struct KindRow {
  ConsultationKind kind;
  Result<Consulted> (*answer)(const Agent&, const Consultation&);
};
constexpr std::array<KindRow, engine::kConsultationKindCount> kKinds = {
    {{ConsultationKind::list_prompts, list_prompts},
     {ConsultationKind::list_resources, list_resources},
     {ConsultationKind::list_resource_templates, list_templates},
     {ConsultationKind::get_prompt, get_prompt},
     {ConsultationKind::read_resource, read_resource},
     {ConsultationKind::complete, complete},
     {ConsultationKind::prepare, prepare}}};

template <class T>
bool completes(const std::vector<T>& all) {
  return std::ranges::any_of(all, [](const T& one) { return !one.completions.empty(); });
}

}  // namespace

engine::Offers offers_of(const Agent& agent) {
  engine::Offers offers;
  if (!agent.prompts.empty()) {
    offers.add(ConsultationKind::list_prompts).add(ConsultationKind::get_prompt);
  }
  if (!agent.resources.empty() || !agent.templates.empty()) {
    offers.add(ConsultationKind::list_resources)
        .add(ConsultationKind::list_resource_templates)
        .add(ConsultationKind::read_resource);
  }
  if (completes(agent.prompts) || completes(agent.templates)) {
    offers.add(ConsultationKind::complete);
  }
  const bool asks =
      std::ranges::any_of(agent.tools, [](const Tool& tool) { return tool.prepared > 0; });
  if (asks) offers.add(ConsultationKind::prepare);
  return offers;
}

bool has_resource(const Agent& agent, std::string_view uri) {
  const auto matches = [uri](const ResourceTemplate& one) {
    return one.pattern.match(uri).has_value();
  };
  return std::ranges::find(agent.resources, uri, &Resource::uri) != agent.resources.end() ||
         std::ranges::any_of(agent.templates, matches);
}

Result<Consulted> consult(const Agent& agent, const Consultation& asked) {
  if (!offers_of(agent).has(asked.kind)) {
    return fail(ErrorKind::not_acceptable, "this agent has nothing of this kind");
  }
  const auto row = std::ranges::find(kKinds, asked.kind, &KindRow::kind);
  return row->answer(agent, asked);
}

}  // namespace interline::runtimes::script
