// /metrics: every family that this gateway has, from what its parts have counted. docs/metrics.md
// describes them one by one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/process_figures.hpp"
#include "app/xmpp_front.hpp"
#include "engine/gateway.hpp"
#include "net/http/server.hpp"
#include "policy/decision_log.hpp"
#include "policy/rate.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::app {

struct EndpointFigures {
  std::string name;
  bool imported = false;
  engine::Dispatcher::Load load;
  std::shared_ptr<const runtimes::ProcessCounters> processes;  ///< none: it has no processes
};

/// All of it at one moment.
struct Figures {
  std::string version;
  bool ready = false;
  engine::Gateway::Statistics engine;
  std::array<std::uint64_t, policy::kRateClassCount> rate_limited{};
  std::shared_ptr<const policy::DecisionLog> decisions;
  std::vector<EndpointFigures> endpoints;
  std::optional<XmppFigures> xmpp;
  const net::http::ServerStats* http = nullptr;   ///< of the TCP listener, if there is one
  const net::http::ServerStats* local = nullptr;  ///< of the Unix socket
  std::optional<ProcessFigures> process;
};

/// Prometheus text format 0.0.4.
[[nodiscard]] std::string metrics_text(const Figures& figures);

}  // namespace interline::app
