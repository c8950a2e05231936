#include "engine/retention_clock.hpp"

#include <algorithm>

namespace interline::engine {
namespace {

// More of them within the longest that anything is kept are counted as one.
constexpr std::size_t kMostSteps = 64;

}  // namespace

RetentionClock::RetentionClock(const Clock& clock, std::chrono::nanoseconds longest)
    : clock_(clock), longest_(longest), offset_(offset_of(clock.now(), clock.steady())) {}

std::chrono::nanoseconds RetentionClock::behind() const {
  std::chrono::nanoseconds all{};
  for (const Step& step : steps_) all += step.ahead;
  return all;
}

/// The clock went back: the newest steps were wrong first. A rest that is no jump is none.
void RetentionClock::take_back(std::chrono::nanoseconds by) {
  while (!steps_.empty() && by.count() > 0) {
    Step& newest = steps_.back();
    const std::chrono::nanoseconds part = std::min(by, newest.ahead);
    newest.ahead -= part;
    by -= part;
    if (newest.ahead.count() > 0) break;
    steps_.pop_back();
  }
  if (behind() <= kJump) steps_.clear();
}

void RetentionClock::look(SystemTime now, SteadyTime steady) {
  std::erase_if(steps_, [steady](const Step& step) { return step.until <= steady; });
  const std::chrono::nanoseconds offset = offset_of(now, steady);
  const std::chrono::nanoseconds ahead = offset - offset_;
  offset_ = offset;
  if (ahead.count() < 0) return take_back(-ahead);
  if (ahead <= kJump) return;  // small corrections are followed
  const SteadyTime until = steady + longest_;
  if (steps_.size() == kMostSteps) {
    steps_.back().ahead += ahead;
    steps_.back().until = until;
  } else {
    steps_.push_back(Step{now - ahead, ahead, until});
  }
}

store::CommitTime RetentionClock::read() {
  const std::lock_guard lock(mutex_);
  const SystemTime now = clock_.now();
  look(now, clock_.steady());
  return {now, now - behind()};
}

std::optional<RetentionHold> RetentionClock::hold() const {
  const std::lock_guard lock(mutex_);
  if (steps_.empty()) return std::nullopt;
  RetentionHold hold;
  hold.since = steps_.front().since;
  hold.behind = behind();
  hold.left = std::ranges::max(steps_, {}, &Step::until).until - clock_.steady();
  return hold;
}

void RetentionClock::trust() {
  const std::lock_guard lock(mutex_);
  offset_ = offset_of(clock_.now(), clock_.steady());
  steps_.clear();
}

void RetentionClock::resume(const RetentionHold& hold, SystemTime noted) {
  const std::lock_guard lock(mutex_);
  const SystemTime now = clock_.now();
  const SteadyTime steady = clock_.steady();
  look(now, steady);
  steps_.insert(steps_.begin(),
                Step{hold.since, hold.behind, steady + std::min(hold.left, longest_)});
  if (now < noted) take_back(noted - now);
}

}  // namespace interline::engine
