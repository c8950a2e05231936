// What the routes share. Lives as long as the router's handlers.
#pragma once

#include <memory>
#include <utility>

#include "bindings/a2a/binding.hpp"
#include "bindings/a2a/seen_cards.hpp"
#include "bindings/web/access.hpp"
#include "engine/engine.hpp"

namespace interline::a2a {

namespace rules = protocols::a2a;
namespace server = protocols::a2a::server;
using engine::awaitable;

struct Services {
  Services(engine::Engine& the_engine, server::Server& the_server, const Clock& the_clock,
           Options the_options, Logger the_log)
      : engine(the_engine),
        a2a(the_server),
        clock(the_clock),
        options(std::move(the_options)),
        log(std::move(the_log)) {}

  [[nodiscard]] web::Access access() const { return {engine, options.web}; }

  engine::Engine& engine;
  server::Server& a2a;
  const Clock& clock;
  const Options options;
  const Logger log;
  SeenCards cards;
};

}  // namespace interline::a2a
