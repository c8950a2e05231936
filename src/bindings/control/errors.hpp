// How errors look on this wire: a status and {"error":{"code","reason"?,"message","retryAfter"?}}.
#pragma once

#include "base/error.hpp"
#include "net/http/message.hpp"

namespace interline::control {

/// The status for a kind and reason. 409 is a conflict with what was committed, 422 what was
/// understood and refused, 413 and 429 limits, 503 what may be repeated as it is.
[[nodiscard]] unsigned status_of(const Error& error);

[[nodiscard]] net::http::Response error_response(const Error& error);

[[nodiscard]] net::http::Response json_response(unsigned status, std::string body);

}  // namespace interline::control
