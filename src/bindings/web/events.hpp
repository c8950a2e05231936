// Server-sent events whose data is JSON, as every front door over HTTP writes them.
#pragma once

#include <string>
#include <string_view>

#include "net/http/message.hpp"

namespace interline::web {

/// One JSON text as an event's bytes.
[[nodiscard]] std::string event_of(std::string_view json);
/// The head of every stream of ours, with these fields beside its own.
[[nodiscard]] net::http::Response stream_head(const net::http::Fields& fields);

}  // namespace interline::web
