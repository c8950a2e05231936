// The instants at which time alone changes a task, in their order. Only what is due soon is loaded;
// a timer decides nothing: it sends a Tick, and the commit compares the instants itself.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.hpp"
#include "store/store.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

class Timers {
 public:
  /// `due(task)` is called on the executor.
  Timers(boost::asio::any_io_executor executor, store::Store& store, const Clock& clock,
         std::function<void(const std::string&)> due);

  /// Any thread; after each commit.
  void consider(const tasks::Task& task);
  /// The Tick could not be committed: it is sent again in a second.
  void try_again(const std::string& task);
  [[nodiscard]] boost::asio::any_io_executor executor() { return timer_.get_executor(); }
  /// To be spawned on executor(). Runs until stopped: loads a minute ahead, wakes at least once a
  /// second, so that a wall clock that was set is noticed.
  [[nodiscard]] boost::asio::awaitable<void> run();
  void stop();

  /// Sends what is due now. Called by run(); by tests directly.
  void fire();
  /// Loads what becomes due within the next minutes.
  [[nodiscard]] Result<void> load();

 private:
  using Entry = std::pair<SystemTime, std::string>;

  store::Store& store_;
  const Clock& clock_;
  const std::function<void(const std::string&)> due_;
  boost::asio::steady_timer timer_;
  std::mutex mutex_;
  std::set<Entry> soon_;  // guarded by mutex_, as below; each task once an instant
  SystemTime horizon_{};
  bool stopped_ = false;
};

}  // namespace interline::engine
