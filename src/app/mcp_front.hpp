// MCP as `[mcp]` describes it: the server, its routes on the HTTP listener, and its lines on the
// control socket.
#pragma once

#include <memory>
#include <string>

#include "app/configuration.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/control/control.hpp"
#include "bindings/mcp/binding.hpp"
#include "bindings/mcp/line_front.hpp"
#include "engine/engine.hpp"
#include "net/http/router.hpp"
#include "protocols/mcp/server/server.hpp"

namespace interline::app {

class McpFront {
 public:
  /// `token_key`: the secret behind opaque tokens, 32 random bytes. `tokens`: whose access tokens
  /// are taken; nullptr: nobody's.
  McpFront(engine::Engine& engine, const Configuration& configuration, std::string_view token_key,
           protocols::oauth::TokenAuthority* tokens, const Clock& clock, Logger log);

  /// `address`: of the listener, "127.0.0.1:8080".
  void add_routes(net::http::Router& router, const net::Executor& executor,
                  std::string_view address, bool secure);
  /// For control::Options. They live as long as this.
  [[nodiscard]] control::McpLines lines();
  /// Ends every stream that would not end by itself. From any thread.
  void end_streams();

 private:
  engine::Engine& engine_;
  const Clock& clock_;
  const Logger log_;
  mcp::Options options_;
  protocols::mcp::server::Server server_;
  mcp::LineFront lines_;
  std::shared_ptr<mcp::Binding> binding_;
};

}  // namespace interline::app
