// How many log lines a second a talkative process may fill the log with. Time comes in from
// outside.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace interline::net {

class LineThrottle {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// `rate` lines a second, and as many at once.
  LineThrottle(std::size_t rate, TimePoint now)
      : rate_(static_cast<double>(rate)), available_(rate_), filled_(now) {}

  [[nodiscard]] bool admit(TimePoint now) {
    const std::chrono::duration<double> passed = now - filled_;
    available_ = std::min(rate_, available_ + passed.count() * rate_);
    filled_ = now;
    if (available_ < 1.0) {
      ++dropped_;
      return false;
    }
    available_ -= 1.0;
    return true;
  }

  /// Lines refused since the last call.
  [[nodiscard]] std::size_t take_dropped() { return std::exchange(dropped_, 0); }

 private:
  double rate_;
  double available_;
  TimePoint filled_;
  std::size_t dropped_ = 0;
};

}  // namespace interline::net
