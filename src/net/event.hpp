// Wakes the coroutines that wait on one strand: a condition variable without a lock. Whoever waits
// checks its condition in a loop, as with any condition variable.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "net/asio.hpp"

namespace interline::net {

/// All members are called on the executor.
class Event {
 public:
  explicit Event(const Executor& executor)
      : timer_(executor, asio::steady_timer::time_point::max()) {}

  /// Until the next notify_all, or until the waiting coroutine is cancelled.
  awaitable<void> wait() { co_await timer_.async_wait(use_tuple); }
  void notify_all() { timer_.cancel(); }

 private:
  asio::steady_timer timer_;
};

}  // namespace interline::net
