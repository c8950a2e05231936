// POST: one message of a client's.
#pragma once

#include <memory>

#include "bindings/mcp/services.hpp"
#include "net/http/message.hpp"
#include "net/http/responder.hpp"

namespace interline::mcp {

[[nodiscard]] awaitable<void> post(std::shared_ptr<Services> services, net::http::Request& request,
                                   net::http::Responder& responder);

}  // namespace interline::mcp
