// Wakes those who follow a task when one of its entries has been committed. Entries themselves are
// read from the store by each follower, at its own pace.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "engine/watch.hpp"
#include "store/store.hpp"

namespace interline::engine {

class WatchHub {
 public:
  /// `maximum` followers at once, of all tasks together.
  WatchHub(store::Store& store, std::size_t maximum);
  ~WatchHub();

  /// Starts to follow before the snapshot is read, so that nothing committed in between is missed.
  /// not_found; resource_constraint (too_many).
  [[nodiscard]] Result<std::unique_ptr<Watch>> follow(const std::string& task,
                                                      tasks::Sequence after);
  /// From the committer's thread, after each commit that made an entry.
  void committed(const tasks::Task& task);
  /// Followers now.
  [[nodiscard]] std::size_t count() const;

  class Follower;

 private:
  friend class Follower;
  void forget(const std::string& task, const Follower* follower);

  store::Store& store_;
  const std::size_t maximum_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Follower*>> followers_;
  std::size_t count_ = 0;
};

}  // namespace interline::engine
