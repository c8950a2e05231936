// Tasks of the engine as those of the extension io.modelcontextprotocol/tasks, and what a settled
// one answers the call that began it. `failed` is a JSON-RPC error of whoever did the work; every
// other failure is a completed task whose result says `isError`.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/errors.hpp"
#include "protocols/mcp/results.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::mcp {

/// How a task is told to one client.
struct TaskTelling {
  std::string_view tenant;  ///< for the form of its ids, see task_ids.hpp
  std::string_view status_message;
  std::chrono::milliseconds poll_interval{1'000};
  /// Of the request that is answered: only questions that it can answer are shown.
  ClientCapabilities capabilities;
};

/// A runtime reports an error of its JSON-RPC peer under this and the code: "mcp:-32602".
inline constexpr std::string_view kPeerErrorPrefix = "mcp:";

/// "working", "input_required", "completed", "failed", "cancelled".
[[nodiscard]] std::string_view task_status(const tasks::Task& task);

/// tools/call: the handle alone, flat, without the payload of its status.
[[nodiscard]] std::string create_task_result(const Envelope& envelope, const tasks::Task& task,
                                             const TaskTelling& telling);
/// tasks/get: with the payload of its status.
[[nodiscard]] std::string get_task_result(const Envelope& envelope, const tasks::Task& task,
                                          const TaskTelling& telling);
/// The params of notifications/tasks: what tasks/get would show. `subscription`: the listen
/// request's id, JSON text.
[[nodiscard]] std::string task_notification_params(const tasks::Task& task,
                                                   const TaskTelling& telling,
                                                   std::string_view subscription);

/// What the call is answered with whose task has settled: a result's JSON text, or an error. A
/// cancelled one is a result that says so.
[[nodiscard]] std::variant<std::string, ErrorAnswer> settled_answer(const Envelope& envelope,
                                                                    const tasks::Task& task);

}  // namespace interline::protocols::mcp
