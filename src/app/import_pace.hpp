// How soon after a change an agent's tools are asked for again: soon, if it changes now and then;
// ever more rarely, if it does not stop changing.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.hpp"

namespace interline::app {

class ImportPace {
 public:
  using milliseconds = std::chrono::milliseconds;
  static constexpr milliseconds kSettle{250};   ///< more changes come at once
  static constexpr milliseconds kLeast{2'000};  ///< between two imports
  static constexpr milliseconds kMost{600'000};

  /// From a change that came now to the import.
  [[nodiscard]] milliseconds wait(SteadyTime now) const {
    if (!last_) return kSettle;
    const auto left = std::chrono::ceil<milliseconds>(*last_ + distance_ - now);
    return std::max(left, kSettle);
  }
  /// Tools are asked for.
  void imported(SteadyTime now) {
    const bool quiet = !last_ || now - *last_ > 2 * kMost;
    distance_ = quiet ? kLeast : std::min(distance_ * 2, kMost);
    last_ = now;
  }

 private:
  std::optional<SteadyTime> last_;
  milliseconds distance_ = kLeast;
};

}  // namespace interline::app
