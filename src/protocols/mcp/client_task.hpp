// A server's task as its client reads it (the extension io.modelcontextprotocol/tasks): what a
// tools/call is answered with instead of its result, and what tasks/get says.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::protocols::mcp {

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// Views and values live as long as what was read.
struct ServerTask {
  std::string_view id;
  TaskStatus status = TaskStatus::working;
  std::string_view message;  ///< "" if none
  std::optional<std::chrono::milliseconds> poll_interval;
  json::Value input_requests;  ///< of input_required: an object
  json::Value result;          ///< of completed: an object
  std::int64_t code = 0;       ///< of failed
  std::string_view error;
};

/// malformed: a member is missing or of another type. `whole`: with the payload of its status, as
/// tasks/get has it; else the handle alone.
[[nodiscard]] Result<ServerTask> read_server_task(const json::Value& object, bool whole);

}  // namespace interline::protocols::mcp
