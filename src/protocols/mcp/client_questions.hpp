// What a server asks of its client, as questions of ours, and their answers as the server wants
// them: entries of `inputRequests` of a modern result or task (2026-07-28, basic/patterns/mrtr), or
// requests of a legacy one, which have the same params and answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::mcp {

struct ServerQuestion {
  std::string key;
  tasks::QuestionKind kind = tasks::QuestionKind::form;
  std::string text;
  /// The form's JSON Schema; of sampling the request's params.
  std::string schema;
  std::string url;
};

/// malformed: not of the form that the method has. not_acceptable: another method or mode.
[[nodiscard]] Result<ServerQuestion> read_server_question(std::string_view key,
                                                          std::string_view method,
                                                          const json::Value& params);
/// An InputRequests object. At most kMaxServerQuestions.
[[nodiscard]] Result<std::vector<ServerQuestion>> read_input_requests(const json::Value& requests);
inline constexpr std::size_t kMaxServerQuestions = 32;

/// `data.elicitations` of -32042 (2025-11-25, client/elicitation, "URL Elicitation Required").
[[nodiscard]] Result<std::vector<ServerQuestion>> read_required_urls(const json::Value& data);
inline constexpr std::int64_t kUrlElicitationRequired = -32042;

/// The result of the request, or the entry of `inputResponses`. `value`: JSON text, "" unless
/// accepted. Nothing: sampling or roots that were not granted, for which there is no such answer.
[[nodiscard]] std::optional<std::string> question_response(tasks::QuestionKind kind,
                                                           tasks::AnswerAction action,
                                                           std::string_view value);

/// What a call that was answered with questions needs to be made again, once they are answered.
/// Kept as a state of ours; never told to anybody.
struct PendingRound {
  unsigned rounds = 0;                       ///< That have been asked so far.
  std::optional<std::string> request_state;  ///< The server's, byte for byte.
  std::vector<std::pair<std::string, tasks::QuestionKind>> questions;  ///< By key.
  bool echoed = true;  ///< The answers go with the call; else it is only made again (-32042).
};
[[nodiscard]] std::string write_round(const PendingRound& round);
/// malformed: not written by write_round.
[[nodiscard]] Result<PendingRound> read_round(std::string_view text);

/// The members of the params that repeat the call: `"inputResponses":{},"requestState":""`, or "".
/// conflict: a question has no answer that the server could be given.
[[nodiscard]] Result<std::string> round_members(const PendingRound& round,
                                                const std::vector<tasks::Answer>& answers);

}  // namespace interline::protocols::mcp
