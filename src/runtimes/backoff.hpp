// How long to wait before the next start of something that keeps ending: doubling, capped, and
// spread, so that what failed together does not come back together.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace interline::runtimes {

class Backoff {
 public:
  using Duration = std::chrono::milliseconds;

  Backoff(Duration shortest, Duration longest)
      : shortest_(std::max(shortest, Duration(1))), longest_(std::max(longest, shortest_)) {}

  /// The next pause: between half of and all of what doubling gives. `random`: uniform bits.
  [[nodiscard]] Duration next(std::uint64_t random) {
    current_ = current_.count() == 0 ? shortest_ : std::min(current_ * 2, longest_);
    const auto half = static_cast<std::uint64_t>(current_.count() / 2);
    return current_ - Duration(static_cast<Duration::rep>(random % (half + 1)));
  }
  /// Something worked: the next pause is the shortest again.
  void reset() { current_ = {}; }

 private:
  Duration shortest_;
  Duration longest_;
  Duration current_{0};
};

}  // namespace interline::runtimes
