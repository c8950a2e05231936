// MCP over streamable HTTP (2026-07-28, basic/transports/streamable-http).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/web/access.hpp"
#include "net/asio.hpp"
#include "net/http/router.hpp"
#include "protocols/mcp/server/server.hpp"

namespace interline::mcp {

struct Options {
  bool legacy = true;             ///< revisions before 2026-07-28
  std::size_t sessions = 10'000;  ///< of theirs in memory; more of them wait in the store
  web::Options web;
  std::size_t body_limit = std::size_t{1024} * 1024;
  std::chrono::milliseconds keep_alive{15'000};  ///< between comments on a silent stream
};

class Binding {
 public:
  virtual ~Binding() = default;
  /// Ends every stream that would not end by itself: the last thing before the HTTP server is
  /// drained. From any thread.
  virtual void end_streams() = 0;
};

/// Adds `/mcp` and `/mcp/{name}`. The server, its engine and the clock outlive the router.
[[nodiscard]] std::shared_ptr<Binding> add_routes(net::http::Router& router,
                                                  const net::Executor& executor,
                                                  engine::Engine& engine,
                                                  protocols::mcp::server::Server& server,
                                                  const Clock& clock, Options options, Logger log);

}  // namespace interline::mcp
