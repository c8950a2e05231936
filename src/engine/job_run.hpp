// One piece of work as the engine sees it: the Job handed to a runtime, and the order in which its
// reports are committed.
//
// Reports wait in a queue, one in the committer at a time, so a task's entries keep the order in
// which the worker made them. The first report, or 20 ms without one, commits `running` first; work
// that settles sooner goes from accepted to its end in one commit.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include "catalog/manifest.hpp"
#include "engine/delay_line.hpp"
#include "engine/result_check.hpp"
#include "engine/runtime.hpp"
#include "engine/task_writer.hpp"

namespace interline::engine {

class JobRun;

/// What jobs share; outlives them all.
struct JobServices {
  TaskWriter* writer = nullptr;
  OutputLimits limits;
  boost::asio::any_io_executor executor;
  std::shared_ptr<DelayLine<JobRun>> start_line;     ///< 20 ms after dispatch: running
  std::shared_ptr<DelayLine<JobRun>> progress_line;  ///< the least distance of progress events
  std::shared_ptr<DelayLine<JobRun>> retry_line;     ///< when the store could not take a report
  std::function<void(JobRun&)> ended;                ///< frees the slot; once a job
};

class JobRun final : public Job, public std::enable_shared_from_this<JobRun> {
 public:
  JobRun(JobServices& services, JobInput input, std::string task, std::string endpoint,
         std::shared_ptr<const catalog::Manifest> manifest, tasks::State state);

  // The runtime's side.
  [[nodiscard]] const JobInput& input() const override { return input_; }
  void listen(JobCallbacks callbacks) override;
  void progress(ProgressReport report) override;
  void log(std::string level, std::string data_json) override;
  void output(tasks::ArtifactChunk chunk) override;
  void ask(std::vector<AskedQuestion> questions, std::optional<std::string> state,
           std::function<void(const Error&)> on_refused) override;
  void complete(std::string result_json) override;
  void fail(tasks::Failure failure) override;
  void cancelled(std::optional<std::string> reason) override;
  [[nodiscard]] awaitable<Result<void>> remember(std::string memory) override;
  [[nodiscard]] awaitable<void> ready() override;

  // The engine's side; any thread.
  void deliver(std::vector<tasks::Answer> answers);
  void deliver_cancel(std::optional<std::string> reason);
  /// The task settled without this work.
  void stop();
  void start_due();     ///< 20 ms have passed
  void progress_due();  ///< the next progress may be sent
  void retry_due();
  /// Every question is answered: what was held back may be sent.
  void resumed();

  [[nodiscard]] const std::string& task() const { return task_; }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  /// Reports that came after the end and were discarded.
  [[nodiscard]] std::size_t discarded() const;

 private:
  using Resume = std::move_only_function<void(Result<void>)>;

  struct Report {
    tasks::Command command;
    std::function<void(const Error&)> on_refused;  ///< may be empty
    std::shared_ptr<Resume> resume;                ///< of remember(); may be null
  };

  // All private functions are called with the lock held, unless they say otherwise.
  void enqueue(Report report);
  void start_first();
  void send_next();
  void sent(Result<TaskWriter::Applied> answer);  // committer's thread, without the lock
  void end();
  void wake_ready();
  void call(std::function<void()> callback);
  [[nodiscard]] bool accepts() const { return !ending_ && !ended_; }

  JobServices& services_;
  const JobInput input_;
  const std::string task_;
  const std::string endpoint_;
  const std::shared_ptr<const catalog::Manifest> manifest_;

  /// Callbacks run here, one at a time.
  boost::asio::strand<boost::asio::any_io_executor> strand_;

  mutable std::mutex mutex_;
  JobCallbacks callbacks_;  ///< once listening, touched on the strand alone
  bool listening_ = false;
  std::vector<std::function<void()>> undelivered_;  ///< callbacks that came before listen()
  std::deque<Report> queue_;
  std::optional<tasks::Progress> held_progress_;
  std::vector<Resume> waiting_ready_;
  bool started_;  ///< running is committed, or the queue holds it
  bool in_flight_ = false;
  bool progress_pause_ = false;
  bool paused_for_input_ = false;
  bool ending_ = false;  ///< an end is queued: nothing after it counts
  bool ended_ = false;
  std::size_t discarded_ = 0;
};

}  // namespace interline::engine
