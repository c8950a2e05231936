// What the builtin agent has beside calls in progress: who listens to it, and what can be
// different.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "engine/consultation.hpp"

namespace interline::runtimes::builtin {

/// Thread-safe.
class Agent {
 public:
  void listen(std::function<void(const engine::AgentChange&)> listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }
  void follow(const std::string& uri, bool is) {
    const std::lock_guard lock(mutex_);
    if (is) {
      followed_.insert(uri);
    } else {
      followed_.erase(uri);
    }
  }
  /// Makes it different and says so: tools are one more or one less, a resource is counted up, and
  /// only followers hear of that.
  void change(engine::ChangeKind kind, const std::string& uri) {
    std::function<void(const engine::AgentChange&)> tell;
    {
      const std::lock_guard lock(mutex_);
      if (kind == engine::ChangeKind::tools) grown_ = !grown_;
      if (kind == engine::ChangeKind::resource) ++count_;
      if (kind != engine::ChangeKind::resource || followed_.contains(uri)) tell = listener_;
    }
    if (tell) tell({kind, uri});
  }
  /// Whether it has its one tool more.
  [[nodiscard]] bool grown() const {
    const std::lock_guard lock(mutex_);
    return grown_;
  }
  [[nodiscard]] std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  mutable std::mutex mutex_;
  std::function<void(const engine::AgentChange&)> listener_;  // guarded by mutex_, as below
  std::set<std::string> followed_;
  std::uint64_t count_ = 0;
  bool grown_ = false;
};

}  // namespace interline::runtimes::builtin
