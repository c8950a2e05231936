// What is answered instead of a result: the closed set of A2A's errors and the few others that a
// server needs, one table for both bindings (A2A 1.0, sections 3.3.2, 5.4, 9.5 and 11.6).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/parse.hpp"

namespace interline::protocols::a2a {

/// Section 3.3.2, in the order of their codes.
enum class Fault : std::uint8_t {
  task_not_found,
  task_not_cancelable,
  push_notification_not_supported,
  unsupported_operation,
  content_type_not_supported,
  invalid_agent_response,
  extended_agent_card_not_configured,
  extension_support_required,
  version_not_supported,
};

/// What is not A2A's own; those of HTTP keep their status whatever the binding.
enum class Refusal : std::uint8_t {
  not_json,
  invalid_request,
  unknown_method,
  invalid_params,
  internal,
  unauthenticated,
  forbidden,
  not_allowed_here,  ///< the method of HTTP
  too_large,
  wrong_media_type,
  rate,
  unavailable,
};

/// Whose statuses: 1.0.1 changed those of some errors. A client decides by reason and code.
enum class Edition : std::uint8_t { v1_0_0, v1_0_1 };

struct FieldViolation {
  std::string field;  ///< camelCase path: "message.parts[0].raw"
  std::string description;
};

struct ErrorAnswer {
  std::int64_t code = 0;  ///< of JSON-RPC
  unsigned status = 0;    ///< of HTTP+JSON
  bool of_http = false;   ///< JSON-RPC answers with that status, too
  std::string_view word;  ///< of google.rpc.Code
  std::string message;    ///< fixed or bounded, for people
  std::string details;    ///< JSON array text; "" if there are none
  std::optional<std::chrono::milliseconds> retry_after;
};

/// `metadata`: string values, for the ErrorInfo.
using InfoMetadata = std::vector<std::pair<std::string_view, std::string>>;

[[nodiscard]] ErrorAnswer fault(Edition edition, Fault which, std::string message,
                                const InfoMetadata& metadata = {});
[[nodiscard]] ErrorAnswer refusal(Refusal which, std::string message);
[[nodiscard]] ErrorAnswer not_json(const json::ParseError& error);
/// -32602 with a google.rpc.BadRequest.
[[nodiscard]] ErrorAnswer invalid_params(const std::vector<FieldViolation>& violations);
[[nodiscard]] inline ErrorAnswer invalid_params(std::string field, std::string description) {
  return invalid_params({{std::move(field), std::move(description)}});
}

/// Absent, and not the caller's: the same bytes.
[[nodiscard]] ErrorAnswer task_not_found(Edition edition);
/// What the engine says; tasks are task_not_found() before this is asked.
[[nodiscard]] ErrorAnswer to_answer(Edition edition, const Error& error);

/// The reason of ErrorInfo: "TASK_NOT_FOUND".
[[nodiscard]] std::string_view reason_of(Fault which);
[[nodiscard]] std::optional<Fault> fault_of_reason(std::string_view reason);
[[nodiscard]] std::optional<Fault> fault_of_code(std::int64_t code);

/// A JSON-RPC response; `id` is JSON text.
[[nodiscard]] std::string json_rpc_error(std::string_view id, const ErrorAnswer& answer);
/// A google.rpc.Status under "error".
[[nodiscard]] std::string http_error(const ErrorAnswer& answer);

}  // namespace interline::protocols::a2a
