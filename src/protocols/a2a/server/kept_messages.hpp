// The messages of a task's caller, kept as records beside it, and the history that they make with
// what the agent asked (A2A 1.0, section 3.2.4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {

/// The record of the message that begins a task; it gets the task's id as its key.
[[nodiscard]] store::RecordChange first_message(const Core& core, const Principal& who,
                                                const std::string& text);
/// Of one that goes to a task. `once`: the same messageId is refused with conflict.
[[nodiscard]] store::RecordChange next_message(const Core& core, const Principal& who,
                                               const std::string& task, std::string_view message_id,
                                               const std::string& text);
/// Whether that message has been taken by the task already.
[[nodiscard]] awaitable<bool> was_taken(Core& core, const std::string& task,
                                        std::string_view message_id);

/// What was exchanged on the task, oldest first; nothing where `length` is 0.
[[nodiscard]] awaitable<std::vector<KeptMessage>> history_of(Core& core, const Principal& who,
                                                             const tasks::Task& task,
                                                             std::optional<std::int32_t> length);

}  // namespace interline::protocols::a2a::server
