#include "store/sqlite/record_table.hpp"

namespace interline::store {

RecordTable::RecordTable(const Connection& connection, TaskTable& tasks)
    : tasks_(tasks),
      select_(connection,
              "SELECT expires FROM records WHERE binding = ?1 AND kind = ?2 AND key = ?3"),
      put_(connection,
           "INSERT INTO records (binding, kind, key, owner, task, expires, bytes)"
           " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
           " ON CONFLICT (binding, kind, key) DO UPDATE SET owner = ?4, task = ?5, expires = ?6,"
           " bytes = ?7"),
      drop_(connection, "DELETE FROM records WHERE binding = ?1 AND kind = ?2 AND key = ?3") {}

/// A record past its expiry is gone, whether or not it was purged yet.
bool RecordTable::present(const Record& record, SystemTime kept) {
  Rows rows = select_.rows(record.binding, record.kind, record.key);
  return rows.next() && (rows.is_null(0) || rows.time(0) > kept);
}

Result<void> RecordTable::check(std::span<const RecordChange> changes, std::string_view admitting,
                                SystemTime kept) {
  for (const RecordChange& change : changes) {
    const Record& record = change.record;
    const bool named = !change.drop && !record.task.empty() && record.task != admitting;
    if (named && tasks_.find(record.task) == nullptr) {
      return fail(ErrorKind::not_found, "A record names a task that is not kept.");
    }
    if (change.expect == Expect::anything) continue;
    if (present(record, kept) != (change.expect == Expect::present)) {
      return fail(ErrorKind::conflict, change.expect == Expect::present
                                           ? "A record that was expected is not there."
                                           : "A record that was not expected is there.");
    }
  }
  return {};
}

void RecordTable::write(std::span<const RecordChange> changes) {
  for (const RecordChange& change : changes) {
    if (change.drop) {
      drop_.run(change.record.binding, change.record.kind, change.record.key);
    } else {
      put(change.record);
    }
  }
}

void RecordTable::put(const Record& record) {
  std::int64_t task = 0;
  if (!record.task.empty()) {
    const TaskRow* row = tasks_.find(record.task);
    if (row == nullptr) throw CorruptRow("a record's task went between its check and its write");
    task = row->number;
  }
  put_.run(record.binding, record.kind, record.key, record.owner, task, record.expires,
           Blob{record.bytes});
}

}  // namespace interline::store
