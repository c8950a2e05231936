#include "store/sqlite/writer.hpp"

#include <algorithm>
#include <sqlite3.h>
#include <utility>

namespace interline::store {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kRefillEvery = 10s;
constexpr std::chrono::nanoseconds kMeasureEvery = 1s;

std::uint64_t one_number(const Connection& connection, const char* query) {
  Statement statement(connection, query);
  Rows rows = statement.rows();
  return rows.next() ? rows.number(0) : 0;
}

Error not_committed() {
  return {ErrorKind::unavailable, "The store could not write this; repeat it later."};
}

void answer(Work& work, const Error& error) {
  std::visit([&error](auto& kind) { kind.answer = std::unexpected(error); }, work);
}

Error fault_of(const SqliteError& error) {
  if (error.code() == SQLITE_TOOBIG) {
    return {ErrorKind::resource_constraint, ErrorReason::too_large, "This is too large to store."};
  }
  return {ErrorKind::internal, "The store could not write this."};
}

}  // namespace

Writer::Writer(const Connection& connection, Checkpointer& checkpointer, SpaceReserve reserve,
               const WriterOptions& options, Logger log)
    : connection_(connection),
      checkpointer_(checkpointer),
      reserve_(std::move(reserve)),
      log_(std::move(log)),
      tasks_(connection, options.task_cache_bytes),
      totals_(connection),
      claims_(connection, tasks_),
      records_(connection, tasks_),
      catalog_(connection, options.versions_per_endpoint),
      audit_(connection, options.audit),
      purger_(connection, tasks_, totals_, audit_),
      update_meta_(connection, "UPDATE meta SET group_number = ?1, now = ?2, tasks = ?3"),
      group_number_(options.group_number),
      condition_(options.condition),
      stored_bytes_(options.stored_bytes) {
  condition_->no_space = !reserve_.fill();
  if (condition_->no_space)
    log_.warning("there is no space for the reserve; nothing new is admitted");
  const auto note_pages = [](void* pages, sqlite3*, const char*, int count) noexcept {
    *static_cast<int*>(pages) = count;
    return SQLITE_OK;
  };
  // In place of the checkpoints that SQLite would make within COMMIT.
  sqlite3_wal_hook(connection_.handle(), note_pages, &log_pages_);
}

GroupEnd Writer::commit(std::span<Work> group, CommitTime time) {
  if (out_of_service_) return refuse(group);
  time_ = time;
  refill_reserve();
  look_at_files();
  look_at_size();
  const End end = attempt_with_reserve(group);
  switch (end) {
    case End::committed:
      checkpointer_.committed(static_cast<std::size_t>(log_pages_));
      return GroupEnd::committed;
    case End::bad_statement:
      return group.size() == 1 ? GroupEnd::committed : one_by_one(group);
    case End::no_space:
    case End::failed:
      break;
    case End::uncertain:
      (void)refuse(group);
      return GroupEnd::uncertain;
  }
  return refuse(group);
}

GroupEnd Writer::refuse(std::span<Work> group) {
  for (Work& work : group) answer(work, not_committed());
  return GroupEnd::refused;
}

/// A statement that fails takes no neighbour with it. What was answered before the group fails as a
/// whole is committed and stays answered.
GroupEnd Writer::one_by_one(std::span<Work> group) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    switch (attempt_with_reserve(group.subspan(i, 1))) {
      case End::committed:
      case End::bad_statement:  // which has answered it
        break;
      case End::no_space:
      case End::failed:
        answer(group[i], not_committed());
        break;
      case End::uncertain:
        (void)refuse(group);
        return GroupEnd::uncertain;
    }
  }
  return GroupEnd::committed;
}

/// A full disk gives its reserve for what is running; what is new is refused from then on.
Writer::End Writer::attempt_with_reserve(std::span<Work> group) {
  End end = attempt(group);
  if (end == End::no_space && !condition_->no_space) {
    release_reserve();
    end = attempt(group);
  }
  return end;
}

void Writer::release_reserve() {
  if (condition_->no_space) return;
  log_.error("the disk is full: the reserve is released, and nothing new is admitted");
  condition_->no_space = true;
  tried_refill_ = time_.now;
  reserve_.release();
}

void Writer::refill_reserve() {
  // A clock that was set back since lets it be tried at once.
  const bool recent = time_.now >= tried_refill_ && time_.now < tried_refill_ + kRefillEvery;
  if (!condition_->no_space || recent) return;
  tried_refill_ = time_.now;
  condition_->no_space = !reserve_.fill();
  if (!condition_->no_space) log_.info("there is space on the disk again");
}

