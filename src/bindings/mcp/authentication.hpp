// Who asks over HTTP.
#pragma once

#include "engine/engine.hpp"
#include "net/http/message.hpp"

namespace interline::mcp {

/// The principal that the request's credentials prove; `anonymous` where it has none. The one place
/// for every kind of credential. Errors: forbidden (a credential that is none of ours),
/// unavailable.
[[nodiscard]] engine::awaitable<Result<policy::Principal>> authenticate(
    engine::Engine& engine, const net::http::Request& request);

}  // namespace interline::mcp
