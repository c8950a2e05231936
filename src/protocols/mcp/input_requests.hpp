// Questions as `inputRequests` and their answers as `inputResponses` (2026-07-28,
// basic/patterns/mrtr; client/elicitation, client/sampling, client/roots; tasks/get and
// tasks/update). For legacy clients the same entries are real requests.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"
#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/versions.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::mcp {

/// A question under the key that the client answers by: a task question's id, or before there is a
/// task the tool's own key.
struct InputQuestion {
  std::string key;
  tasks::QuestionKind kind = tasks::QuestionKind::form;
  std::string text;
  /// JSON Schema, "" for any value. Of sampling: the request's params, an object with `messages`,
  /// or "" to have the text asked.
  std::string schema;
  std::string url;
};
/// A task's question: its key is the id, as task_ids.hpp writes it for the tenant ("": alone).
[[nodiscard]] InputQuestion input_question(const tasks::Question& question,
                                           std::string_view tenant);

struct InputRequest {
  std::string_view method;
  std::string params;  ///< JSON object text; "": none
};
/// Nothing: it cannot be asked over MCP (a secret without a URL to tell it to, a kind that the
/// revision lacks).
[[nodiscard]] std::optional<InputRequest> input_request(const InputQuestion& question,
                                                        Revision revision);

/// An InputRequests object of those questions that can be asked and that the client declares to be
/// able to answer. `{}` if there are none.
[[nodiscard]] std::string input_requests(std::span<const InputQuestion> questions,
                                         ClientCapabilities declared, Revision revision);

/// What the questions need and the client does not declare: for -32021.
[[nodiscard]] ClientCapabilities missing_for(std::span<const InputQuestion> questions,
                                             ClientCapabilities declared);

struct InputAnswer {
  std::string key;
  tasks::AnswerAction action = tasks::AnswerAction::accept;
  /// JSON text; "" unless accepted. Of a form, the value that was asked for; of a URL `null`; of
  /// sampling and roots the client's result as it is.
  std::string value;
};
/// Answers to these questions; keys that are none of theirs are ignored, questions without an
/// answer are left open. malformed: an answer that is none for its kind.
[[nodiscard]] Result<std::vector<InputAnswer>> read_input_responses(
    const json::Value& responses, std::span<const InputQuestion> questions, Revision revision);
/// One answer: of an entry, or the result of a legacy client's.
[[nodiscard]] Result<InputAnswer> read_input_response(const json::Value& response,
                                                      const InputQuestion& question,
                                                      Revision revision);

}  // namespace interline::protocols::mcp
