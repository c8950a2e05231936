// A clock for tests: time passes when the test says so.
#pragma once

#include <atomic>

#include "base/clock.hpp"

namespace interline {

/// Starts at 2026-01-01T00:00:00Z. Thread-safe.
class ManualClock final : public Clock {
 public:
  ManualClock() : ManualClock(std::chrono::sys_days(std::chrono::January / 1 / 2026)) {}
  explicit ManualClock(SystemTime now) : now_(now.time_since_epoch().count()) {}

  [[nodiscard]] SystemTime now() const override {
    return SystemTime(std::chrono::nanoseconds(now_.load()));
  }
  [[nodiscard]] SteadyTime steady() const override {
    return SteadyTime(std::chrono::nanoseconds(steady_.load()));
  }

  /// Time passes, on both clocks.
  void tick(std::chrono::nanoseconds by) {
    now_ += by.count();
    steady_ += by.count();
  }
  /// Somebody sets the wall clock, back or forward.
  void set(SystemTime now) { now_ = now.time_since_epoch().count(); }

 private:
  std::atomic<std::int64_t> now_;
  std::atomic<std::int64_t> steady_{0};
};

}  // namespace interline
