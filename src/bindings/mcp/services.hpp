// What the routes share. Lives as long as the router's handlers.
#pragma once

#include <memory>
#include <utility>

#include "bindings/mcp/binding.hpp"
#include "bindings/web/access.hpp"
#include "engine/engine.hpp"
#include "net/asio.hpp"
#include "protocols/mcp/server/sessions.hpp"

namespace interline::mcp {

namespace rules = protocols::mcp;
namespace server = protocols::mcp::server;
using engine::awaitable;

struct Services {
  Services(const net::Executor& executor, engine::Engine& the_engine, server::Server& the_server,
           const Clock& the_clock, Options the_options, Logger the_log)
      : engine(the_engine),
        mcp(the_server),
        clock(the_clock),
        options(std::move(the_options)),
        log(std::move(the_log)),
        sessions(std::make_unique<server::Sessions>(mcp, executor, options.sessions)) {}

  [[nodiscard]] web::Access access() const { return {engine, options.web}; }

  engine::Engine& engine;
  server::Server& mcp;
  const Clock& clock;
  const Options options;
  const Logger log;
  const std::unique_ptr<server::Sessions> sessions;
};

}  // namespace interline::mcp
