// Connections for reads: a bounded number of them, opened as they are needed, lent to one thread
// at a time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/other_reads.hpp"
#include "store/sqlite/task_list.hpp"
#include "store/sqlite/task_reads.hpp"

namespace interline::store {

/// A connection that reads, and all it can be asked.
struct Reader {
  Reader(const std::string& path, const Connection::Options& options);

  Connection connection;
  TaskReads tasks;
  TaskList list;
  RecordReads records;
  CatalogReads catalog;
};

class ReaderPool {
 public:
  ReaderPool(std::string path, Connection::Options options, std::size_t most);

  /// Gives the reader back at its end.
  class Lease {
   public:
    Lease(ReaderPool& pool, std::unique_ptr<Reader> reader)
        : pool_(pool), reader_(std::move(reader)) {}
    ~Lease() { pool_.give_back(std::move(reader_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Reader& operator*() const { return *reader_; }

   private:
    ReaderPool& pool_;
    std::unique_ptr<Reader> reader_;
  };

  /// Waits while all are lent: reads are short. Throws SqliteError.
  [[nodiscard]] Lease lend();

 private:
  void give_back(std::unique_ptr<Reader> reader);

  const std::string path_;
  const Connection::Options options_;
  const std::size_t most_;

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Reader>> idle_;  // guarded by mutex_
  std::size_t open_ = 0;                       // guarded by mutex_
};

/// One snapshot for several statements.
class Snapshot {
 public:
  explicit Snapshot(const Connection& connection) : connection_(connection) {
    connection_.execute("BEGIN");
  }
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  const Connection& connection_;
};

}  // namespace interline::store
