// Binding records as the writer changes them: first every expectation, then every change.
#pragma once

#include <span>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/task_table.hpp"
#include "store/work.hpp"

namespace interline::store {

/// The committer's thread only. Everything throws SqliteError or CorruptRow.
class RecordTable {
 public:
  RecordTable(const Connection& connection, TaskTable& tasks);

  /// Whether these changes can be made: conflict (an expectation is not met), not_found (a record
  /// names a task that is not kept). `admitting` is the id of a task about to be made, or "".
  [[nodiscard]] Result<void> check(std::span<const RecordChange> changes,
                                   std::string_view admitting, SystemTime kept);
  /// After check.
  void write(std::span<const RecordChange> changes);

 private:
  [[nodiscard]] bool present(const Record& record, SystemTime kept);
  void put(const Record& record);

  TaskTable& tasks_;
  Statement select_;
  Statement put_;
  Statement drop_;
};

}  // namespace interline::store
