#include "engine/watch_hub.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

constexpr std::size_t kReadAtOnce = 64;

Error closed() {
  return {ErrorKind::unavailable, "The gateway is about to end."};
}

}  // namespace

struct WatchHub::State {
  State(store::Store& a_store, std::size_t a_maximum) : store(a_store), maximum(a_maximum) {}

  store::Store& store;
  const std::size_t maximum;
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<Follower*>> followers;  // guarded by mutex, as below
  std::size_t count = 0;
  bool closed = false;
};

class WatchHub::Follower final : public Watch {
 public:
  Follower(std::shared_ptr<State> hub, std::string task)
      : hub_(std::move(hub)), task_(std::move(task)) {}
  ~Follower() override { leave(); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  [[nodiscard]] const tasks::Task& snapshot() const override { return *snapshot_; }

  [[nodiscard]] boost::asio::awaitable<Result<std::optional<tasks::LogEntry>>> next() override {
    using Next = Result<std::optional<tasks::LogEntry>>;
    for (;;) {
      const Known known = look();
      if (known.stopped) co_return Next(std::nullopt);
      if (!read_.empty()) {
        tasks::LogEntry entry = std::move(read_.front());
        read_.pop_front();
        position_ = entry.sequence;
        co_return Next(std::move(entry));
      }
      if (known.closed) co_return std::unexpected(closed());
      if (position_ >= known.sequence) {
        if (known.over) co_return Next(std::nullopt);
        co_await newer_than(position_);
        continue;
      }
      auto entries = hub_->store.log(task_, position_, kReadAtOnce);
      if (!entries) co_return std::unexpected(std::move(entries.error()));
      if (entries->empty()) co_return Next(std::nullopt);  // purged
      read_.assign(std::make_move_iterator(entries->begin()),
                   std::make_move_iterator(entries->end()));
    }
  }

  void stop() override {
    update([](Known& known) { known.stopped = true; });
  }

  /// resource_constraint; unavailable.
  [[nodiscard]] Result<void> join() {
    const std::lock_guard lock(hub_->mutex);
    if (hub_->closed) return std::unexpected(closed());
    if (hub_->count >= hub_->maximum) {
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "Too many tasks are being followed.");
    }
    hub_->followers[task_].push_back(this);
    ++hub_->count;
    return {};
  }

  void begin(tasks::Task snapshot, tasks::Sequence after) {
    tell(snapshot);
    position_ = after == kFromSnapshot ? snapshot.sequence : after;
    snapshot_ = std::move(snapshot);
  }

  /// Any thread.
  void tell(const tasks::Task& task) {
    update([&task](Known& known) {
      known.sequence = std::max(known.sequence, task.sequence);
      known.over = known.over || tasks::is_terminal(task.state);
    });
  }
  void close() {
    update([](Known& known) { known.closed = true; });
  }

 private:
  using Resume = std::move_only_function<void(int)>;
  struct Known {
    tasks::Sequence sequence = 0;
    bool over = false;
    bool stopped = false;  // by its owner
    bool closed = false;   // by the hub
  };

  template <class Change>
  void update(Change change) {
    Resume resume;
    {
      const std::lock_guard lock(mutex_);
      change(known_);
      resume = std::exchange(resume_, nullptr);
    }
    if (resume) resume(0);
  }

  [[nodiscard]] Known look() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

  [[nodiscard]] boost::asio::awaitable<void> newer_than(tasks::Sequence position) {
    auto start = [this, position](Resume resume) {
      {
        const std::lock_guard lock(mutex_);
        const bool ended = known_.over || known_.stopped || known_.closed;
        if (known_.sequence <= position && !ended) {
          resume_ = std::move(resume);
          return;
        }
      }
      resume(0);
    };
    const int ignored = co_await suspend<int>(std::move(start));
    (void)ignored;
  }

  void leave() {
    const std::lock_guard lock(hub_->mutex);
    const auto found = hub_->followers.find(task_);
    if (found == hub_->followers.end()) return;
    hub_->count -= std::erase(found->second, this);
    if (found->second.empty()) hub_->followers.erase(found);
  }

  const std::shared_ptr<State> hub_;
  const std::string task_;
  std::optional<tasks::Task> snapshot_;
  tasks::Sequence position_ = 0;
  std::deque<tasks::LogEntry> read_;

  std::mutex mutex_;
  Known known_;    // guarded by mutex_
  Resume resume_;  // guarded by mutex_
};

WatchHub::WatchHub(store::Store& store, std::size_t maximum)
    : state_(std::make_shared<State>(store, maximum)) {}

WatchHub::~WatchHub() {
  close();
}

Result<std::unique_ptr<Watch>> WatchHub::follow(const std::string& task, tasks::Sequence after) {
  auto follower = std::make_unique<Follower>(state_, task);
  if (Result<void> joined = follower->join(); !joined) {
    return std::unexpected(std::move(joined.error()));
  }
  auto snapshot = state_->store.task(task);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  if (!*snapshot) return fail(ErrorKind::not_found, "No such task.");
  follower->begin(**std::move(snapshot), after);
  return follower;
}

void WatchHub::committed(const tasks::Task& task) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->followers.find(task.id());
  if (found == state_->followers.end()) return;
  for (Follower* follower : found->second) follower->tell(task);
}

std::size_t WatchHub::count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->count;
}

void WatchHub::close() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  for (const auto& [task, followers] : state_->followers) {
    for (Follower* follower : followers) follower->close();
  }
}

}  // namespace interline::engine
