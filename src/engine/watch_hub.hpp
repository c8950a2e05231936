// Wakes those who follow a task when one of its entries has been committed. Entries themselves are
// read from the store by each follower, at its own pace.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "engine/watch.hpp"
#include "store/store.hpp"

namespace interline::engine {

class WatchHub {
 public:
  /// `maximum` followers at once, of all tasks together.
  WatchHub(store::Store& store, std::size_t maximum);
  ~WatchHub();
  WatchHub(const WatchHub&) = delete;
  WatchHub& operator=(const WatchHub&) = delete;

  /// Starts to follow before the snapshot is read, so that nothing committed in between is missed.
  /// not_found; resource_constraint (too_many).
  [[nodiscard]] Result<std::unique_ptr<Watch>> follow(const std::string& task,
                                                      tasks::Sequence after);
  /// From the committer's thread, after each commit that made an entry.
  void committed(const tasks::Task& task);
  /// Followers now.
  [[nodiscard]] std::size_t count() const;
  /// Every follower that waits is let go, with an error; so is every later one. The store is not
  /// read any more.
  void close();

 private:
  class Follower;
  struct State;
  const std::shared_ptr<State> state_;  // shared with the followers, which may be left over
};

}  // namespace interline::engine
