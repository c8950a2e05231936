// Ends what is past its retention, a bounded number of rows at a time.
#pragma once

#include <cstddef>

#include "store/sqlite/audit_table.hpp"
#include "store/sqlite/task_table.hpp"
#include "store/sqlite/totals.hpp"

namespace interline::store {

/// The committer's thread only. Everything throws SqliteError or CorruptRow.
class Purger {
 public:
  Purger(const Connection& connection, TaskTable& tasks, Totals& totals, AuditTable& audit);

  /// Tasks and totals are to be flushed before, and totals after. How many rows went, log entries
  /// included; less than `limit` if nothing is left to go now.
  [[nodiscard]] std::size_t run(SystemTime kept, std::size_t limit);

 private:
  [[nodiscard]] std::size_t rest_of_logs(std::size_t most);
  [[nodiscard]] std::size_t settled_tasks(SystemTime kept, std::size_t most);
  [[nodiscard]] std::size_t claims(SystemTime kept, std::size_t most);
  [[nodiscard]] std::size_t records(SystemTime kept, std::size_t most);
  /// A claim whose task is kept lives on: looked at again at the time given.
  [[nodiscard]] std::optional<SystemTime> life_of(std::string_view task, SystemTime kept);

  TaskTable& tasks_;
  Totals& totals_;
  AuditTable& audit_;

  Statement select_settled_;
  Statement delete_log_;
  Statement delete_artifacts_;
  Statement delete_records_of_task_;
  Statement remember_rest_;
  Statement select_rest_;
  Statement advance_rest_;
  Statement forget_rest_;
  Statement select_claims_;
  Statement select_life_;
  Statement delete_claim_;
  Statement extend_claim_;
  Statement select_records_;
  Statement delete_record_;
};

}  // namespace interline::store
