// POST, GET and DELETE of clients of the revisions that are opened by `initialize`.
#pragma once

#include <memory>

#include "bindings/mcp/exchange_place.hpp"
#include "protocols/mcp/server/sessions.hpp"

namespace interline::mcp {

inline constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

/// `session`: nullptr for `initialize` alone.
[[nodiscard]] awaitable<void> legacy_post(const Place& place, Body body,
                                          const rules::LegacyExchange& exchange,
                                          std::shared_ptr<server::Session> session,
                                          const rules::Features& features);
[[nodiscard]] awaitable<void> legacy_batch(const Place& place, Body body,
                                           const rules::LegacyBatch& batch,
                                           std::shared_ptr<server::Session> session,
                                           const rules::Served& served);

/// The stream of what belongs to no request, or the rest of another (Last-Event-ID).
[[nodiscard]] awaitable<void> get_stream(std::shared_ptr<Services> services,
                                         net::http::Request& request,
                                         net::http::Responder& responder);
[[nodiscard]] awaitable<void> delete_session(std::shared_ptr<Services> services,
                                             net::http::Request& request,
                                             net::http::Responder& responder);

}  // namespace interline::mcp
