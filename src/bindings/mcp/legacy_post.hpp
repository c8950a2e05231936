// POST, GET and DELETE of clients of the revisions that are opened by `initialize`.
#pragma once

#include <chrono>
#include <memory>

#include "bindings/mcp/exchange_place.hpp"
#include "protocols/mcp/server/sessions.hpp"

namespace interline::mcp {

inline constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
/// How long an answer is waited for before a stream is begun for it, so that most are plain JSON.
inline constexpr std::chrono::milliseconds kPatience{1'000};

/// `session`: nullptr for `initialize` alone.
[[nodiscard]] awaitable<void> legacy_post(const Place& place, Body body,
                                          const rules::LegacyExchange& exchange,
                                          std::shared_ptr<server::Session> session,
                                          const rules::Features& features);
/// One that is no request: an answer of the client's, a notification.
void heed(server::Session& session, const rules::LegacyExchange& exchange);
/// 2025-03-26: as one array of JSON, or as a stream where something is said before it.
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
