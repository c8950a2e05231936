// The `mcpServers` of other products (MCP hosts, editors), as [[endpoint]] tables.
#pragma once

#include <string>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::app {

/// TOML text: one table a server of `mcpServers` (or `servers`), comments where something could not
/// be taken over. Errors: not_acceptable where there is no such object.
[[nodiscard]] Result<std::string> import_mcp_servers(const json::Value& file);

}  // namespace interline::app
