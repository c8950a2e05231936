// One call of a builtin tool in progress: the job, a timer, and what has been answered so far.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include "engine/runtime.hpp"
#include "runtimes/builtin/agent.hpp"

namespace interline::runtimes::builtin {

/// Lives as long as its timer or its job's callbacks need it. Everything runs on one strand.
class Work : public std::enable_shared_from_this<Work> {
 public:
  Work(boost::asio::any_io_executor executor, std::shared_ptr<engine::Job> a_job,
       std::shared_ptr<Agent> of)
      : job(std::move(a_job)),
        agent(std::move(of)),
        timer_(boost::asio::make_strand(std::move(executor))) {}

  /// Calls back after a while, unless the work has been stopped.
  void after(std::chrono::milliseconds delay, std::function<void()> then) {
    timer_.expires_after(delay);
    timer_.async_wait([self = shared_from_this(),
                       then = std::move(then)](const boost::system::error_code& error) {
      if (!error && !self->stopped_) then();
    });
  }

  /// Runs `act` on the work's strand.
  void on_strand(std::function<void()> act) {
    boost::asio::post(timer_.get_executor(), [self = shared_from_this(), act = std::move(act)] {
      if (!self->stopped_) act();
    });
  }

  /// No callback any more. On the strand.
  void stop() {
    stopped_ = true;
    timer_.cancel();
  }

  const std::shared_ptr<engine::Job> job;
  const std::shared_ptr<Agent> agent;
  std::vector<std::string> answers;  ///< JSON texts, in the order they came
  int step = 0;

 private:
  boost::asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace interline::runtimes::builtin
