// Lists of a server's, all pages of them, and its tools as they are imported.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

struct ListLimits {
  std::size_t items = 10'000;  ///< of all pages
  std::size_t pages = 1'000;
  std::size_t bytes = std::size_t{64} * 1024 * 1024;  ///< of all items
  std::chrono::milliseconds timeout{60'000};          ///< for each page
};

struct ListRequest {
  std::string_view method;
  std::string_view member;  ///< of the result: where the items are
  std::string caller;
  std::shared_ptr<Stop> stop;

  ListRequest(std::string_view its_method, std::string_view its_member)
      : method(its_method), member(its_member) {}
};

/// JSON object texts in the server's order. Errors: as of Link::request(); not_acceptable, where
/// the server has no such list; resource_constraint (too_many); unavailable, where it refuses.
[[nodiscard]] net::awaitable<Result<std::vector<std::string>>> list_all(std::shared_ptr<Link> link,
                                                                        ListRequest request,
                                                                        ListLimits limits);

/// tools/list, without those that cannot be called from here. `mirrors`: headers mirror arguments,
/// so a tool that annotates them wrongly is left out (basic/transports/streamable-http).
/// Says which tools are left out, and why (2026-07-28, "x-mcp-header": a warning).
void warn_of_losses(const engine::ImportedTools& tools, const Logger& log);
[[nodiscard]] net::awaitable<Result<engine::ImportedTools>> import_tools(std::shared_ptr<Link> link,
                                                                         ListLimits limits,
                                                                         bool mirrors);

}  // namespace interline::runtimes::mcp
