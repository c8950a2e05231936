// So many a second and no more, a few at once: for what nobody waits for. No clock, no timer.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "base/clock.hpp"

namespace interline::xmpp {

/// Not thread-safe.
class Pace {
 public:
  using Duration = SteadyTime::duration;

  /// `per_second` on the long run; `burst` at once after a pause. Both at least 1.
  Pace(std::size_t per_second, std::size_t burst)
      : each_(std::chrono::duration_cast<Duration>(std::chrono::seconds(1)) /
              static_cast<Duration::rep>(per_second)),
        ahead_(each_ * static_cast<Duration::rep>(burst - 1)) {}

  /// How long until the next may go; zero or less: now.
  [[nodiscard]] Duration wait(SteadyTime now) const { return paid_until_ - ahead_ - now; }
  /// So many went.
  void spend(std::size_t count, SteadyTime now) {
    paid_until_ = std::max(paid_until_, now) + each_ * static_cast<Duration::rep>(count);
  }

 private:
  Duration each_;
  Duration ahead_;
  SteadyTime paid_until_{};
};

}  // namespace interline::xmpp
