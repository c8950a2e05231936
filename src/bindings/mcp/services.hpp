// What the routes share. Lives as long as the router's handlers.
#pragma once

#include <memory>
#include <utility>

#include "bindings/mcp/binding.hpp"
#include "engine/engine.hpp"

namespace interline::mcp {

namespace rules = protocols::mcp;
namespace server = protocols::mcp::server;
using engine::awaitable;

struct Services {
  Services(engine::Engine& the_engine, server::Server& the_server, const Clock& the_clock,
           Options the_options, Logger the_log)
      : engine(the_engine),
        mcp(the_server),
        clock(the_clock),
        options(std::move(the_options)),
        log(std::move(the_log)) {}

  engine::Engine& engine;
  server::Server& mcp;
  const Clock& clock;
  const Options options;
  const Logger log;
};

}  // namespace interline::mcp
