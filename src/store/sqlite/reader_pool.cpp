#include "store/sqlite/reader_pool.hpp"

#include <utility>

namespace interline::store {

Reader::Reader(const std::string& path, const Connection::Options& options)
    : connection(path, options),
      tasks(connection),
      list(connection),
      records(connection),
      catalog(connection) {
  connection.execute("PRAGMA query_only = ON");
}

ReaderPool::ReaderPool(std::string path, Connection::Options options, std::size_t most)
    : path_(std::move(path)), options_(std::move(options)), most_(most) {}

ReaderPool::Lease ReaderPool::lend() {
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [this] { return !idle_.empty() || open_ < most_; });
    if (!idle_.empty()) {
      std::unique_ptr<Reader> reader = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(reader));
    }
    ++open_;
  }
  try {
    return Lease(*this, std::make_unique<Reader>(path_, options_));
  } catch (const SqliteError&) {
    give_back(nullptr);
    throw;
  }
}

void ReaderPool::give_back(std::unique_ptr<Reader> reader) {
  {
    const std::lock_guard lock(mutex_);
    if (reader) {
      idle_.push_back(std::move(reader));
    } else {
      --open_;
    }
  }
  returned_.notify_one();
}

Snapshot::~Snapshot() {
  try {
    connection_.execute("COMMIT");
  } catch (const SqliteError&) {
    // A transaction that failed has ended already; one that has not, ends with the next attempt to
    // begin one, which then fails and says so.
    return;
  }
}

}  // namespace interline::store
