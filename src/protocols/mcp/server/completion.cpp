// completion/complete: asked of the agent whose prompt or template it is.
#include <utility>

#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/offerings.hpp"
#include "protocols/mcp/server/rounds.hpp"

namespace interline::protocols::mcp::server {
namespace {

/// The params under the agent's own name or URI.
std::string own_params(const CompletionParams& params, std::string_view subject) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("ref");
  writer.begin_object();
  writer.member("type", params.of_prompt ? "ref/prompt" : "ref/resource");
  writer.member(params.of_prompt ? "name" : "uri", subject);
  writer.end_object();
  writer.name("argument");
  writer.begin_object();
  writer.member("name", params.argument);
  writer.member("value", params.value);
  writer.end_object();
  if (params.context != nullptr) {
    writer.name("context");
    writer.begin_object();
    writer.member("arguments", *params.context);
    writer.end_object();
  }
  writer.end_object();
  return text;
}

std::unexpected<ErrorAnswer> unknown_reference() {
  return refuse(invalid_params("Unknown reference."));
}

awaitable<std::optional<OwnUri>> subject_of(Core& core, const Asked& asked,
                                            const CompletionParams& params) {
  if (!params.of_prompt) co_return own_uri(asked, params.ref);
  auto prompt = co_await find_prompt(core, asked, std::string(params.ref));
  if (!prompt) co_return std::nullopt;
  co_return OwnUri{std::move(prompt->endpoint), std::move(prompt->tool)};
}

/// An agent's `completion`, bounded to what the schema allows.
Answer answer_of(Core& core, const Asked& asked, const std::string& text) {
  const auto parsed =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  const json::Value* values = parsed ? parsed->root().find("values") : nullptr;
  if (values == nullptr || !values->is_array()) return refuse(internal_error());
  if (values->size() <= kMaxCompletions) {
    return own_result(core.envelope(asked), "\"completion\":" + text);
  }
  std::vector<std::string> all;
  for (const json::Value& value : values->items()) {
    if (value.is_string()) all.emplace_back(value.as_string());
  }
  return completion_result(core.envelope(asked), all);
}

}  // namespace

awaitable<Answer> complete(Core& core, const Asked& asked) {
  const auto params = read_completion_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const auto own = co_await subject_of(core, asked, *params);
  if (!own) co_return unknown_reference();
  const auto view = co_await core.engine.describe(asked.who, own->endpoint, std::string());
  const bool offered = view && view->offers.has(engine::ConsultationKind::complete);
  if (!offered) co_return unknown_reference();
  engine::Consultation consultation;
  consultation.kind = engine::ConsultationKind::complete;
  consultation.subject = own->uri;
  consultation.params = own_params(*params, own->uri);
  const auto said = co_await consult_once(core, asked, own->endpoint, std::move(consultation));
  if (said) co_return answer_of(core, asked, said->result);
  if (said.error().kind == ErrorKind::not_found) co_return unknown_reference();
  co_return refuse(said.error());
}

}  // namespace interline::protocols::mcp::server
