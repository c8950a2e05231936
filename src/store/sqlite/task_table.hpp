// The writer's tasks: rows as the group has made them so far, over rows as they were committed.
// Log entries are written as they come, rows once at the end of the group.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/sqlite/task_cache.hpp"
#include "tasks/apply.hpp"

namespace interline::store {

/// The committer's thread only. Everything throws SqliteError or CorruptRow.
class TaskTable {
 public:
  TaskTable(const Connection& connection, std::size_t cache_bytes);

  /// As of this point in the group; nullptr if there is none. Until the next call.
  [[nodiscard]] const TaskRow* find(std::string_view id);
  /// A new one; its number is given here.
  const TaskRow& insert(tasks::Task task, std::int64_t owner, std::int64_t context,
                        std::int64_t version);
  /// Makes `outcome.next`, its entry and its chunk what is stored. `row` is what find() gave.
  void update(const TaskRow& row, const tasks::Outcome& outcome);
  /// Takes the row out; log and artifacts are the purge's own affair.
  void remove(std::string_view id, std::int64_t number);

  /// Writes what has gathered. Afterwards SQL sees what find() sees.
  void flush();
  /// The group is on disk, or is not.
  void committed();
  void rolled_back();

  [[nodiscard]] const TaskCache& cache() const { return cache_; }

 private:
  /// What of a row is in an index, as the database has it.
  struct Indexed {
    tasks::State state;
    SystemTime updated;
    std::optional<SystemTime> due;
    SystemTime retain_until;

    explicit Indexed(const tasks::Task& task)
        : state(task.state),
          updated(task.updated),
          due(task.due()),
          retain_until(task.retain_until) {}
  };
  struct Changed {
    TaskRow row;
    Indexed stored;
    bool fresh = false;    ///< not yet in the database
    bool dirty = true;     ///< not yet written since it changed
    bool details = false;  ///< these too

    Changed(TaskRow the_row, const Indexed& as_stored)
        : row(std::move(the_row)), stored(as_stored) {}
  };

  Changed& changed(const TaskRow& row);
  void append(std::int64_t number, const tasks::LogEntry& entry);
  void fold(std::int64_t number, const tasks::ArtifactChunk& chunk, tasks::Sequence sequence);
  void write(Changed& changed);
  void write_new(const TaskRow& row);
  void write_changes(const Changed& changed);
  void write_details(const TaskRow& row, bool fresh);

  TaskCache cache_;
  std::unordered_map<std::string_view, std::size_t> index_;  // into overlay_
  std::vector<std::unique_ptr<Changed>> overlay_;  // in the order of first touch; null: removed
  std::int64_t next_number_ = 1;
  std::int64_t next_number_at_begin_ = 1;

  Statement select_;
  Statement insert_task_;
  Statement insert_admission_;
  Statement update_quiet_;
  Statement update_moved_;
  Statement update_due_;
  Statement update_all_;
  Statement put_details_;
  Statement delete_details_;
  Statement insert_entry_;
  Statement first_chunk_;
  Statement delete_chunks_;
  Statement insert_chunk_;
  Statement delete_task_;
  Statement delete_admission_;
};

}  // namespace interline::store
