// The one error type that crosses folder borders, and Result<T>, which carries it.
//
// Kinds and reasons are closed sets: every binding maps (kind, reason) to its own wire in one
// table, so a new value here is a new row in each of them. Whatever a peer, a user or a race can
// cause is a Result; exceptions are left for a broken environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace interline {

/// What went wrong, as seen by the one who asked.
enum class ErrorKind : std::uint8_t {
  malformed,            ///< The request cannot be understood.
  not_found,            ///< Absent, or hidden from this principal: the two are one answer.
  forbidden,            ///< Known to the principal, but not allowed.
  not_acceptable,       ///< Understood and refused: a schema, a version, a passed deadline.
  conflict,             ///< Contradicts what was committed before.
  too_early,            ///< Asked before it can be answered.
  resource_constraint,  ///< A documented limit was hit; smaller, fewer or later will do.
  unavailable,          ///< Not now; the same request may be repeated.
  internal,             ///< Our fault.
};

/// A closer reason under the kind; `none` where the kind says it all.
enum class ErrorReason : std::uint8_t {
  none,
  terminal,           ///< conflict: the task has settled.
  stale_revision,     ///< conflict: the expected revision is not the current one.
  already_answered,   ///< conflict: the input request has its answer.
  expired,            ///< conflict or not_acceptable: the time for it has passed.
  different_request,  ///< conflict: the same request ID with another content.
  in_flight,          ///< conflict: the same request is being worked on right now.
  wrong_context,      ///< conflict: belongs to another conversation.
  not_cancellable,    ///< conflict: this task cannot be cancelled.
  too_large,          ///< resource_constraint: bytes, depth, length.
  too_many,           ///< resource_constraint: counts, pending work.
  rate,               ///< resource_constraint: asked too often; see retry_after.
};

/// `message` is a fixed or bounded sentence for people: never a payload, never a secret.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  ErrorReason reason = ErrorReason::none;
  std::string message;
  std::optional<std::chrono::milliseconds> retry_after;  ///< When to try again, where known.

  Error(ErrorKind error_kind, std::string text) : kind(error_kind), message(std::move(text)) {}
  Error(ErrorKind error_kind, ErrorReason error_reason, std::string text)
      : kind(error_kind), reason(error_reason), message(std::move(text)) {}

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorKind::conflict, "...")` from a function that returns any Result.
[[nodiscard]] inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error(kind, std::move(message)));
}
[[nodiscard]] inline std::unexpected<Error> fail(ErrorKind kind, ErrorReason reason,
                                                 std::string message) {
  return std::unexpected(Error(kind, reason, std::move(message)));
}

/// The word for logs and for the command line: "not_found", "stale_revision".
[[nodiscard]] std::string_view to_string(ErrorKind kind);
[[nodiscard]] std::string_view to_string(ErrorReason reason);

}  // namespace interline
