// Copies the write-ahead log into the database, on a thread and a connection of its own.
//
// From checkpoint_bytes on it is copied while commits go on; the log begins anew once a commit
// finds all of it copied. Under a load that never pauses no commit does: at log_limit_bytes the
// gate is shut for as long as the last few pages take, so the log stays bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "base/log.hpp"
#include "store/sqlite/connection.hpp"

namespace interline::store {

struct CheckpointLimits {
  std::size_t checkpoint_pages = 0;
  std::size_t limit_pages = 0;
  bool thread = true;
};

class Checkpointer {
 public:
  Checkpointer(const std::string& path, const Connection::Options& options,
               const CheckpointLimits& limits, Logger log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// Held by whoever commits, while it does.
  [[nodiscard]] std::mutex& gate() { return gate_; }
  /// After a commit, without the gate: pages in the log now.
  void committed(std::size_t pages);

 private:
  void run();
  void checkpoint(bool limit_reached);
  /// Whether all was copied and nobody reads from the log.
  bool copy(int mode);

  const CheckpointLimits limits_;
  const Logger log_;
  const Connection connection_;
  std::mutex gate_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t pages_ = 0;    // guarded by mutex_, as all below
  std::size_t next_at_ = 0;  // pages at which the next copy begins
  bool wanted_ = false;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace interline::store
