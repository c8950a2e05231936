// An agent in TOML or JSON: any bytes give an agent, or mistakes that name lines of the text. What
// an agent is then asked never ends it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "runtimes/script/call_state.hpp"
#include "runtimes/script/consult.hpp"
#include "runtimes/script/reader.hpp"

namespace {

namespace engine = interline::engine;
namespace script = interline::runtimes::script;

void check_json(const std::string& text) {
  if (!text.empty() && !interline::json::parse(text, {}, interline::json::Numbers::faithful)) {
    std::abort();
  }
}

void ask(const script::Agent& agent, engine::ConsultationKind kind, const std::string& subject) {
  engine::Consultation asked;
  asked.kind = kind;
  asked.subject = subject;
  asked.params =
      R"({"argument":{"name":"a","value":""},"ref":{"type":"ref/prompt"},"city":"Riga"})";
  asked.answerable = 0xFF;
  for (int round = 0; round < 3; ++round) {
    const auto got = script::consult(agent, asked);
    if (!got) return;
    check_json(got->result);
    if (!got->state) return;
    if (!script::CallState::read(*got->state)) std::abort();
    asked.state = got->state;
    asked.answers.clear();
    for (const auto& question : got->questions) {
      auto& answer = asked.answers.emplace_back();
      answer.key = question.key;
      answer.value = R"({"a":1})";
    }
  }
}

void ask_everything(const script::Agent& agent) {
  using engine::ConsultationKind;
  ask(agent, ConsultationKind::list_prompts, "");
  ask(agent, ConsultationKind::list_resources, "");
  ask(agent, ConsultationKind::list_resource_templates, "");
  for (const auto& tool : agent.tools) {
    check_json(tool.definition);
    ask(agent, ConsultationKind::prepare, tool.name);
  }
  for (const auto& prompt : agent.prompts) {
    ask(agent, ConsultationKind::get_prompt, prompt.name);
    ask(agent, ConsultationKind::complete, prompt.name);
  }
  for (const auto& resource : agent.resources) {
    ask(agent, ConsultationKind::read_resource, resource.uri);
  }
  ask(agent, ConsultationKind::read_resource, "test://template/1/data");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool json = text.starts_with('{');
  const script::ReadFile files = [](std::string_view name) -> interline::Result<std::string> {
    if (name.size() > 8) return interline::fail(interline::ErrorKind::not_found, "no such file");
    return std::string("${a} \xFF");
  };
  const auto read =
      script::parse_agent(text, json ? script::Format::json : script::Format::toml, files);
  if (read) {
    ask_everything(**read);
    return 0;
  }
  if (read.error().empty()) std::abort();
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  for (const script::Mistake& mistake : read.error()) {
    if (mistake.line > lines || mistake.text.empty()) std::abort();
  }
  return 0;
}
