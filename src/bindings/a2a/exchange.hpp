// One operation on the connection that asked for it: its answer, or its events.
#pragma once

#include <memory>
#include <string>

#include "bindings/a2a/event_stream.hpp"
#include "bindings/a2a/front_guard.hpp"

namespace interline::a2a {

/// Whose interface the path is of.
[[nodiscard]] server::Face face_of(const net::http::Request& request);
/// The caller, the face and the version that was asked for.
[[nodiscard]] server::Asked asked_of(const net::http::Request& request);

/// Writes the events of a streaming operation until it has ended. `kept`: what `asked` looks at.
[[nodiscard]] awaitable<void> stream_events(std::shared_ptr<Services> services,
                                            const net::http::Request& request,
                                            net::http::Responder& responder, server::Asked asked,
                                            Framing framing, std::shared_ptr<const void> kept);

/// Sends it, readable for the page that asked.
[[nodiscard]] awaitable<void> send(const Services& services, const net::http::Request& request,
                                   net::http::Responder& responder, net::http::Response response);

}  // namespace interline::a2a
