// prompts/list and prompts/get. In the view of all a prompt is `endpoint.prompt`.
#include <utility>

#include "json/canonical.hpp"
#include "protocols/mcp/object_edit.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/offerings.hpp"
#include "protocols/mcp/server/rounds.hpp"
#include "protocols/mcp/server/shown_links.hpp"

namespace interline::protocols::mcp::server {
namespace {

using engine::ConsultationKind;

std::string quoted(std::string_view text) {
  std::string json;
  json::append_string(json, text);
  return json;
}

std::string renamed(const json::Value& prompt, std::string_view name) {
  ObjectEdit edit(prompt);
  edit.set_first("name", quoted(name));
  return edit.text();
}

ErrorAnswer unknown_prompt() {
  return invalid_params("Unknown prompt.");
}

}  // namespace

awaitable<Answer> list_prompts(Core& core, const Asked& asked) {
  const auto all = co_await offerings(core, asked, ConsultationKind::list_prompts);
  if (!all) co_return refuse(all.error());
  std::vector<std::string> entries;
  for (const Offering& offering : *all) {
    for (const json::Value& prompt : offering.list.root().items()) {
      const std::string_view name = text_member(prompt, "name");
      if (name.empty()) continue;
      if (!asked.endpoint.empty()) {
        entries.emplace_back(prompt.source());
        continue;
      }
      entries.push_back(renamed(prompt, shown_name(asked, offering.endpoint, name)));
    }
  }
  co_return paged(core, asked, "prompts", std::move(entries));
}

awaitable<Answer> get_prompt(Core& core, const Asked& asked) {
  const auto params = read_prompt_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const auto ref = co_await find_prompt(core, asked, std::string(params->name));
  if (!ref) co_return refuse(unknown_prompt());
  const auto view = co_await core.engine.describe(asked.who, ref->endpoint, std::string());
  if (!view || !view->offers.has(ConsultationKind::get_prompt)) co_return refuse(unknown_prompt());
  engine::Consultation consultation;
  consultation.kind = ConsultationKind::get_prompt;
  consultation.subject = ref->tool;
  consultation.params = std::string(params->arguments_text());
  const Prepared prepared =
      co_await consult(core, asked, ref->endpoint, std::move(consultation), params->retry);
  if (prepared.answer) co_return *prepared.answer;
  if (prepared.error && prepared.error->kind == ErrorKind::not_found) {
    co_return refuse(unknown_prompt());
  }
  if (prepared.error) co_return refuse(*prepared.error);
  const auto linked = with_shown_links(asked, ref->endpoint, prepared.said.result);
  const std::string& text = linked ? *linked : prepared.said.result;
  const auto result =
      json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
  if (!result || !result->root().is_object()) co_return refuse(internal_error());
  co_return complete_result(core.envelope(asked), result->root());
}

}  // namespace interline::protocols::mcp::server
