#include "store/sqlite/checkpointer.hpp"

#include <sqlite3.h>
#include <utility>

namespace interline::store {
namespace {

// With the gate shut, commits wait as long as this for readers of the log to end.
constexpr int kWaitForReadersMilliseconds = 250;

}  // namespace

Checkpointer::Checkpointer(const std::string& path, const Connection::Options& options,
                           const CheckpointLimits& limits, Logger log)
    : limits_(limits),
      log_(std::move(log)),
      connection_(path, options),
      next_at_(limits.checkpoint_pages) {
  connection_.execute("PRAGMA synchronous = FULL");
  sqlite3_busy_timeout(connection_.handle(), kWaitForReadersMilliseconds);
  if (limits_.thread) thread_ = std::jthread([this] { run(); });
}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
}

void Checkpointer::committed(std::size_t pages) {
  {
    const std::lock_guard lock(mutex_);
    if (pages < pages_) next_at_ = limits_.checkpoint_pages;  // the log began anew
    pages_ = pages;
    if (pages < next_at_) return;
    wanted_ = true;
  }
  if (limits_.thread) {
    wake_.notify_one();
    return;
  }
  wanted_ = false;
  next_at_ = pages + limits_.checkpoint_pages;
  checkpoint(pages >= limits_.limit_pages);
}

void Checkpointer::run() {
  for (;;) {
    bool limit_reached = false;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || wanted_; });
      if (stopping_) return;
      wanted_ = false;
      next_at_ = pages_ + limits_.checkpoint_pages;
      limit_reached = pages_ >= limits_.limit_pages;
    }
    checkpoint(limit_reached);
  }
}

void Checkpointer::checkpoint(bool limit_reached) {
  if (!copy(SQLITE_CHECKPOINT_PASSIVE) || !limit_reached) return;
  const std::lock_guard shut(gate_);
  copy(SQLITE_CHECKPOINT_RESTART);
}

bool Checkpointer::copy(int mode) {
  const int code = sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, mode, nullptr, nullptr);
  if (code == SQLITE_OK) return true;
  // Nothing is lost: the log still has it all, and grows until a later copy goes through.
  if ((code & 0xFF) != SQLITE_BUSY) {
    log_.warning("the write-ahead log could not be copied", {{"error", sqlite3_errstr(code)}});
  }
  return false;
}

}  // namespace interline::store
