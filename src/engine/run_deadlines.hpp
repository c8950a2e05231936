// The deadlines of calls without a task: one timer for all of them, by the wall clock.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.hpp"
#include "engine/transient_run.hpp"

namespace interline::engine {

/// Thread-safe. The clock outlives what is due; the rest may outlive the engine.
class RunDeadlines : public std::enable_shared_from_this<RunDeadlines> {
  using Waiting = std::multimap<SystemTime, std::weak_ptr<TransientRun>>;

 public:
  RunDeadlines(boost::asio::any_io_executor executor, const Clock& clock)
      : timer_(std::move(executor)), clock_(clock) {}

  /// Of one run, as long as it lives.
  class Entry {
   public:
    Entry(std::shared_ptr<RunDeadlines> of, Waiting::iterator at) : of_(std::move(of)), at_(at) {}
    Entry(Entry&&) noexcept = default;
    Entry& operator=(Entry&&) = delete;
    ~Entry();

   private:
    std::shared_ptr<RunDeadlines> of_;
    Waiting::iterator at_;
  };
  [[nodiscard]] Entry add(SystemTime due, const std::shared_ptr<TransientRun>& run);
  void stop();

 private:
  void arm();  // with the lock held
  void fire();

  std::mutex mutex_;
  boost::asio::steady_timer timer_;  // guarded by mutex_, as below
  const Clock& clock_;
  Waiting waiting_;
  SystemTime armed_for_ = SystemTime::max();
  bool stopped_ = false;
};

}  // namespace interline::engine
