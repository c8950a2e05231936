// Messages to us. They carry no calls: an error of an event of ours is heeded, a conversation is
// refused now and then (Human Messaging is not implemented), the rest is dropped. Brief 3.4.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/clock.hpp"
#include "bindings/xmpp/event_sender.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

class MessageGate {
 public:
  MessageGate(const OwnDomain& domain, EventSender& events, const Clock& clock)
      : domain_(domain), events_(events), clock_(clock) {}

  /// What is to be said to a `<message/>`, if anything.
  [[nodiscard]] std::optional<OutgoingStanza> take(const Stanza& stanza);

 private:
  [[nodiscard]] bool may_refuse(const std::string& sender);

  const OwnDomain& domain_;
  EventSender& events_;
  const Clock& clock_;
  std::unordered_map<std::string, SteadyTime> refused_;  // by bare JID
};

}  // namespace interline::xmpp
