// The agent behind an interface: one tool of one endpoint.
#pragma once

#include "protocols/a2a/message_arguments.hpp"
#include "protocols/a2a/server/core.hpp"

namespace interline::protocols::a2a::server {

struct Agent {
  engine::EndpointView view;
  const catalog::Tool* tool = nullptr;  ///< of view.manifest; never null
  ToolInput input;
};

/// Of the request's face and its `tenant`. One answer for an endpoint that is absent, hidden, or
/// named by a tenant that nobody gave.
[[nodiscard]] awaitable<std::expected<Agent, ErrorAnswer>> find_agent(Core& core,
                                                                      const Asked& asked,
                                                                      std::string_view tenant);

/// The tool of an interface that names none: the endpoint's default one, or its only one; nullptr.
[[nodiscard]] const catalog::Tool* default_tool(const Core& core, const engine::EndpointView& view);

}  // namespace interline::protocols::a2a::server
