#include "engine/committer.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace interline::engine {
namespace {

struct Waiting {
  store::Work work;
  Committer::Done done;
};

Error not_committed() {
  return {ErrorKind::unavailable,
          "The store could not commit this; repeat the same request later."};
}

/// Gives a work whose group was not committed its answer.
void answer_unavailable(store::Work& work) {
  std::visit([](auto& kind) { kind.answer = std::unexpected(not_committed()); }, work);
}

}  // namespace

struct Committer::State {
  State(store::Store& a_store, const Clock& a_clock, const CommitterLimits& some_limits,
        std::function<void()> when_uncertain)
      : store(a_store),
        clock(a_clock),
        limits(some_limits),
        on_uncertain(std::move(when_uncertain)) {}

  void run();
  void commit_group();

  store::Store& store;
  const Clock& clock;
  const CommitterLimits limits;
  std::function<void()> on_uncertain;

  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Waiting> queue;  // guarded by mutex, as all below
  bool stopping = false;
  bool uncertain = false;
  Statistics counted;

  // The committer's thread alone:
  std::vector<store::Work> group;
  std::vector<Done> callbacks;
  SystemTime last{};

  std::jthread thread;
};

void Committer::State::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return stopping || !queue.empty(); });
      if (queue.empty()) return;
      const std::size_t count = std::min(queue.size(), limits.group);
      for (std::size_t i = 0; i < count; ++i) {
        group.push_back(std::move(queue.front().work));
        callbacks.push_back(std::move(queue.front().done));
        queue.pop_front();
      }
      counted.groups += 1;
      counted.works += count;
    }
    commit_group();
  }
}

void Committer::State::commit_group() {
  last = std::max(last, clock.now());  // an instant once committed is never undercut
  bool lost = false;
  {
    const std::lock_guard lock(mutex);
    lost = uncertain;
  }
  const store::GroupEnd end = lost ? store::GroupEnd::refused : store.commit(group, last);
  if (end != store::GroupEnd::committed) std::ranges::for_each(group, answer_unavailable);
  if (end == store::GroupEnd::uncertain) {
    {
      const std::lock_guard lock(mutex);
      uncertain = true;
    }
    on_uncertain();
  }
  for (std::size_t i = 0; i < group.size(); ++i) callbacks[i](group[i]);
  group.clear();
  callbacks.clear();
}

Committer::Committer(store::Store& store, const Clock& clock, const CommitterLimits& limits,
                     std::function<void()> on_uncertain)
    : state_(std::make_unique<State>(store, clock, limits, std::move(on_uncertain))) {
  state_->thread = std::jthread([state = state_.get()] { state->run(); });
}

Committer::~Committer() {
  stop();
}

void Committer::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_one();
  if (state_->thread.joinable()) state_->thread.join();
}

Result<void> Committer::submit(store::Work work, Urgency urgency, Done done) {
  State& state = *state_;
  {
    const std::lock_guard lock(state.mutex);
    if (state.uncertain || state.stopping) return std::unexpected(not_committed());
    const std::size_t places = urgency == Urgency::essential
                                   ? state.limits.waiting
                                   : state.limits.waiting - state.limits.reserved;
    if (state.queue.size() >= places) {
      ++state.counted.refused;
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "Too much work is waiting to be committed; try again later.");
    }
    state.queue.push_back(Waiting{std::move(work), std::move(done)});
  }
  state.wake.notify_one();
  return {};
}

Committer::Statistics Committer::statistics() const {
  const std::lock_guard lock(state_->mutex);
  Statistics statistics = state_->counted;
  statistics.waiting = state_->queue.size();
  return statistics;
}

}  // namespace interline::engine
