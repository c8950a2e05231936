// Error codes of the system as the project's Error.
//
// Every failure of a connection is `unavailable`; its reason is `expired` when a deadline passed
// and `none` otherwise (refused, reset, closed, cancelled). Messages name the operation and the
// system's words for the cause, nothing that a peer sent.
#pragma once

#include <string_view>

#include <boost/system/error_code.hpp>

#include "base/error.hpp"

namespace interline::net {

[[nodiscard]] Error to_error(std::string_view what, const boost::system::error_code& code);
[[nodiscard]] Error to_error(std::string_view what, int system_errno);
[[nodiscard]] Error timed_out(std::string_view what);
[[nodiscard]] Error connection_closed();

/// True where a deadline passed, as opposed to a connection that broke.
[[nodiscard]] inline bool is_timeout(const Error& error) {
  return error.kind == ErrorKind::unavailable && error.reason == ErrorReason::expired;
}

}  // namespace interline::net
