// What an operator decides about this binding; `[xmpp]` of the configuration.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bindings/xmpp/result_set.hpp"
#include "json/parse.hpp"

namespace interline::xmpp {

struct BindingConfig {
  std::string title;  ///< of the gateway
  bool admin = true;  ///< Administrative Provisioning
  bool self_registration = false;
  bool self_activate = false;
  bool search = true;
  bool vcards = true;
  bool public_profile = false;  ///< vCards for everybody who may see presence
  bool federated_info_for_all = false;
  std::size_t stanza_out = 393'216;
  std::chrono::seconds replay_window{86'400};
  PageLimits page;
  json::Limits input_limits;
};

}  // namespace interline::xmpp
