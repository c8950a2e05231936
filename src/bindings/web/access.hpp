// What decides who may come through a front door over HTTP, the same for all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/engine.hpp"
#include "protocols/oauth/token_authority.hpp"

namespace interline::web {

using engine::awaitable;

/// Views of a front door's options.
struct Access {
  explicit Access(engine::Engine& the_engine) : engine(the_engine) {}

  engine::Engine& engine;
  /// Whose access tokens are taken; nullptr: nobody's.
  protocols::oauth::TokenAuthority* tokens = nullptr;
  std::string_view public_url;  ///< "": as requests say in Host
  /// The listener is on this machine alone: what a browser on it was made to send by a page from
  /// elsewhere is told by its Host, which has to name this machine, or one of `allowed_hosts`.
  bool loopback = false;
  std::span<const std::string> allowed_origins;  ///< as browsers name them in Origin
  std::span<const std::string> allowed_hosts;    ///< without port
};

}  // namespace interline::web
