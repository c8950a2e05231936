// Names in the two views: that of all endpoints, where a tool is `endpoint.tool` and a resource
// `interline:ENDPOINT/URI`, and that of one endpoint, under its own names. What the principal may
// not see is not there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/mcp/server/core.hpp"
#include "protocols/mcp/tool_names.hpp"

namespace interline::protocols::mcp::server {

struct FoundTool {
  engine::EndpointView view;
  const catalog::Tool* tool = nullptr;  ///< of view.manifest

  FoundTool() = default;
};
/// not_found: no tool is called so, here and for this principal.
[[nodiscard]] awaitable<Result<FoundTool>> find_tool(Core& core, const Asked& asked,
                                                     std::string name);

/// The name of a tool in the view.
[[nodiscard]] std::string shown_name(const Asked& asked, std::string_view endpoint,
                                     std::string_view tool);

/// Every endpoint of the view, at most kMaxViewed, in the directory's order.
inline constexpr std::size_t kMaxViewed = 10'000;
[[nodiscard]] awaitable<Result<std::vector<std::string>>> viewed_endpoints(Core& core,
                                                                           const Asked& asked);

/// `interline:ENDPOINT/` and the URI or URI template; the URI alone in the view of one.
[[nodiscard]] std::string shown_uri(const Asked& asked, std::string_view endpoint,
                                    std::string_view uri);
struct OwnUri {
  std::string endpoint;
  std::string uri;
};
/// Back. Nothing: it is none of the view's.
[[nodiscard]] std::optional<OwnUri> own_uri(const Asked& asked, std::string_view shown);

}  // namespace interline::protocols::mcp::server
