// A2A as `[a2a]` describes it: the server, and its routes on the HTTP listener.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "app/configuration.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/a2a/binding.hpp"
#include "engine/engine.hpp"
#include "net/http/router.hpp"
#include "protocols/a2a/server/server.hpp"

namespace interline::app {

class A2aFront {
 public:
  /// As McpFront.
  A2aFront(engine::Engine& engine, const Configuration& configuration, std::string_view token_key,
           protocols::oauth::TokenAuthority* tokens, const Clock& clock, Logger log);

  /// `address`: of the listener, "127.0.0.1:8080".
  void add_routes(net::http::Router& router, std::string_view address, bool secure);
  /// The endpoints' default tools, as they are now. From any thread.
  void reload(const Configuration& configuration);

 private:
  class DefaultTools;

  engine::Engine& engine_;
  const Clock& clock_;
  const Logger log_;
  const std::shared_ptr<DefaultTools> default_tools_;
  a2a::Options options_;
  protocols::a2a::server::Server server_;
};

}  // namespace interline::app
