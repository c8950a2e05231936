// One connection to the XMPP server, to see whether it takes us: for `interline doctor`.
#pragma once

#include <optional>
#include <string>

#include "app/configuration.hpp"
#include "net/asio.hpp"

namespace interline::app {

/// Why the server did not take us, in its own words where it had some.
struct XmppTrouble {
  std::string what;
  std::string remedy;  ///< "" where none is known

  XmppTrouble(std::string why, std::string mend) : what(std::move(why)), remedy(std::move(mend)) {}
};

/// Connects, authenticates as the component, and says goodbye; nothing if all of that went well.
/// Not while the gateway runs: servers refuse a second connection of a component, or end the first.
[[nodiscard]] net::awaitable<std::optional<XmppTrouble>> probe_xmpp(const XmppSection& section);

}  // namespace interline::app
