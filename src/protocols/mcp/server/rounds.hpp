// Questions as an answer: `input_required`, and the sealed requestState that brings the answers
// back (2026-07-28, basic/patterns/mrtr). Two kinds: what an agent asks before anything is begun,
// under its own keys and with its own state sealed inside; and what a running task asks, where the
// state names the task. Bound to principal, endpoint, method and the params that matter; expires;
// counts once (used_states.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocols/mcp/input_requests.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/core.hpp"

namespace interline::protocols::mcp::server {

/// What a request with a requestState goes on with; one without it begins with an empty one.
struct Round {
  /// Of these questions, whichever state brings them back: random at first, then told by what the
  /// round before was answered with. "" on the first attempt.
  std::string token;
  std::string task;                      ///< the task that asked; "" before there is one
  std::uint32_t number = 0;              ///< rounds so far
  std::optional<std::string> state;      ///< the agent's
  std::vector<InputQuestion> questions;  ///< asked and not answered yet
  std::vector<tasks::Answer> answers;    ///< so far, to what the agent asked last

  Round() = default;
};

/// Opens the state and reads the answers: those that fit nothing are ignored. -32602: no state of
/// ours, not for this principal or request, expired; answers that are none for their questions.
[[nodiscard]] std::expected<Round, ErrorAnswer> open_round(Core& core, const Asked& asked,
                                                           const RetryParams& retry);

/// `input_required` with what is still open; -32021 where the client does not declare that it can
/// answer it, -32603 beyond the most rounds.
[[nodiscard]] Answer ask_again(Core& core, const Asked& asked, Round round);

/// The agent asks: one round more.
[[nodiscard]] Round next_round(const Asked& asked, const Round& before,
                               const engine::Consulted& said);

/// Asks an agent until it has what it needs: a legacy client is asked itself, a modern one by
/// `input_required`, which then is the answer.
struct Prepared {
  std::optional<Answer> answer;  ///< the request's, before anything else
  std::optional<Error> error;    ///< the agent's, or the engine's for it
  engine::Consulted said;        ///< without questions
  Round round;                   ///< that led there

  Prepared() = default;
};
[[nodiscard]] awaitable<Prepared> consult(Core& core, const Asked& asked, std::string endpoint,
                                          engine::Consultation consultation,
                                          const RetryParams& retry);
/// One consultation, withdrawn when the reader leaves.
[[nodiscard]] awaitable<Result<engine::Consulted>> consult_once(Core& core, const Asked& asked,
                                                                std::string endpoint,
                                                                engine::Consultation consultation);

// --- of a task ----------------------------------------------------------------------------------

[[nodiscard]] std::vector<InputQuestion> task_questions(const tasks::Task& task);
/// Gives a task what was answered; what it does not ask any more is let be. An error: none of the
/// answers could be taken, and why.
[[nodiscard]] awaitable<std::optional<ErrorAnswer>> give_answers(
    Core& core, const Asked& asked, const tasks::Task& task, std::vector<InputAnswer> answers,
    std::vector<engine::RecordChange> records = {});
/// `input_required` with a state that names the task, which outlives the request from then on.
[[nodiscard]] awaitable<Answer> ask_by_result(Core& core, const Asked& asked, tasks::Task task);

}  // namespace interline::protocols::mcp::server
