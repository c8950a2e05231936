// The builtin agent's tools: one row each, with what it takes and the function that does it.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/runtime.hpp"
#include "json/value.hpp"
#include "runtimes/builtin/work.hpp"

namespace interline::runtimes::builtin {

struct ToolRow {
  std::string_view name;
  /// The MCP Tool object, complete.
  std::string_view definition;
  void (*run)(const std::shared_ptr<Work>& work, const json::Value& arguments);
  bool more = false;  ///< only of an agent that offers more
};

/// There only when the agent has grown.
inline constexpr std::string_view kLateTool = "late";

[[nodiscard]] std::span<const ToolRow> tools();

}  // namespace interline::runtimes::builtin
