// What an operator decides about this binding; `[xmpp]` of the configuration.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/result_set.hpp"

namespace interline::xmpp {

struct BindingConfig {
  std::string title;  ///< of the gateway
  bool admin = true;  ///< Administrative Provisioning
  bool self_registration = false;
  bool search = true;
  bool vcards = true;
  bool federated_info_for_all = false;  ///< strangers of other domains learn what this is
  std::size_t stanza_in = 524'288;  ///< bytes of a stanza that was taken whole; named in refusals
  std::size_t stanza_out = OutgoingStanza::kMostBytes;
  std::chrono::seconds replay_window{86'400};
  PageLimits page;
  std::chrono::milliseconds presence_interval{10'000};  ///< how often availability is looked at
};

}  // namespace interline::xmpp
