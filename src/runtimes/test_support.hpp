// What the runtimes' tests share: a job that writes down what happens to it, threads to run on, and
// scripts as agents. Nothing here waits for time: a test waits for what it knows must come.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/memory_log_sink.hpp"
#include "engine/runtime.hpp"

namespace interline::runtimes::testing {

class FakeJob final : public engine::Job {
 public:
  explicit FakeJob(engine::JobInput input) : input_(std::move(input)) {}

  // The runtime's side.
  [[nodiscard]] const engine::JobInput& input() const override { return input_; }
  [[nodiscard]] std::string tool_definition() const override { return definition; }
  void listen(engine::JobCallbacks callbacks) override;
  void progress(engine::ProgressReport report) override;
  void log(std::string level, std::string data_json) override;
  void output(tasks::ArtifactChunk chunk) override;
  void ask(std::vector<engine::AskedQuestion> questions, std::optional<std::string> state,
           std::function<void(const Error&)> on_refused) override;
  void complete(std::string result_json) override;
  void fail(tasks::Failure failure) override;
  void cancelled(std::optional<std::string> reason) override;
  [[nodiscard]] engine::awaitable<Result<void>> remember(std::string memory) override;
  [[nodiscard]] engine::awaitable<void> ready() override;

  // The test's side, as the engine would.
  std::string definition;  ///< of the tool; before the work starts
  void answer(std::string key, tasks::AnswerAction action, std::string value);
  void cancel();
  void stop();
  /// From now on questions are refused.
  void refuse_questions(ErrorKind as = ErrorKind::not_acceptable) {
    refusal_ = as;
    refuse_ = true;
  }
  /// ready() does not return until released.
  void hold();
  void release();

  /// The next report that the test has not seen, e.g. "complete {...}". Waits for it.
  [[nodiscard]] std::string next();
  /// Reports so far that next() has not given.
  [[nodiscard]] std::size_t unread() const;

 private:
  using Resume = std::move_only_function<void(Result<void>)>;
  void note(std::string report);
  /// Now, or once somebody listens.
  void deliver(std::function<void(const engine::JobCallbacks&)> call);

  const engine::JobInput input_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::string> reports_;
  std::vector<Resume> waiting_;
  engine::JobCallbacks callbacks_;
  std::vector<std::function<void(const engine::JobCallbacks&)>> undelivered_;
  bool listening_ = false;
  bool held_ = false;
  std::atomic<bool> refuse_{false};
  std::atomic<ErrorKind> refusal_{ErrorKind::not_acceptable};
};

/// A folder for the agents' scripts and notes, and two threads for the runtime.
class Fixture {
 public:
  Fixture();
  ~Fixture();
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  template <class T>
  T run(engine::awaitable<T> work) {
    return boost::asio::co_spawn(io_, std::move(work), boost::asio::use_future).get();
  }
  [[nodiscard]] boost::asio::any_io_executor executor() { return io_.get_executor(); }
  [[nodiscard]] Logger log() const { return {sink, clock_}; }

  /// A Python script after a prelude: send(type, **members), lines(), note(text), gate(name) which
  /// waits for open_gate. The command that runs it.
  [[nodiscard]] std::vector<std::string> python(const std::string& script);
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Lines that agents noted.
  [[nodiscard]] std::vector<std::string> notes() const;
  void forget_notes() const { (void)std::remove(path("notes").c_str()); }
  /// Makes the gate that an agent waits at; before the agent can reach it.
  void make_gate(const std::string& name) const;
  /// Lets one agent through. Returns once it is there.
  void open_gate(const std::string& name) const;

  [[nodiscard]] std::shared_ptr<FakeJob> job(std::string handle, std::string tool = "work",
                                             std::string arguments = "{}") const;
  [[nodiscard]] std::shared_ptr<FakeJob> job(engine::JobInput input) const;

  const std::shared_ptr<MemoryLogSink> sink = std::make_shared<MemoryLogSink>();

 private:
  std::string folder_;
  SystemClock clock_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::vector<std::jthread> threads_;
};

/// True once nobody has this process id, or it is a zombie that init will reap. Waits for it.
void wait_until_dead(long pid);
/// No child of this process is left, zombies included.
[[nodiscard]] bool no_children();

}  // namespace interline::runtimes::testing
