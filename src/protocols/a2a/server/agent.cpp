#include "protocols/a2a/server/agent.hpp"

#include <utility>

namespace interline::protocols::a2a::server {
namespace {

ErrorAnswer unknown_tenant() {
  return invalid_params("tenant", "is unknown here");
}

}  // namespace

const catalog::Tool* default_tool(const Core& core, const engine::EndpointView& view) {
  const std::string name =
      core.settings.default_tool ? core.settings.default_tool(view.name) : std::string();
  if (!name.empty()) return view.manifest->find_tool(name);
  return view.manifest->tools.size() == 1 ? &view.manifest->tools.front() : nullptr;
}

awaitable<std::expected<Agent, ErrorAnswer>> find_agent(Core& core, const Asked& asked,
                                                        std::string_view tenant) {
  std::string endpoint = asked.face.endpoint;
  if (endpoint.empty()) {
    endpoint = tenant.empty() ? core.settings.default_agent : std::string(tenant);
  } else if (!tenant.empty()) {
    co_return refuse(unknown_tenant());
  }
  if (endpoint.empty()) {
    co_return refuse(core, Fault::unsupported_operation,
                     "This interface starts nothing by itself; each agent has its own.");
  }
  auto view = co_await core.engine.describe(asked.who, std::move(endpoint), std::string());
  if (!view) {
    if (view.error().kind == ErrorKind::not_found) co_return refuse(unknown_tenant());
    co_return refuse(core, view.error());
  }
  Agent agent;
  agent.view = *std::move(view);
  agent.tool = asked.face.tool.empty() ? default_tool(core, agent.view)
                                       : agent.view.manifest->find_tool(asked.face.tool);
  if (agent.tool == nullptr) {
    co_return refuse(core, Fault::unsupported_operation,
                     "This agent has several tools, each with an interface of its own.");
  }
  agent.input = tool_input(agent.tool->definition);
  co_return agent;
}

}  // namespace interline::protocols::a2a::server
