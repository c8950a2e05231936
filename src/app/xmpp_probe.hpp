// One connection to the XMPP server, to see whether it takes us: for `interline doctor`.
#pragma once

#include <string>

#include "app/configuration.hpp"
#include "net/asio.hpp"

namespace interline::app {

/// Connects, authenticates as the component, and says goodbye. Error: why not, with the server's
/// words. Not while the gateway runs: servers refuse a second connection of a component, or end the
/// first.
[[nodiscard]] net::awaitable<Result<void>> probe_xmpp(const XmppSection& section);

}  // namespace interline::app
