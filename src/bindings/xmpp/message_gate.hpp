// Messages to us. They carry no calls: an error of an event of ours is heeded, an event of a task
// that we do not follow is ignored and noted, a conversation is refused now and then (Human
// Messaging is not implemented), the rest is dropped. Brief 3.4 and 10.2.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/xmpp/event_sender.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

/// Says yes to each sender once in ten seconds. Of very many senders all are forgotten.
class NowAndThen {
 public:
  explicit NowAndThen(const Clock& clock) : clock_(clock) {}
  [[nodiscard]] bool is_time_for(const std::string& sender);

 private:
  const Clock& clock_;
  std::unordered_map<std::string, SteadyTime> last_;
};

class MessageGate {
 public:
  MessageGate(const OwnDomain& domain, EventSender& events, const Clock& clock, Logger log)
      : domain_(domain), events_(events), log_(std::move(log)), refusals_(clock), notes_(clock) {}

  /// What is to be said to a `<message/>`, if anything.
  [[nodiscard]] std::optional<OutgoingStanza> take(const Stanza& stanza);

 private:
  void note_event(Element message);

  const OwnDomain& domain_;
  EventSender& events_;
  const Logger log_;
  NowAndThen refusals_;  // by bare JID, as below
  NowAndThen notes_;
};

}  // namespace interline::xmpp
