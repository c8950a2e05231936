// How long to wait before a stream is opened again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "bindings/xmpp/tables.hpp"

namespace interline::xmpp {

struct ReconnectConfig {
  std::chrono::milliseconds least{1'000};
  std::chrono::milliseconds most{60'000};
  /// A stream that was authenticated this long begins the delays anew.
  std::chrono::milliseconds steady{60'000};
};

/// min(most, least · 2ⁿ) · uniform(0.5, 1), and not less than the kind of failure asks for.
class ReconnectDelay {
 public:
  /// `uniform` gives numbers in [0, 1): without them every gateway comes back at once.
  ReconnectDelay(const ReconnectConfig& config, std::function<double()> uniform)
      : config_(config), uniform_(std::move(uniform)) {}

  [[nodiscard]] std::chrono::milliseconds next(Retry retry) {
    const auto grown =
        std::min(config_.most, config_.least * (std::int64_t{1} << std::min(failures_, 30)));
    ++failures_;
    const double factor = 0.5 + uniform_() / 2;
    const auto delay = std::chrono::duration_cast<std::chrono::milliseconds>(grown * factor);
    return std::max<std::chrono::milliseconds>(delay, least_delay(retry));
  }
  void reset() { failures_ = 0; }
  [[nodiscard]] const ReconnectConfig& config() const { return config_; }

 private:
  ReconnectConfig config_;
  std::function<double()> uniform_;
  int failures_ = 0;
};

}  // namespace interline::xmpp
