// What time it is, and up to which instant what was to be kept may go: docs/decisions/0007.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "engine/retention_hold.hpp"
#include "store/work.hpp"

namespace interline::engine {

/// A wall clock that gains more than `kJump` on the steady one was set forward, or the machine
/// slept: which of the two, and which time is right, nobody here knows. So nothing that is kept
/// ends by that step: `kept` goes on as before it, until one of three agrees. The clock, by going
/// back; time, once the longest that anything is kept has passed since the step, so that all that
/// was there at it has had its whole time; an operator. Steps back are followed at once.
/// Thread-safe.
class RetentionClock {
 public:
  static constexpr std::chrono::nanoseconds kJump = std::chrono::minutes(5);

  /// The clock outlives this. `longest`: that anything is kept.
  RetentionClock(const Clock& clock, std::chrono::nanoseconds longest);

  /// To be asked regularly: a step is noticed when this is called.
  [[nodiscard]] store::CommitTime read();
  [[nodiscard]] SteadyTime steady() const { return clock_.steady(); }
  /// As of the last read().
  [[nodiscard]] std::optional<RetentionHold> hold() const;
  /// An operator's word: the clock is right.
  void trust();
  /// As an earlier process left it; `noted` is what the clock said when that was written. A clock
  /// that says less now was set back since.
  void resume(const RetentionHold& hold, SystemTime noted);

 private:
  struct Step {
    SystemTime since{};
    std::chrono::nanoseconds ahead{};
    SteadyTime until;
  };

  [[nodiscard]] static std::chrono::nanoseconds offset_of(SystemTime now, SteadyTime steady) {
    return now.time_since_epoch() - steady.time_since_epoch();
  }
  // With the lock held:
  void look(SystemTime now, SteadyTime steady);
  void take_back(std::chrono::nanoseconds by);
  [[nodiscard]] std::chrono::nanoseconds behind() const;

  const Clock& clock_;
  const std::chrono::nanoseconds longest_;
  mutable std::mutex mutex_;
  std::chrono::nanoseconds offset_;  // guarded by mutex_, as below
  std::vector<Step> steps_;          // oldest first; at most kMostSteps
};

}  // namespace interline::engine
