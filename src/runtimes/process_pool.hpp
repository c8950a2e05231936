// All processes and waiting calls of one agent: one start serves many first calls, a process that
// ended is started again with backoff, and calls beyond the concurrency wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/event.hpp"
#include "runtimes/backoff.hpp"
#include "runtimes/process_configuration.hpp"
#include "runtimes/process_worker.hpp"

namespace interline::runtimes {

/// Makes the worker that speaks a runtime's language.
using MakeWorker = std::function<std::shared_ptr<ProcessWorker>(ProcessWorker::Setup)>;

class ProcessPool final : public ProcessWorker::Owner,
                          public std::enable_shared_from_this<ProcessPool> {
 public:
  ProcessPool(const net::Executor& executor, ProcessConfiguration configuration, Logger log,
              MakeWorker make_worker);

  // From any thread.

  /// Starts the processes that are to be kept running. Once, before anything else.
  void open();
  void start(std::shared_ptr<engine::Job> job);
  /// Ends everything; what is open fails. The pool keeps itself alive until then.
  void close();
  [[nodiscard]] bool available() const { return ready_ > 0; }
  [[nodiscard]] net::awaitable<Result<engine::ImportedTools>> list_tools();
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace);

  [[nodiscard]] const net::Executor& strand() const { return strand_; }

  // On the strand, by the runtime.

  /// A process that can be asked something beside its calls, now or once it is ready. One is
  /// started if there is none. Errors: unavailable.
  [[nodiscard]] Result<std::shared_ptr<ProcessWorker>> somebody();
  /// All there are.
  [[nodiscard]] const std::vector<std::shared_ptr<ProcessWorker>>& workers() const {
    return workers_;
  }

  // On the strand, by the workers.

  void worker_changed() override { advance(); }
  void worker_ending(ProcessWorker& worker) override;
  void worker_gone(ProcessWorker& worker) override;

 private:
  using Worker = std::shared_ptr<ProcessWorker>;

  void accept(const std::shared_ptr<engine::Job>& job);
  [[nodiscard]] engine::JobCallbacks callbacks_for(const std::string& handle);
  void cancel(const std::string& handle);
  void stop(const std::string& handle);
  [[nodiscard]] std::shared_ptr<engine::Job> take_waiting(const std::string& handle);
  [[nodiscard]] Worker worker_with(const std::string& handle) const;

  void advance();
  void hand_out();
  void start_missing();
  [[nodiscard]] std::size_t live() const;
  [[nodiscard]] std::size_t per_worker() const;
  [[nodiscard]] Worker free_worker() const;
  [[nodiscard]] bool wants_another() const;
  Result<Worker> spawn();
  void back_off();
  void fail_waiting(const std::string& message);
  void shut();

  [[nodiscard]] net::awaitable<Result<engine::ImportedTools>> list_on_strand();
  [[nodiscard]] net::awaitable<void> drain_on_strand(std::chrono::milliseconds grace);

  const net::Executor strand_;
  const ProcessConfiguration configuration_;
  const Logger log_;
  const MakeWorker make_worker_;
  std::vector<Worker> workers_;
  std::deque<std::shared_ptr<engine::Job>> waiting_;  ///< bounded by the engine's concurrency
  Backoff pauses_;
  boost::asio::steady_timer backoff_;
  bool backing_off_ = false;
  bool advancing_ = false;
  bool stopping_ = false;
  net::Event changed_;
  std::atomic<std::size_t> ready_{0};
};

}  // namespace interline::runtimes
