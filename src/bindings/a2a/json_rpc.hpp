// The JSON-RPC binding (A2A 1.0, section 9).
#pragma once

#include "bindings/a2a/services.hpp"

namespace interline::a2a {

[[nodiscard]] awaitable<void> json_rpc(std::shared_ptr<Services> services,
                                       net::http::Request& request,
                                       net::http::Responder& responder);

}  // namespace interline::a2a
