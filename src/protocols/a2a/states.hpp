// TaskState on the wire, and what a durable task is in its words (A2A 1.0, section 4.1.3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tasks/model.hpp"

namespace interline::protocols::a2a {

/// In the order of the proto's numbers.
enum class TaskState : std::uint8_t {
  unspecified,
  submitted,
  working,
  completed,
  failed,
  canceled,
  input_required,
  rejected,
  auth_required,
};

inline constexpr std::array<std::string_view, 9> kTaskStates = {
    "TASK_STATE_UNSPECIFIED",    "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",      "TASK_STATE_FAILED",    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED",  "TASK_STATE_AUTH_REQUIRED"};

[[nodiscard]] constexpr std::string_view to_string(TaskState state) {
  return kTaskStates[static_cast<std::size_t>(state)];
}
[[nodiscard]] constexpr std::optional<TaskState> task_state_named(std::string_view name) {
  const auto* const at = std::ranges::find(kTaskStates, name);
  if (at == kTaskStates.end()) return std::nullopt;
  return static_cast<TaskState>(at - kTaskStates.begin());
}
[[nodiscard]] constexpr bool is_terminal(TaskState state) {
  return state == TaskState::completed || state == TaskState::failed ||
         state == TaskState::canceled || state == TaskState::rejected;
}
/// By tasks::State; what a state alone cannot tell (what a question is about, what a result says,
/// why it failed) is told by shown_state() in task_view.hpp.
inline constexpr std::array<TaskState, tasks::kStateCount> kPlainStates = {
    TaskState::submitted,       // accepted
    TaskState::working,         // running
    TaskState::input_required,  // input_required
    TaskState::working,         // cancelling
    TaskState::completed,       // completed
    TaskState::failed,          // failed
    TaskState::canceled,        // cancelled
};

}  // namespace interline::protocols::a2a
