// Presence of endpoints: subscriptions, probes, and the word when availability changes. Brief 3.5.
// Presence is runtime availability and nothing else; no right follows from it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bindings/xmpp/call.hpp"

namespace interline::xmpp {

/// Sends a finished stanza of our own.
using SendOwn = std::function<void(OutgoingStanza)>;

/// Answers one presence stanza: reads and writes subscription records, sends what is due.
[[nodiscard]] awaitable<void> handle_presence(Services& services,
                                              std::shared_ptr<const Stanza> stanza, SendOwn send);

/// Tells every subscriber how things are; after a connect. Paced by `send`.
[[nodiscard]] awaitable<void> announce_all(Services& services,
                                           std::function<awaitable<void>(OutgoingStanza)> send,
                                           bool available);

}  // namespace interline::xmpp
