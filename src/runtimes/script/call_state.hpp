// How far a call has come: what it goes on with after somebody has answered. Its text is what the
// engine keeps, and seals where a client carries it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "engine/consultation.hpp"
#include "runtimes/script/agent.hpp"
#include "tasks/model.hpp"

namespace interline::runtimes::script {

struct CallState {
  struct Given {
    std::string key;
    tasks::AnswerAction action = tasks::AnswerAction::accept;
    std::string value;  ///< JSON text; "" unless accepted
  };

  std::size_t next = 0;  ///< the step to take
  std::vector<Given> answers;
  std::vector<std::string> content;  ///< blocks of the result so far
  std::string structured;            ///< "": none

  [[nodiscard]] std::string to_text() const;
  /// malformed: not written by to_text().
  [[nodiscard]] static Result<CallState> read(std::string_view text);

  [[nodiscard]] const Given* answer(std::string_view key) const;
  /// JSON object text, for placeholders.
  [[nodiscard]] std::string answers_text() const;
  /// Takes the answers that this step's questions wait for. An accepted form that its schema does
  /// not allow is no answer.
  void take(const Ask& ask, const std::vector<tasks::Answer>& given);
};

/// Whether the step is taken.
[[nodiscard]] bool holds(const std::optional<Condition>& condition, const CallState& state,
                         tasks::QuestionKinds answerable);

/// What this step still has to ask; nothing: it goes on.
[[nodiscard]] std::vector<engine::AskedQuestion> open_questions(const Ask& ask,
                                                                const CallState& state,
                                                                tasks::QuestionKinds answerable,
                                                                const Known& known);

}  // namespace interline::runtimes::script
