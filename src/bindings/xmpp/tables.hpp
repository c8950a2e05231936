// The binding's tables: errors as stanzas, stream errors as advice.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"

namespace interline::xmpp {

/// RFC 6120 section 8.3.2.
enum class ErrorType : std::uint8_t { auth, cancel, modify, wait };
inline constexpr std::array<std::string_view, 4> kErrorTypes = {"auth", "cancel", "modify", "wait"};
[[nodiscard]] constexpr std::string_view to_string(ErrorType type) {
  return kErrorTypes.at(static_cast<std::size_t>(type));
}

/// What an ErrorKind is on this wire: the specification's "Error Handling" with RFC 6120 section
/// 8.3.3. Without `text` every answer of the row has the same bytes, so that nothing tells hidden
/// from absent.
struct ErrorRow {
  ErrorKind kind;
  std::string_view condition;
  ErrorType type;
  bool text;
};
inline constexpr std::array<ErrorRow, 9> kErrorRows = {{
    {ErrorKind::malformed, "bad-request", ErrorType::modify, true},
    {ErrorKind::not_found, "item-not-found", ErrorType::cancel, false},
    {ErrorKind::forbidden, "forbidden", ErrorType::auth, true},
    {ErrorKind::not_acceptable, "not-acceptable", ErrorType::modify, true},
    {ErrorKind::conflict, "conflict", ErrorType::cancel, true},
    {ErrorKind::too_early, "unexpected-request", ErrorType::wait, false},
    {ErrorKind::resource_constraint, "resource-constraint", ErrorType::wait, true},
    {ErrorKind::unavailable, "service-unavailable", ErrorType::cancel, false},
    {ErrorKind::internal, "internal-server-error", ErrorType::cancel, true},
}};
static_assert(std::ranges::is_sorted(kErrorRows, {}, &ErrorRow::kind) &&
                  kErrorRows.size() == static_cast<std::size_t>(ErrorKind::internal) + 1,
              "one row a kind, in their order");
[[nodiscard]] constexpr const ErrorRow& error_row(ErrorKind kind) {
  return kErrorRows.at(static_cast<std::size_t>(kind));
}

/// When a stream that ended so is opened again (XEP-0114 and RFC 6120 section 4.9.3).
enum class Retry : std::uint8_t {
  ordinary,       ///< the usual delays
  taken,          ///< another connection holds the domain: not before 5 s
  configuration,  ///< nothing will change until somebody mends it: not before 30 s
};
struct StreamErrorRow {
  std::string_view condition;
  Retry retry;
  std::string_view remedy;  ///< for the log
};
inline constexpr std::array<StreamErrorRow, 5> kStreamErrorRows = {{
    {"not-authorized", Retry::configuration,
     "the component's secret differs from the one the server has for this domain"},
    {"host-unknown", Retry::configuration, "the server has no component of this domain"},
    {"invalid-namespace", Retry::configuration,
     "the port is not one for components (XEP-0114), but for clients or servers"},
    {"conflict", Retry::taken,
     "another connection holds this domain: is a second gateway running?"},
    {"invalid-from", Retry::ordinary,
     "a stanza left with a sender outside of this domain, which is a fault of this program"},
}};
[[nodiscard]] constexpr StreamErrorRow stream_error_row(std::string_view condition) {
  const auto row = std::ranges::find(kStreamErrorRows, condition, &StreamErrorRow::condition);
  return row != kStreamErrorRows.end() ? *row : StreamErrorRow{condition, Retry::ordinary, {}};
}
[[nodiscard]] constexpr std::chrono::seconds least_delay(Retry retry) {
  constexpr std::array<std::chrono::seconds, 3> kLeast = {
      std::chrono::seconds(0), std::chrono::seconds(5), std::chrono::seconds(30)};
  return kLeast.at(static_cast<std::size_t>(retry));
}

}  // namespace interline::xmpp
