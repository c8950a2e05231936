// What decides who may come through a front door over HTTP, the same for all of them.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "protocols/oauth/token_authority.hpp"

namespace interline::web {

using engine::awaitable;

/// Of a front door.
struct Options {
  /// Whose access tokens are taken; nullptr: nobody's. Outlives the router.
  protocols::oauth::TokenAuthority* tokens = nullptr;
  std::string public_url;  ///< "": as requests say in Host
  /// Web pages that may ask, as their browsers name them in Origin.
  std::vector<std::string> allowed_origins;
  /// The listener is on this machine alone: what a browser on it was made to send by a page from
  /// elsewhere is told by its Host, which has to name this machine, or one of `allowed_hosts`.
  bool loopback = false;
  std::vector<std::string> allowed_hosts;  ///< without port
};

struct Access {
  Access(engine::Engine& the_engine, const Options& the_options)
      : engine(the_engine), options(the_options) {}

  engine::Engine& engine;
  const Options& options;
};

}  // namespace interline::web
