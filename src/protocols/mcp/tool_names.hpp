// The names of tools as MCP clients see them: `endpoint.tool` where all endpoints are shown
// (`/mcp`), the tool's own where one is (`/mcp/NAME`). 1 to 128 of A-Z a-z 0-9 _ - . (2026-07-28,
// server/tools, "Tool Names"). Prompts are called by the same rule in `/mcp`.
//
// A name is of its endpoint and tool alone: what else there is, and who looks, changes nothing of
// it, so that a name that a client keeps never comes to mean another's tool. For that no two are
// ever called the same:
//
// - A dot in the endpoint's name is written twice: the first single one ends it.
// - A tool whose name is illegal, too long, begins with a dot, or ends as the following does, is
//   marked: every illegal byte becomes `_`, what is too long is cut, and `-` and sixteen
//   hexadecimal digits of a hash of endpoint and tool follow.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace interline::protocols::mcp {

inline constexpr std::size_t kMaxToolName = 128;

struct ToolRef {
  std::string endpoint;  ///< "" in the view of one endpoint
  std::string tool;

  friend auto operator<=>(const ToolRef&, const ToolRef&) = default;
};

/// Whether an MCP client takes it.
[[nodiscard]] bool is_tool_name(std::string_view name);

/// What the tool is called.
[[nodiscard]] std::string tool_name(const ToolRef& ref);

/// Whether it has digits for what cannot be said: the tool is then found by comparing.
[[nodiscard]] bool is_marked(std::string_view name);

/// The endpoint and what follows it, of a name of the view of all. Nothing: it is of none. Of a
/// name that is not marked, the tool is meant that is called so; see tool_name().
[[nodiscard]] std::optional<ToolRef> read_tool_name(std::string_view name);

/// Whether every name of its tools says of which endpoint it is. Not so of names so long that
/// nothing is left for a tool; no operator has one.
[[nodiscard]] bool is_readable_endpoint(std::string_view endpoint);

}  // namespace interline::protocols::mcp
