#include "engine/committer.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/teller.hpp"

namespace interline::engine {
namespace {

struct Waiting {
  store::Work work;
  Committer::Done done;
  std::size_t bytes;
};

/// What a work holds, roughly: its long texts.
class SizeOf {
 public:
  std::size_t operator()(const store::Admit& work) const {
    const tasks::Admission& made = *work.admission;
    std::size_t prepared = work.prepared ? work.prepared->size() : 0;
    for (const tasks::Answer& answer : work.answers) prepared += kEach + answer.value.size();
    return kEach + made.arguments.size() + made.metadata.size() + prepared + records(work.records);
  }
  std::size_t operator()(const store::Apply& work) const {
    return kEach + std::visit(*this, work.command) + records(work.records);
  }
  std::size_t operator()(const store::ChangeRecords& work) const {
    return kEach + records(work.records);
  }
  std::size_t operator()(const store::RegisterVersion& work) const {
    return kEach + work.manifest.size() + work.loss_report.size();
  }
  std::size_t operator()(const store::Audit& work) const { return kEach + work.body.size(); }
  template <class Other>
  requires requires(const Other& work) { work.answer; }
  std::size_t operator()(const Other&) const { return kEach; }

  std::size_t operator()(const tasks::Complete& command) const { return command.result.size(); }
  std::size_t operator()(const tasks::Output& command) const { return command.chunk.parts.size(); }
  std::size_t operator()(const tasks::Note& command) const { return command.body.size(); }
  std::size_t operator()(const tasks::Remember& command) const { return command.memory.size(); }
  std::size_t operator()(const tasks::GiveInput& command) const {
    std::size_t bytes = 0;
    for (const tasks::Answer& answer : command.answers) bytes += answer.value.size();
    return bytes;
  }
  std::size_t operator()(const tasks::Ask& command) const {
    std::size_t bytes = command.state ? command.state->size() : 0;
    for (const tasks::Question& question : command.questions) {
      bytes += question.text.size() + question.schema.size();
    }
    return bytes;
  }
  template <class Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }

 private:
  static constexpr std::size_t kEach = 512;
  static std::size_t records(const std::vector<store::RecordChange>& changes) {
    std::size_t bytes = 0;
    for (const store::RecordChange& change : changes) bytes += change.record.bytes.size();
    return bytes;
  }
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
  State(store::Store& a_store, RetentionClock& a_clock, const CommitterLimits& some_limits,
        std::function<void()> when_uncertain)
      : store(a_store),
        clock(a_clock),
        limits(some_limits),
        on_uncertain(std::move(when_uncertain)) {}

  void run();
  void take_group();
  void commit_group();

  store::Store& store;
  RetentionClock& clock;
  const CommitterLimits limits;
  std::function<void()> on_uncertain;

  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Waiting> queue;  // guarded by mutex, as all below
  bool stopping = false;
  bool uncertain = false;
  Statistics counted;

  // The committer's thread alone:
  Teller::Group group;
  Teller teller;

  std::jthread thread;
};

void Committer::State::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return stopping || !queue.empty(); });
      if (queue.empty()) return;
      take_group();
    }
    commit_group();
  }
}

/// With the lock held.
void Committer::State::take_group() {
  std::size_t bytes = 0;
  while (!queue.empty() && group.works.size() < limits.group) {
    Waiting& next = queue.front();
    if (!group.works.empty() && bytes + next.bytes > limits.group_bytes) break;
    bytes += next.bytes;
    group.works.push_back(std::move(next.work));
    group.callbacks.push_back(std::move(next.done));
    queue.pop_front();
  }
  counted.waiting_bytes -= bytes;
  counted.groups += 1;
  counted.works += group.works.size();
  counted.group_sizes.add(static_cast<double>(group.works.size()));
}

void Committer::State::commit_group() {
  bool lost = false;
  {
    const std::lock_guard lock(mutex);
    lost = uncertain;
  }
  const SteadyTime begun = clock.steady();
  const store::GroupEnd end =
      lost ? store::GroupEnd::refused : store.commit(group.works, clock.read());
  const std::chrono::duration<double> taken = clock.steady() - begun;
  if (end != store::GroupEnd::committed) std::ranges::for_each(group.works, answer_unavailable);
  bool idle = false;
  {
    const std::lock_guard lock(mutex);
    counted.commit_times.add(taken.count());
    if (end != store::GroupEnd::committed) counted.refused += group.works.size();
    if (end == store::GroupEnd::uncertain) uncertain = true;
    idle = queue.empty();
  }
  if (end == store::GroupEnd::uncertain) on_uncertain();
  // Where nothing waits, the next group is made of what those who are told now do next.
  teller.tell(std::exchange(group, {}), idle);
}

Committer::Committer(store::Store& store, RetentionClock& clock, const CommitterLimits& limits,
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
  state_->teller.stop();
}

Result<void> Committer::submit(store::Work work, Urgency urgency, Done done) {
  State& state = *state_;
  const std::size_t bytes = std::visit(SizeOf(), work);
  {
    const std::lock_guard lock(state.mutex);
    if (state.uncertain || state.stopping) return std::unexpected(not_committed());
    const CommitterLimits& limits = state.limits;
    const bool first = urgency == Urgency::essential;
    const std::size_t places = first ? limits.waiting : limits.waiting - limits.reserved;
    const std::size_t room = first ? limits.waiting_bytes : limits.waiting_bytes / 2;
    // A work larger than all of the room is taken by an empty queue.
    const bool fits = state.queue.empty() || state.counted.waiting_bytes + bytes <= room;
    if (state.queue.size() >= places || !fits) {
      ++state.counted.refused;
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "Too much work is waiting to be committed; try again later.");
    }
    state.queue.push_back(Waiting{std::move(work), std::move(done), bytes});
    state.counted.waiting_bytes += bytes;
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
