// The `mcpServers` of other products (MCP hosts, editors), as [[endpoint]] tables.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::app {

struct ImportedServers {
  std::string toml;                  ///< one table a server, with its remarks as comments
  std::vector<std::string> remarks;  ///< "SERVER: WHAT" of all that is not here as it was there
};

/// The servers of `mcpServers` (or `servers`). Errors: not_acceptable where there is no such
/// object.
[[nodiscard]] Result<ImportedServers> import_mcp_servers(const json::Value& file);

}  // namespace interline::app
