// /healthz, /readyz and /metrics: what a supervisor, a load balancer and Prometheus ask.
#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

#include "net/http/router.hpp"

namespace interline::app {

struct Readiness {
  bool ready = false;
  std::string details;  ///< JSON object text

  Readiness() = default;
};

/// Asked on connections' strands: from several threads.
struct HealthSources {
  std::function<Readiness()> readiness;
  std::function<std::string()> metrics;  ///< Prometheus text format 0.0.4
  std::function<bool(uid_t)> is_operator;

  HealthSources() = default;
};

/// `/readyz?wait=SECONDS` answers when it is ready, or after that time (60 at most).
/// What it says beyond that is for this machine: others hear only whether it is ready.
/// `/metrics` is for this machine, and for operators on the Unix socket.
void add_health_routes(net::http::Router& router, const HealthSources& sources,
                       const net::http::Guard& guard);

}  // namespace interline::app
