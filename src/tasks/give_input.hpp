// Questions and answers: the rules of asking, answering, repeating and expiring.
#pragma once

#include <optional>

#include "tasks/apply.hpp"
#include "tasks/step.hpp"

namespace interline::tasks {

/// Open questions a task may have at once.
inline constexpr std::size_t kMaxOpenQuestions = 32;
/// Requests a task may issue in its life: their identities are kept as long as the task.
inline constexpr std::size_t kMaxRequests = 256;

/// An answer that repeats one accepted before, contradicts it, or names a request of the past or
/// none at all. Nothing: it is about what is pending.
[[nodiscard]] std::optional<Outcome> recognise_input(Step& step, const GiveInput& command);

[[nodiscard]] Outcome give_input(Step& step, const GiveInput& command);
[[nodiscard]] Outcome ask(Step& step, const Ask& command);

}  // namespace interline::tasks
