// A2A over HTTP: JSON-RPC at a path, HTTP+JSON below its `/v1`, and the cards (A2A 1.0, sections 8,
// 9 and 11).
//
// | path | whose |
// |---|---|
// | `/a2a` | the host's: its default agent, or the one that a `tenant` names |
// | `/a2a/NAME` | the endpoint's default tool |
// | `/a2a/NAME/TOOL` | one tool |
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/web/access.hpp"
#include "net/asio.hpp"
#include "net/http/router.hpp"
#include "protocols/a2a/server/server.hpp"

namespace interline::a2a {

/// Of HTTP+JSON's answers: as asked for, or always one.
enum class MediaType : std::uint8_t { negotiate, json, a2a_json };

struct Options {
  MediaType media_type = MediaType::negotiate;
  web::Options web;
  std::size_t body_limit = std::size_t{4} * 1024 * 1024;
  std::chrono::milliseconds keep_alive{15'000};
  std::chrono::seconds card_life{3'600};
};

/// The server, the engine and the clock outlive the router.
void add_routes(net::http::Router& router, engine::Engine& engine,
                protocols::a2a::server::Server& server, const Clock& clock, Options options,
                Logger log);

/// What the HTTP server itself answers below `/a2a`: an error in the words of the binding that the
/// path belongs to. Others are left as they are.
[[nodiscard]] bool is_ours(std::string_view path);
[[nodiscard]] net::http::Response refused(unsigned status, const net::http::Request& request);

}  // namespace interline::a2a
