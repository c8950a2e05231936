// The bodies of requests: JSON text in, what the engine is asked out. No I/O. Errors: malformed,
// not_acceptable (no I-JSON), resource_constraint (beyond the limits).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"
#include "bindings/control/control.hpp"
#include "engine/engine.hpp"

namespace interline::control {

/// POST /v1/calls: {"endpoint","tool","arguments"?,"requestKey"?,"version"?,"deadline"?,
/// "answerable"?,"context"?}
[[nodiscard]] Result<engine::Invocation> read_call(std::string_view body, const Limits& limits);

/// POST /v1/tasks/ID/answer: {"request"?,"expectedRevision"?} and one of
/// {"value"}, {"action":"decline"|"cancel"}, {"answers":[{"question","action"?,"value"?}]}.
struct AnswerRequest {
  engine::Input input;  ///< without its task; `parts` by question
  /// For every open question.
  std::optional<tasks::AnswerAction> all;

  AnswerRequest() = default;
};
[[nodiscard]] Result<AnswerRequest> read_answer(std::string_view body, const Limits& limits);

/// POST /v1/tasks/ID/cancel: {"reason"?,"expectedRevision"?}; no body is {}.
[[nodiscard]] Result<engine::Cancellation> read_cancel(std::string_view body);

/// POST /v1/endpoints/NAME/activate: {"version","hash"?}, the hash in Base64.
struct ActivateRequest {
  std::string version;
  std::optional<Digest> hash;

  ActivateRequest() = default;
};
[[nodiscard]] Result<ActivateRequest> read_activate(std::string_view body);

/// POST /v1/keys: {"name"}.
[[nodiscard]] Result<std::string> read_key_name(std::string_view body);

/// "" or {}: for operations without parameters.
[[nodiscard]] Result<void> read_nothing(std::string_view body);

/// GET /v1/tasks?state=a,b&context=C&since=T&limit=N&after=CURSOR.
[[nodiscard]] Result<engine::TaskQuery> read_task_query(const net::http::Request& request,
                                                        const Limits& limits);
/// The cursor behind a row: "UPDATED.ID".
[[nodiscard]] std::string cursor_of(const tasks::Task& task);

/// `limit` of a page, within 1 and page_max.
[[nodiscard]] Result<std::size_t> read_limit(const net::http::Request& request,
                                             const Limits& limits);

}  // namespace interline::control
