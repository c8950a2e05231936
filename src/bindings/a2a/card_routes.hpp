// The cards at their well-known places (A2A 1.0, sections 8.2 and 8.6).
#pragma once

#include "bindings/a2a/services.hpp"

namespace interline::a2a {

[[nodiscard]] awaitable<void> card(std::shared_ptr<Services> services, net::http::Request& request,
                                   net::http::Responder& responder);

}  // namespace interline::a2a
