#include "store/sqlite/task_table.hpp"

#include <utility>

#include "store/task_details.hpp"

namespace interline::store {
namespace {

// Each of these sets what the one before it sets, and more: an index is touched only where its
// column may have changed.
#define INTERLINE_UPDATE_QUIET \
  "UPDATE tasks SET revision = ?2, sequence = ?3, dispatched_boot = ?4, flags = ?5, outcome = ?6"
#define INTERLINE_UPDATE_MOVED INTERLINE_UPDATE_QUIET ", state = ?7, updated = ?8"
#define INTERLINE_UPDATE_DUE INTERLINE_UPDATE_MOVED ", due = ?9"
#define INTERLINE_UPDATE_ALL INTERLINE_UPDATE_DUE ", open = ?10, retain_until = ?11"
#define INTERLINE_OF_TASK " WHERE number = ?1"

std::int64_t first_free_number(const Connection& connection) {
  Statement newest(connection,
                   "SELECT max(coalesce((SELECT max(number) FROM tasks), 0),"
                   " coalesce((SELECT max(task) FROM purged), 0))");
  Rows rows = newest.rows();
  return rows.next() ? rows.integer(0) + 1 : 1;
}

}  // namespace

TaskTable::TaskTable(const Connection& connection, std::size_t cache_bytes)
    : cache_(cache_bytes),
      next_number_(first_free_number(connection)),
      next_number_at_begin_(next_number_),
      select_(connection, kSelectTaskById),
      insert_task_(connection,
                   "INSERT INTO tasks (number, id, owner, context, version, state, open, revision,"
                   " sequence, updated, due, retain_until, dispatched_boot, flags, outcome)"
                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"),
      insert_admission_(
          connection,
          "INSERT INTO admissions (task, tenant, network, tool, arguments, request_key, metadata,"
          " created, deadline, deadline_source, retention, answerable, features)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"),
      update_quiet_(connection, INTERLINE_UPDATE_QUIET INTERLINE_OF_TASK),
      update_moved_(connection, INTERLINE_UPDATE_MOVED INTERLINE_OF_TASK),
      update_due_(connection, INTERLINE_UPDATE_DUE INTERLINE_OF_TASK),
      update_all_(connection, INTERLINE_UPDATE_ALL INTERLINE_OF_TASK),
      put_details_(connection, "REPLACE INTO details (task, bytes) VALUES (?1, ?2)"),
      delete_details_(connection, "DELETE FROM details WHERE task = ?1"),
      insert_entry_(connection,
                    "INSERT INTO log (task, sequence, revision, type, state, time, event_id, body)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      first_chunk_(connection,
                   "SELECT sequence FROM artifacts WHERE task = ?1 AND artifact = ?2"
                   " ORDER BY sequence LIMIT 1"),
      delete_chunks_(connection, "DELETE FROM artifacts WHERE task = ?1 AND artifact = ?2"),
      insert_chunk_(connection,
                    "INSERT INTO artifacts (task, artifact, sequence, complete, parts)"
                    " VALUES (?1, ?2, ?3, ?4, ?5)"),
      delete_task_(connection, "DELETE FROM tasks WHERE number = ?1"),
      delete_admission_(connection, "DELETE FROM admissions WHERE task = ?1") {}

const TaskRow* TaskTable::find(std::string_view id) {
  if (const auto found = index_.find(id); found != index_.end()) {
    return &overlay_[found->second]->row;
  }
  if (const TaskRow* cached = cache_.find(id)) return cached;
  Rows rows = select_.rows(id);
  if (!rows.next()) return nullptr;
  return &cache_.put(read_task_row(rows));
}

TaskTable::Changed& TaskTable::changed(const TaskRow& row) {
  const auto [found, added] = index_.try_emplace(row.task.id(), overlay_.size());
  if (added) overlay_.push_back(std::make_unique<Changed>(row, Indexed(row.task)));
  return *overlay_[found->second];
}

const TaskRow& TaskTable::insert(tasks::Task task, std::int64_t owner, std::int64_t context,
                                 std::int64_t version) {
  TaskRow row;
  row.task = std::move(task);
  row.number = next_number_++;
  row.owner = owner;
  row.context = context;
  row.version = version;
  const Indexed indexed(row.task);
  overlay_.push_back(std::make_unique<Changed>(std::move(row), indexed));
  Changed& made = *overlay_.back();
  made.fresh = true;
  made.details = made.row.task.suspended || !made.row.task.answers.empty();
  index_.emplace(made.row.task.id(), overlay_.size() - 1);
  return made.row;
}

void TaskTable::update(const TaskRow& row, const tasks::Outcome& outcome) {
  Changed& entry = changed(row);
  const tasks::Task& next = *outcome.next;
  entry.dirty = true;
  entry.details = entry.details || !same_details(entry.row.task, next);
  if (entry.row.task.outcome != next.outcome) {
    const bool logged = outcome.entry && outcome.entry->body == next.outcome;
    entry.row.outcome_at = logged ? std::optional(outcome.entry->sequence) : std::nullopt;
    entry.details = entry.details || !logged;
  }
  entry.row.task = next;
  if (outcome.entry) append(entry.row.number, *outcome.entry);
  if (outcome.chunk) fold(entry.row.number, *outcome.chunk, next.sequence);
}

void TaskTable::append(std::int64_t number, const tasks::LogEntry& entry) {
  insert_entry_.run(number, entry.sequence, entry.revision, entry.type, entry.state, entry.time,
                    entry.event_id, entry.body);
}

/// Chunks stay apart on disk and are joined when they are read: appending costs what is appended.
void TaskTable::fold(std::int64_t number, const tasks::ArtifactChunk& chunk,
                     tasks::Sequence sequence) {
  if (!chunk.append) {
    // What replaces an artifact takes its place among the others.
    bool replaces = false;
    {
      Rows first = first_chunk_.rows(number, chunk.artifact);
      replaces = first.next();
      if (replaces) sequence = first.number(0);
    }
    if (replaces) delete_chunks_.run(number, chunk.artifact);
  }
  insert_chunk_.run(number, chunk.artifact, sequence, chunk.last, chunk.parts);
}

void TaskTable::remove(std::string_view id, std::int64_t number) {
  cache_.erase(id);
  if (const auto found = index_.find(id); found != index_.end()) {
    const std::size_t place = found->second;
    index_.erase(found);  // its key goes with the row
    overlay_[place].reset();
  }
  delete_task_.run(number);
  delete_admission_.run(number);
  delete_details_.run(number);
}

void TaskTable::flush() {
  for (const std::unique_ptr<Changed>& entry : overlay_) {
    if (entry && entry->dirty) write(*entry);
  }
}

void TaskTable::write(Changed& entry) {
  if (entry.fresh) {
    write_new(entry.row);
  } else {
    write_changes(entry);
  }
  if (entry.details) write_details(entry.row, entry.fresh);
  entry.stored = Indexed(entry.row.task);
  entry.fresh = false;
  entry.dirty = false;
  entry.details = false;
}

void TaskTable::write_new(const TaskRow& row) {
  const tasks::Task& task = row.task;
  const tasks::Admission& admission = *task.admission;
  insert_task_.run(row.number, admission.id, row.owner, row.context, row.version, task.state,
                   !tasks::is_terminal(task.state), task.revision, task.sequence, task.updated,
                   task.due(), task.retain_until, task.dispatched_boot, flags_of(task),
                   row.outcome_at);
  std::optional<std::string> deadline;
  tasks::DeadlineSource source{};
  if (admission.deadline) {
    deadline = admission.deadline->at.text();
    source = admission.deadline->source;
  }
  insert_admission_.run(row.number, admission.tenant, admission.network, admission.tool,
                        admission.arguments, admission.request_key, admission.metadata,
                        admission.created, deadline, source, admission.retention.count(),
                        admission.answerable, features_of(admission));
}

void TaskTable::write_changes(const Changed& entry) {
  const TaskRow& row = entry.row;
  const tasks::Task& task = row.task;
  const Indexed now(task);
  const bool settled = tasks::is_terminal(now.state) != tasks::is_terminal(entry.stored.state);
  const auto flags = flags_of(task);
  if (settled || now.retain_until != entry.stored.retain_until) {
    update_all_.run(row.number, task.revision, task.sequence, task.dispatched_boot, flags,
                    row.outcome_at, now.state, now.updated, now.due, !tasks::is_terminal(now.state),
                    now.retain_until);
  } else if (now.due != entry.stored.due) {
    update_due_.run(row.number, task.revision, task.sequence, task.dispatched_boot, flags,
                    row.outcome_at, now.state, now.updated, now.due);
  } else if (now.state != entry.stored.state || now.updated != entry.stored.updated) {
    update_moved_.run(row.number, task.revision, task.sequence, task.dispatched_boot, flags,
                      row.outcome_at, now.state, now.updated);
  } else {
    update_quiet_.run(row.number, task.revision, task.sequence, task.dispatched_boot, flags,
                      row.outcome_at);
  }
}

void TaskTable::write_details(const TaskRow& row, bool fresh) {
  const std::string_view outcome = row.outcome_at ? std::string_view() : row.task.outcome;
  const std::string bytes = encode_details(row.task, outcome);
  if (!bytes.empty()) {
    put_details_.run(row.number, Blob{bytes});
  } else if (!fresh) {
    delete_details_.run(row.number);
  }
}

void TaskTable::committed() {
  index_.clear();
  for (std::unique_ptr<Changed>& entry : overlay_) {
    if (!entry) continue;
    if (tasks::is_terminal(entry->row.task.state)) {
      cache_.erase(entry->row.task.id());  // little comes after this
    } else {
      cache_.put(std::move(entry->row));
    }
  }
  overlay_.clear();
  next_number_at_begin_ = next_number_;
}

void TaskTable::rolled_back() {
  index_.clear();
  overlay_.clear();
  next_number_ = next_number_at_begin_;
}

}  // namespace interline::store
