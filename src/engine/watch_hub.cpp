#include "engine/watch_hub.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

constexpr std::size_t kReadAtOnce = 64;

}  // namespace

class WatchHub::Follower final : public Watch {
 public:
  Follower(WatchHub& hub, std::string task, tasks::Sequence after)
      : hub_(hub), task_(std::move(task)), position_(after) {}
  ~Follower() override { hub_.forget(task_, this); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  [[nodiscard]] const tasks::Task& snapshot() const override { return *snapshot_; }

  [[nodiscard]] boost::asio::awaitable<Result<std::optional<tasks::LogEntry>>> next() override {
    using Next = Result<std::optional<tasks::LogEntry>>;
    for (;;) {
      if (!read_.empty()) {
        tasks::LogEntry entry = std::move(read_.front());
        read_.pop_front();
        position_ = entry.sequence;
        co_return Next(std::move(entry));
      }
      const Known known = look();
      if (known.stopped) co_return Next(std::nullopt);
      if (position_ >= known.sequence) {
        if (known.over) co_return Next(std::nullopt);
        co_await newer_than(position_);
        continue;
      }
      auto entries = hub_.store_.log(task_, position_, kReadAtOnce);
      if (!entries) co_return std::unexpected(std::move(entries.error()));
      if (entries->empty()) co_return Next(std::nullopt);  // purged
      read_.assign(std::make_move_iterator(entries->begin()),
                   std::make_move_iterator(entries->end()));
    }
  }

  void stop() override {
    Resume resume;
    {
      const std::lock_guard lock(mutex_);
      known_.stopped = true;
      resume = std::exchange(resume_, nullptr);
    }
    if (resume) resume(0);
  }

  void begin(tasks::Task snapshot) {
    tell(snapshot);
    position_ = std::max(position_, snapshot.sequence);
    snapshot_ = std::move(snapshot);
  }

  /// Any thread.
  void tell(const tasks::Task& task) {
    Resume resume;
    {
      const std::lock_guard lock(mutex_);
      known_.sequence = std::max(known_.sequence, task.sequence);
      known_.over = known_.over || tasks::is_terminal(task.state);
      resume = std::exchange(resume_, nullptr);
    }
    if (resume) resume(0);
  }

 private:
  using Resume = std::move_only_function<void(int)>;
  struct Known {
    tasks::Sequence sequence = 0;
    bool over = false;
    bool stopped = false;  // by its owner
  };

  [[nodiscard]] Known look() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

  [[nodiscard]] boost::asio::awaitable<void> newer_than(tasks::Sequence position) {
    auto start = [this, position](Resume resume) {
      {
        const std::lock_guard lock(mutex_);
        if (known_.sequence <= position && !known_.over && !known_.stopped) {
          resume_ = std::move(resume);
          return;
        }
      }
      resume(0);
    };
    const int ignored = co_await suspend<int>(std::move(start));
    (void)ignored;
  }

  WatchHub& hub_;
  const std::string task_;
  std::optional<tasks::Task> snapshot_;
  tasks::Sequence position_;
  std::deque<tasks::LogEntry> read_;

  std::mutex mutex_;
  Known known_;    // guarded by mutex_
  Resume resume_;  // guarded by mutex_
};

WatchHub::WatchHub(store::Store& store, std::size_t maximum) : store_(store), maximum_(maximum) {}
WatchHub::~WatchHub() = default;

Result<std::unique_ptr<Watch>> WatchHub::follow(const std::string& task, tasks::Sequence after) {
  auto follower = std::make_unique<Follower>(*this, task, after);
  {
    const std::lock_guard lock(mutex_);
    if (count_ >= maximum_) {
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "Too many tasks are being followed.");
    }
    followers_[task].push_back(follower.get());
    ++count_;
  }
  auto snapshot = store_.task(task);
  if (!snapshot) return std::unexpected(std::move(snapshot.error()));
  if (!*snapshot) return fail(ErrorKind::not_found, "No such task.");
  follower->begin(**std::move(snapshot));
  return follower;
}

void WatchHub::committed(const tasks::Task& task) {
  const std::lock_guard lock(mutex_);
  const auto found = followers_.find(task.id());
  if (found == followers_.end()) return;
  for (Follower* follower : found->second) follower->tell(task);
}

std::size_t WatchHub::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void WatchHub::forget(const std::string& task, const Follower* follower) {
  const std::lock_guard lock(mutex_);
  const auto found = followers_.find(task);
  if (found == followers_.end()) return;
  count_ -= std::erase(found->second, follower);
  if (found->second.empty()) followers_.erase(found);
}

}  // namespace interline::engine
