// The Store in one SQLite file. README.md says how it is laid out and what it promises when.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/log.hpp"
#include "store/sqlite/condition.hpp"
#include "store/store.hpp"

namespace interline::store {

struct SqliteOptions {
  std::size_t readers = 4;                      ///< connections for reads, opened as needed
  std::size_t writer_cache_bytes = 64U << 20U;  ///< pages
  std::size_t reader_cache_bytes = 8U << 20U;   ///< pages, of each reader
  std::size_t task_cache_bytes = 64U << 20U;    ///< open tasks as they were last committed
  std::size_t checkpoint_bytes = 16U << 20U;    ///< of write-ahead log: it is copied from then on
  std::size_t log_limit_bytes = 64U << 20U;     ///< of write-ahead log: commits wait for the copy
  std::size_t reserve_bytes = 16U << 20U;       ///< kept for when the disk is full; 0: none
  std::size_t stored_bytes = 0;  ///< of all that is kept; beyond no task is admitted; 0: no limit
  std::size_t versions_per_endpoint = 1'000;  ///< registered, tombstones apart
  std::size_t audit_entries = 100'000;        ///< kept of a tenant
  std::chrono::days audit_age = std::chrono::days(90);
  std::string vfs;                             ///< a SQLite VFS by its name; "": the system's
  bool lock = true;                            ///< keep other processes off
  std::chrono::milliseconds lock_patience{0};  ///< how long one that has it is waited for
  bool checkpoint_thread = true;  ///< otherwise checkpoints are made by commit(), for tests
  Logger log;
  std::shared_ptr<Condition> condition;  ///< written by the store; none: nobody reads it

  SqliteOptions() = default;
};

/// Opens or creates the database, with files beside it (-wal, -shm, -lock, -reserve); its folder is
/// there. Errors: not_acceptable (a database of something else, or of a newer version), unavailable
/// (another process has it; the disk).
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path,
                                                               SqliteOptions options = {});

}  // namespace interline::store
