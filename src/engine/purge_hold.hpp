// Whether the wall clock may be believed where it ends what was promised to be kept.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "base/clock.hpp"

namespace interline::engine {

/// A wall clock that runs ahead of the steady one by more than `kJump` was set (or the machine
/// slept): nothing is purged on its word until one of three agrees. The clock itself, by going
/// back; time, once as much of it has passed as the clock was set forward, or the whole retention;
/// an operator. Thread-safe.
class PurgeHold {
 public:
  static constexpr std::chrono::nanoseconds kJump = std::chrono::minutes(5);

  PurgeHold(const Clock& clock, std::chrono::nanoseconds retention)
      : retention_(retention), offset_(offset_of(clock)) {}

  /// To be asked regularly; whether it may be purged now.
  [[nodiscard]] bool may_purge(const Clock& clock) {
    const std::lock_guard lock(mutex_);
    const std::chrono::nanoseconds offset = offset_of(clock);
    const std::chrono::nanoseconds ahead = offset - offset_;
    if (ahead <= kJump) {
      offset_ = offset;  // small corrections are followed, and every step back
      until_.reset();
      return true;
    }
    const SteadyTime now = clock.steady();
    if (!until_ || ahead > ahead_ + kJump) {
      until_ = now + std::chrono::duration_cast<SteadyTime::duration>(std::min(ahead, retention_));
      ahead_ = ahead;
    }
    if (now < *until_) return false;
    offset_ = offset;
    until_.reset();
    return true;
  }

  /// An operator's word: the clock is right.
  void trust(const Clock& clock) {
    const std::lock_guard lock(mutex_);
    offset_ = offset_of(clock);
    until_.reset();
  }

 private:
  [[nodiscard]] static std::chrono::nanoseconds offset_of(const Clock& clock) {
    return clock.now().time_since_epoch() - clock.steady().time_since_epoch();
  }

  const std::chrono::nanoseconds retention_;
  std::mutex mutex_;
  std::chrono::nanoseconds offset_;  // of the clock that is believed; guarded by mutex_, as below
  std::chrono::nanoseconds ahead_{};
  std::optional<SteadyTime> until_;
};

}  // namespace interline::engine
