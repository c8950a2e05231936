// The card of an interface: its skills are what it routes, for the one who asks (A2A 1.0, section
// 8; the interop map's rows of card elements).
#include <utility>

#include "protocols/a2a/card.hpp"
#include "protocols/a2a/server/agent.hpp"
#include "protocols/a2a/server/core.hpp"

namespace interline::protocols::a2a::server {
namespace {

std::string first_of(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!text.empty()) return std::string(text);
  }
  return {};
}

Skill skill_of(const engine::EndpointView& view, const catalog::Tool& tool) {
  Skill skill;
  skill.id = view.name + "." + tool.name;
  skill.name = first_of({tool.title, tool.name});
  skill.description = first_of({tool.description, tool.title, tool.name});
  skill.tags = {view.name};
  skill.input_modes = input_modes(tool_input(tool.definition));
  return skill;
}

/// Where the interface is: below `base`, "https://gateway.example".
std::string place_of(const std::string& base, const Face& face) {
  std::string place = base + "/a2a";
  if (!face.endpoint.empty()) place += "/" + face.endpoint;
  if (!face.tool.empty()) place += "/" + face.tool;
  return place;
}

Card card_of_host(const Core& core) {
  Card card;
  card.name = core.settings.title;
  card.description = "Agents behind one gateway; each has an interface of its own.";
  card.version = core.settings.version;
  return card;
}

void describe(Card& card, const engine::EndpointView& view) {
  const catalog::Manifest& manifest = *view.manifest;
  card.name = first_of({manifest.title, manifest.name, view.name});
  card.description = first_of({manifest.description, manifest.title, view.name});
  card.version = manifest.version;
  card.organization = manifest.vendor;
  card.provider_url = manifest.homepage;
  card.documentation_url = manifest.homepage;
  card.icon_url = manifest.avatar_url;
}

}  // namespace

awaitable<Answer> card_of(Core& core, const Asked& asked, const std::string& base) {
  Card card = card_of_host(core);
  const std::string& named = asked.face.endpoint;
  const std::string endpoint = named.empty() ? core.settings.default_agent : named;
  if (!endpoint.empty()) {
    const auto view = co_await core.engine.describe(asked.who, endpoint, std::string());
    if (!view && !named.empty()) {
      if (view.error().kind != ErrorKind::not_found) co_return refuse(core, view.error());
      co_return refuse(refusal(Refusal::unknown_method, "There is no such agent."));
    }
    if (view) {
      const catalog::Tool* tool = asked.face.tool.empty()
                                      ? default_tool(core, *view)
                                      : view->manifest->find_tool(asked.face.tool);
      if (tool == nullptr && !asked.face.tool.empty()) {
        co_return refuse(refusal(Refusal::unknown_method, "There is no such agent."));
      }
      if (!named.empty()) describe(card, *view);
      const bool routed = tool != nullptr && core.engine.invocable(asked.who, endpoint, *tool);
      if (routed) card.skills.push_back(skill_of(*view, *tool));
    }
  }
  const std::string place = place_of(base, asked.face);
  card.interfaces = {{place, kJsonRpc}, {place + "/v1", kHttpJson}};
  const policy::Principal stranger = policy::Principal::anonymous();
  card.open = endpoint.empty() || core.engine.policy()->visible(stranger, endpoint);
  co_return card_text(card);
}

}  // namespace interline::protocols::a2a::server
