// The clock as a value that is passed in, so that tests decide what time it is.
#pragma once

#include <chrono>

#include "base/instant.hpp"

namespace interline {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Thread-safe. `now` is the wall clock, exact to what the system gives, and may be set back or
/// forward at any time; `steady` only grows, and is for measuring and waiting.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual SystemTime now() const = 0;
  [[nodiscard]] virtual SteadyTime steady() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] SystemTime now() const override { return std::chrono::system_clock::now(); }
  [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace interline
