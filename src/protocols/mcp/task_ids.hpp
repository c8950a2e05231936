// Ids of tasks and questions as MCP clients see them: the engine's own, or with the tenant before
// it and what is unsafe in a path written as ~HH. Every form is understood everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace interline::protocols::mcp {

struct BoundId {
  std::string tenant;  ///< "": none was named
  std::string id;
};

/// `tenant` "": the id alone. Else TENANT~2FID, with every byte outside [A-Za-z0-9._-] as ~HH.
[[nodiscard]] std::string write_task_id(std::string_view tenant, std::string_view id);

/// ID, TENANT/ID, TENANT~2FID or TENANT%2FID. Nothing: a ~ or % without two hexadecimal digits, no
/// id of the engine's form, or a tenant that is there and empty.
[[nodiscard]] std::optional<BoundId> read_task_id(std::string_view text);

}  // namespace interline::protocols::mcp
