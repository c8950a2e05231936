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

  [[nodiscard]] web::Access access() const {
    web::Access access(engine);
    access.tokens = options.tokens;
    access.public_url = options.public_url;
    access.loopback = options.loopback;
    access.allowed_origins = options.allowed_origins;
    access.allowed_hosts = options.allowed_hosts;
    return access;
  }

  engine::Engine& engine;
  server::Server& a2a;
  const Clock& clock;
  const Options options;
  const Logger log;
  SeenCards cards;
};

}  // namespace interline::a2a
