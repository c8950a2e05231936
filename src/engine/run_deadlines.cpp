#include "engine/run_deadlines.hpp"

#include <algorithm>
#include <vector>

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

// A wall clock that was set is noticed by then.
constexpr std::chrono::nanoseconds kLongestWait = 1s;

}  // namespace

RunDeadlines::Entry::~Entry() {
  if (!of_) return;  // moved from
  const std::lock_guard lock(of_->mutex_);
  of_->waiting_.erase(at_);
}

RunDeadlines::Entry RunDeadlines::add(SystemTime due, const std::shared_ptr<TransientRun>& run) {
  const std::lock_guard lock(mutex_);
  const auto at = waiting_.emplace(due, run);
  if (due < armed_for_) arm();
  return {shared_from_this(), at};
}

void RunDeadlines::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  timer_.cancel();
}

void RunDeadlines::arm() {
  // Those that were due have been told, and go with whoever waits for them.
  const auto next =
      std::ranges::find_if(waiting_, [](const auto& entry) { return !entry.second.expired(); });
  if (stopped_ || next == waiting_.end()) {
    armed_for_ = SystemTime::max();
    return;
  }
  const SystemTime now = clock_.now();
  const auto wait = std::clamp<std::chrono::nanoseconds>(next->first - now, 0ns, kLongestWait);
  armed_for_ = now + wait;
  timer_.expires_after(wait);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) self->fire();
  });
}

void RunDeadlines::fire() {
  std::vector<std::shared_ptr<TransientRun>> due;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    const SystemTime now = clock_.now();
    for (auto at = waiting_.begin(); at != waiting_.end() && at->first <= now; ++at) {
      if (auto run = at->second.lock()) due.push_back(std::move(run));
      at->second.reset();
    }
    arm();
  }
  for (const auto& run : due) run->deadline_passed();
}

}  // namespace interline::engine