void Writer::look_at_files() {
  const bool gone = !condition_->files.there();
  if (gone == gone_) return;
  gone_ = gone;
  if (gone) {
    log_.error(
        "the database was removed or replaced under this process: nothing new is admitted. What "
        "runs is settled, and lost with this process: put the files back, or start it again");
  } else {
    log_.warning("the database is there again");
  }
}

/// Pages count from the moment that they hold something until the purge has emptied them.
void Writer::look_at_size() {
  const bool recent = time_.now >= measured_ && time_.now < measured_ + kMeasureEvery;
  if (stored_bytes_ == 0 || recent) return;
  measured_ = time_.now;
  try {
    const std::uint64_t pages = one_number(connection_, "PRAGMA page_count");
    const std::uint64_t free = one_number(connection_, "PRAGMA freelist_count");
    const std::uint64_t bytes = (pages - free) * one_number(connection_, "PRAGMA page_size");
    const bool over = bytes > stored_bytes_;
    if (over && !condition_->over) {
      log_.warning("more is kept than stored_bytes allows: no task is admitted until some are gone",
                   {{"bytes", bytes}, {"stored_bytes", stored_bytes_}});
    } else if (!over && condition_->over) {
      log_.info("less is kept than stored_bytes allows again: tasks are admitted");
    }
    condition_->over = over;
  } catch (const SqliteError& error) {  // the group itself will find out
    log_.warning("how much is kept cannot be told", {{"error", error.what()}});
  }
}

Writer::End Writer::attempt(std::span<Work> group) {
  const std::lock_guard open(checkpointer_.gate());
  try {
    connection_.execute("BEGIN IMMEDIATE");
    const std::int64_t before = sqlite3_total_changes64(connection_.handle());
    for (Work& work : group) {
      std::visit([this](auto& kind) { perform(kind); }, work);
    }
    flush();
    if (sqlite3_total_changes64(connection_.handle()) != before) {
      update_meta_.run(++group_number_, time_.now, totals_.tasks());
    }
  } catch (const SqliteError& error) {
    roll_back();
    if (error.is_full()) return End::no_space;
    log_.error("a group was not written", {{"error", error.what()}});
    if (!error.is_of_statement()) return End::failed;
    if (group.size() == 1) answer(group.front(), fault_of(error));
    return End::bad_statement;
  } catch (const CorruptRow& error) {
    roll_back();
    log_.error("stored data cannot be read", {{"error", error.what()}});
    if (group.size() == 1) {
      answer(group.front(), {ErrorKind::internal, "What is stored cannot be read."});
    }
    return End::bad_statement;
  }
  return finish();
}

void Writer::flush() {
  tasks_.flush();
  totals_.flush();
}

Writer::End Writer::finish() {
  try {
    connection_.execute("COMMIT");
  } catch (const SqliteError& error) {
    const bool still_open = !connection_.idle();
    roll_back();
    log_.error("a commit failed", {{"error", error.what()}});
    // The record that makes a transaction one is the last thing written to the write-ahead log: a
    // disk that was full before then has it not, or not whole, and recovery would not take it.
    if (error.is_full()) return End::no_space;
    if (still_open) return End::failed;
    // The log's index grows only after its record was written and synced.
    if (error.is_of_log_index()) release_reserve();
    if (overwrite()) return End::failed;
    out_of_service_ = true;
    log_.error("the outcome of a commit is unknown; this process has to end");
    return End::uncertain;
  }
  tasks_.committed();
  totals_.committed();
  return End::committed;
}

void Writer::roll_back() {
  try {
    if (!connection_.idle()) connection_.execute("ROLLBACK");
  } catch (const SqliteError& error) {
    log_.error("a group was not rolled back", {{"error", error.what()}});
  }
  tasks_.rolled_back();
  totals_.rolled_back();
  catalog_.rolled_back();
}

/// What a COMMIT wrote before it failed may be on the disk or not, and recovery would take it. The
/// next transaction goes to the same place in the write-ahead log: once that is synced, no trace of
/// the lost one can be read any more.
bool Writer::overwrite() {
  try {
    connection_.execute("BEGIN IMMEDIATE");
    update_meta_.run(++group_number_, time_.now, totals_.tasks());
    connection_.execute("COMMIT");
    return true;
  } catch (const SqliteError&) {
    roll_back();
    return false;
  }
}

}  // namespace interline::store
