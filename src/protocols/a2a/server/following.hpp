// Waiting for a task: until it has ended, or somebody else has to act (A2A 1.0, section 3.2.2).
#pragma once

#include <chrono>
#include <string>

#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {

enum class Until : std::uint8_t { rest, end };

/// The task as it is then, or when the time is up.
[[nodiscard]] awaitable<Result<tasks::Task>> await_task(Core& core, Principal who, std::string task,
                                                        Until until,
                                                        std::chrono::milliseconds most);

/// The whole answer about a task: artifacts and history.
[[nodiscard]] awaitable<Answer> show_task(Core& core, const Principal& who, const tasks::Task& task,
                                          std::optional<std::int32_t> history_length,
                                          Artifacts which = Artifacts::any);

}  // namespace interline::protocols::a2a::server
