// How long to wait before a stream that ended is asked for again (2025-11-25, "Resumability and
// Redelivery"). A server's `retry` makes the pause longer and never shorter than ours: `retry: 0`
// from one that ends each stream at once would otherwise be a loop without rest.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace interline::runtimes::mcp {

class Reconnect {
 public:
  using Duration = std::chrono::milliseconds;
  static constexpr Duration kMostAsked = std::chrono::hours(1);  ///< of a server's `retry`

  Reconnect(Duration shortest, Duration longest)
      : shortest_(std::max(shortest, Duration(1))),
        longest_(std::max(longest, shortest_)),
        wait_(shortest_) {}

  /// Before the next attempt. `retry`: what the server asks for. `useful`: a message has come.
  /// `lasted`: from the request to the end; one that lasted as long as the pause before it was no
  /// failure either, so at worst half of the time is spent on waiting.
  [[nodiscard]] Duration next(std::optional<Duration> retry, bool useful, Duration lasted) {
    if (useful || lasted >= paused_) wait_ = shortest_;
    paused_ = wait_;
    wait_ = std::min(wait_ * 2, longest_);
    return std::clamp(retry.value_or(Duration(0)), paused_, std::max(paused_, kMostAsked));
  }

 private:
  Duration shortest_;
  Duration longest_;
  Duration wait_;
  Duration paused_ = Duration::max();  ///< before the attempt that has just ended
};

}  // namespace interline::runtimes::mcp
