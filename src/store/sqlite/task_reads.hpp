// What readers ask of tasks one at a time, or in the order of time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/sqlite/connection.hpp"
#include "store/store.hpp"

namespace interline::store {

/// One reader connection's. Everything throws SqliteError or CorruptRow.
class TaskReads {
 public:
  explicit TaskReads(const Connection& connection);

  [[nodiscard]] std::optional<tasks::Task> task(std::string_view id);
  [[nodiscard]] std::optional<Replay> replay(std::string_view scope, std::string_view key,
                                             SystemTime kept);
  [[nodiscard]] std::vector<tasks::LogEntry> log(std::string_view task, tasks::Sequence after,
                                                 std::size_t limit);
  [[nodiscard]] std::vector<Artifact> artifacts(std::string_view task);
  [[nodiscard]] std::vector<std::pair<SystemTime, std::string>> due_before(SystemTime horizon);
  [[nodiscard]] std::vector<std::string> open_tasks(std::string_view after, std::size_t limit);

 private:
  Statement select_task_;
  Statement select_replay_;
  Statement select_log_;
  Statement select_artifacts_;
  Statement select_due_;
  Statement select_open_;
};

}  // namespace interline::store
