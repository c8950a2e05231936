// MCP over streamable HTTP (2026-07-28, basic/transports/streamable-http).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "net/asio.hpp"
#include "net/http/router.hpp"
#include "protocols/mcp/server/server.hpp"
#include "protocols/oauth/token_authority.hpp"

namespace interline::mcp {

struct Options {
  bool legacy = true;             ///< revisions before 2026-07-28
  std::size_t sessions = 10'000;  ///< of theirs in memory; more of them wait in the store
  /// Web pages that may ask, as their browsers name them in Origin.
  std::vector<std::string> allowed_origins;
  /// The listener is on this machine alone: what a browser on it was made to send by a page from
  /// elsewhere is told by its Host, which has to name this machine, or one of `allowed_hosts`.
  bool loopback = false;
  std::vector<std::string> allowed_hosts;  ///< without port
  /// Whose access tokens are taken; nullptr: nobody's. Outlives the router.
  protocols::oauth::TokenAuthority* tokens = nullptr;
  std::string public_url;  ///< "": as requests say in Host
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
