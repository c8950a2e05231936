// What a running gateway can take over from a configuration that was read again.
#pragma once

#include <string>
#include <vector>

#include "app/configuration.hpp"

namespace interline::app {

struct Takeover {
  Configuration configuration;       ///< what runs from now on
  std::vector<std::string> waiting;  ///< what differs and needs a restart: "[http]", ...

  explicit Takeover(Configuration merged) : configuration(std::move(merged)) {}
};

/// Grants, accounts, endpoints, who administers, the log's level, certificates, the time to drain:
/// from `fresh`. Everything else stays as it runs.
[[nodiscard]] Takeover take_over(const Configuration& running, const Configuration& fresh);

}  // namespace interline::app
