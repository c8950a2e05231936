// Tasks as they were last committed, the least recently used ones dropped: what the writer need
// not read again.
#pragma once

#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

#include "store/sqlite/task_row.hpp"

namespace interline::store {

/// Roughly what a task takes in memory, its shared admission included.
[[nodiscard]] std::size_t memory_of(const tasks::Task& task);

/// The committer's thread only.
class TaskCache {
 public:
  explicit TaskCache(std::size_t bytes) : limit_(bytes) {}

  /// Until the next put. nullptr if it is not here.
  [[nodiscard]] const TaskRow* find(std::string_view id);
  /// Adds or replaces; what no longer fits is dropped, but never the newest.
  const TaskRow& put(TaskRow row);
  void erase(std::string_view id);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    TaskRow row;
    std::size_t bytes;
  };
  using Entries = std::list<Entry>;  // most recently used first

  const std::size_t limit_;
  std::size_t bytes_ = 0;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> index_;  // keys are views of admissions
};

}  // namespace interline::store
