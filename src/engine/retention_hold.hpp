// What is said of retention that lags behind the clock.
#pragma once

#include <chrono>

#include "base/instant.hpp"

namespace interline::engine {

/// The clock was set forward, or the machine slept: what is kept ends later than the clock says.
struct RetentionHold {
  SystemTime since{};                 ///< of the first step that counts, by the clock before it
  std::chrono::nanoseconds behind{};  ///< so much later
  std::chrono::nanoseconds left{};    ///< after that it is over by itself

  RetentionHold() = default;
};

}  // namespace interline::engine
