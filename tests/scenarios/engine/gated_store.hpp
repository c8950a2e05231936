// A store that refuses works when the test says so, as a full disk or a failing one would, and that
// keeps commits waiting as a slow one would.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "store/store.hpp"

namespace interline::testing {

class GatedStore final : public store::Store {
 public:
  explicit GatedStore(std::unique_ptr<store::Store> inner) : inner_(std::move(inner)) {}

  /// The next `times` groups that hold such a work are refused as a whole.
  void refuse(int times, std::function<bool(const store::Work&)> such) {
    const std::lock_guard lock(mutex_);
    times_ = times;
    such_ = std::move(such);
  }
  /// The next group that holds such a work is not committed before let_go().
  void hold(std::function<bool(const store::Work&)> such) {
    const std::lock_guard lock(mutex_);
    held_ = std::move(such);
  }
  /// Waits until a group is held; throws after a minute.
  void wait_for_held() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [this] { return holding_; })) {
      throw std::runtime_error("no such group came in a minute");
    }
  }
  void let_go() {
    {
      const std::lock_guard lock(mutex_);
      held_ = {};
      holding_ = false;
    }
    changed_.notify_all();
  }
  [[nodiscard]] int left_to_refuse() const {
    const std::lock_guard lock(mutex_);
    return times_;
  }

  store::GroupEnd commit(std::span<store::Work> group, store::CommitTime time) override {
    {
      std::unique_lock lock(mutex_);
      if (held_ && std::ranges::any_of(group, held_)) {
        holding_ = true;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !holding_; });
      }
      if (times_ > 0 && std::ranges::any_of(group, such_)) {
        --times_;
        return store::GroupEnd::refused;
      }
    }
    return inner_->commit(group, time);
  }

  Result<std::optional<tasks::Task>> task(std::string_view id) override { return inner_->task(id); }
  Result<std::optional<store::Replay>> replay(std::string_view scope, std::string_view key,
                                              SystemTime kept) override {
    return inner_->replay(scope, key, kept);
  }
  Result<std::vector<tasks::LogEntry>> log(std::string_view task, tasks::Sequence after,
                                           std::size_t limit) override {
    return inner_->log(task, after, limit);
  }
  Result<std::vector<store::Artifact>> artifacts(std::string_view task) override {
    return inner_->artifacts(task);
  }
  Result<store::TaskPage> list_tasks(const store::TaskQuery& query) override {
    return inner_->list_tasks(query);
  }
  Result<std::vector<std::pair<SystemTime, std::string>>> due_before(SystemTime horizon) override {
    return inner_->due_before(horizon);
  }
  Result<std::vector<std::string>> open_tasks(std::string_view after, std::size_t limit) override {
    return inner_->open_tasks(after, limit);
  }
  Result<std::optional<store::Record>> record(const store::RecordKey& key) override {
    return inner_->record(key);
  }
  Result<std::vector<store::Record>> records(std::string_view binding, std::string_view kind,
                                             std::string_view after, std::size_t limit) override {
    return inner_->records(binding, kind, after, limit);
  }
  Result<std::vector<store::Record>> records_of_task(std::string_view task,
                                                     std::string_view binding) override {
    return inner_->records_of_task(task, binding);
  }
  Result<std::vector<store::Record>> records_of_owner(std::string_view owner,
                                                      std::string_view binding,
                                                      std::string_view kind, std::string_view after,
                                                      std::size_t limit) override {
    return inner_->records_of_owner(owner, binding, kind, after, limit);
  }
  Result<std::vector<store::EndpointRow>> endpoints(std::string_view after,
                                                    std::size_t limit) override {
    return inner_->endpoints(after, limit);
  }
  Result<std::vector<store::VersionRow>> versions(std::string_view endpoint) override {
    return inner_->versions(endpoint);
  }
  Result<std::optional<std::string>> manifest(std::string_view endpoint,
                                              std::string_view version) override {
    return inner_->manifest(endpoint, version);
  }
  Result<std::string> loss_report(std::string_view endpoint, std::string_view version) override {
    return inner_->loss_report(endpoint, version);
  }
  Result<std::vector<store::AuditRow>> audit(std::string_view tenant, std::uint64_t after,
                                             std::size_t limit) override {
    return inner_->audit(tenant, after, limit);
  }
  [[nodiscard]] std::uint64_t boot() const override { return inner_->boot(); }

 private:
  const std::unique_ptr<store::Store> inner_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<bool(const store::Work&)> such_;  // guarded by mutex_, as below
  int times_ = 0;
  std::function<bool(const store::Work&)> held_;
  bool holding_ = false;
};

/// Whether a work applies a command of this kind.
template <class Kind>
bool applies(const store::Work& work) {
  const auto* apply = std::get_if<store::Apply>(&work);
  return apply != nullptr && std::holds_alternative<Kind>(apply->command);
}

}  // namespace interline::testing
