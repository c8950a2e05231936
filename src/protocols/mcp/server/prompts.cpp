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

/// The names of all prompts of the view of all; a name that two would have goes to one of them.
ToolNames names_of(const std::vector<Offering>& all) {
  std::vector<ToolRef> refs;
  for (const Offering& offering : all) {
    for (const json::Value& prompt : offering.list.root().items()) {
      const std::string_view name = text_member(prompt, "name");
      if (!name.empty()) refs.push_back({offering.endpoint, std::string(name)});
    }
  }
  return ToolNames(refs);
}

std::string renamed(const json::Value& prompt, std::string_view name) {
  ObjectEdit edit(prompt);
  edit.set_first("name", quoted(name));
  return edit.text();
}

/// Whose prompts a name may be, the likelier first.
awaitable<std::vector<ToolRef>> candidates(Core& core, const Asked& asked, std::string name) {
  if (!asked.endpoint.empty()) {
    std::vector<ToolRef> own;
    own.push_back({asked.endpoint, std::move(name)});
    co_return own;
  }
  std::vector<ToolRef> refs = possible_refs(name);
  // A name that was made up is looked for among all there are.
  if (name.size() <= kMaxToolName && name.rfind('-') != std::string::npos) {
    const auto all = co_await offerings(core, asked, ConsultationKind::list_prompts);
    if (all) {
      const ToolNames names = names_of(*all);
      if (const ToolRef* ref = names.find(name)) refs.insert(refs.begin(), *ref);
    }
  }
  co_return refs;
}

ErrorAnswer unknown_prompt() {
  return invalid_params("Unknown prompt.");
}

bool can_get(const Result<engine::EndpointView>& view) {
  return view && view->offers.has(ConsultationKind::get_prompt);
}

}  // namespace

awaitable<Answer> list_prompts(Core& core, const Asked& asked) {
  const auto all = co_await offerings(core, asked, ConsultationKind::list_prompts);
  if (!all) co_return refuse(all.error());
  const ToolNames names = names_of(*all);
  std::vector<std::string> entries;
  for (const Offering& offering : *all) {
    for (const json::Value& prompt : offering.list.root().items()) {
      const std::string_view name = text_member(prompt, "name");
      if (name.empty()) continue;
      if (!asked.endpoint.empty()) {
        entries.emplace_back(prompt.source());
        continue;
      }
      const std::string* shown = names.name_of({offering.endpoint, std::string(name)});
      if (shown != nullptr) entries.push_back(renamed(prompt, *shown));
    }
  }
  co_return paged(core, asked, "prompts", std::move(entries));
}

awaitable<Answer> get_prompt(Core& core, const Asked& asked) {
  const auto params = read_prompt_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  const std::vector<ToolRef> refs = co_await candidates(core, asked, std::string(params->name));
  for (const ToolRef& ref : refs) {
    const auto view = co_await core.engine.describe(asked.who, ref.endpoint, std::string());
    if (!can_get(view)) continue;
    engine::Consultation consultation;
    consultation.kind = ConsultationKind::get_prompt;
    consultation.subject = ref.tool;
    consultation.params = std::string(params->arguments_text());
    const Prepared prepared =
        co_await consult(core, asked, ref.endpoint, std::move(consultation), params->retry);
    if (prepared.answer) co_return *prepared.answer;
    if (prepared.error && prepared.error->kind == ErrorKind::not_found) continue;
    if (prepared.error) co_return refuse(*prepared.error);
    const auto linked = with_shown_links(asked, ref.endpoint, prepared.said.result);
    const std::string& text = linked ? *linked : prepared.said.result;
    const auto result =
        json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
    if (!result || !result->root().is_object()) co_return refuse(internal_error());
    co_return complete_result(core.envelope(asked), result->root());
  }
  co_return refuse(unknown_prompt());
}

}  // namespace interline::protocols::mcp::server
