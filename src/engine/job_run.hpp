// One piece of work as the engine sees it: the Job handed to a runtime, and the order in which its
// reports are committed.
//
// Reports wait in a queue, one in the committer at a time, so a task's entries keep the order in
// which the worker made them. The first report, or 20 ms without one, commits `running` first; work
// that settles sooner goes from accepted to its end in one commit. What is costly to check is
// checked on the worker pool while what follows it waits.
#pragma once

#include <atomic>
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
#include "engine/body_guard.hpp"
#include "engine/delay_line.hpp"
#include "engine/result_check.hpp"
#include "engine/runtime.hpp"
#include "engine/task_writer.hpp"

namespace interline::engine {

class JobRun;
class TransientRun;

/// What jobs share.
struct JobServices {
  std::shared_ptr<TaskWriter> writer;
  std::uint64_t boot = 0;
  OutputLimits limits;
  boost::asio::any_io_executor executor;
  boost::asio::any_io_executor workers;              ///< for costly checks
  std::shared_ptr<DelayLine<JobRun>> start_line;     ///< 20 ms after dispatch: running
  std::shared_ptr<DelayLine<JobRun>> progress_line;  ///< the least distance of progress events
  std::shared_ptr<DelayLine<JobRun>>
      ask_line;  ///< from a request for input until it counts no more
  std::shared_ptr<DelayLine<JobRun>> retry_line;  ///< when the store could not take a report
  std::shared_ptr<DelayLine<TransientRun>> patience_line;  ///< from a cancellation to the stop
  std::function<void(JobRun&)> ended;                      ///< frees the slot; once a job
  std::atomic<std::uint64_t> discarded = 0;  ///< reports dropped: late, or beyond a bound
};

class JobRun final : public Job, public std::enable_shared_from_this<JobRun> {
 public:
  JobRun(std::shared_ptr<JobServices> services, JobInput input, const tasks::Task& task,
         BodyGuard guard);

  // The runtime's side.
  [[nodiscard]] const JobInput& input() const override { return input_; }
  [[nodiscard]] std::string tool_definition() const override;
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
  /// Before the work is started.
  void use_manifest(std::shared_ptr<const catalog::Manifest> manifest);
  /// The worker is about to get it. False where it has ended or is to be put back: then the worker
  /// never hears of it.
  [[nodiscard]] bool begin();
  void deliver(std::vector<tasks::Answer> answers);
  /// Whether there is still work that can be told.
  [[nodiscard]] bool deliver_cancel(std::optional<std::string> reason);
  /// The task settled without this work.
  void stop();
  /// Shutdown: the work is told to stop, and the task fails as unavailable unless an end is on its
  /// way. Where the worker did not get it yet, the task waits for the next start instead.
  void interrupt();
  /// As after a crash: nothing is called or committed any more.
  void abandon();
  void start_due();     ///< 20 ms have passed
  void progress_due();  ///< the next progress may be sent
  void ask_due();       ///< the next request for input may be sent
  void retry_due();
  /// Every question is answered: what was held back may be sent.
  void resumed();

  [[nodiscard]] const std::string& task() const { return task_; }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }

 private:
  using Resume = std::move_only_function<void(Result<void>)>;
  using Check = std::move_only_function<Result<tasks::Command>()>;
  using AskCheck =
      std::move_only_function<Result<tasks::Command>(const std::vector<tasks::Question>& open)>;

  struct Report {
    tasks::Command command;
    std::function<void(const Error&)> on_refused;  ///< may be empty
    Resume resume;                                 ///< of remember(); may be empty
    std::size_t bytes = 0;                         ///< of output
    bool checking = false;                         ///< may not be sent yet
    bool suspends = false;                         ///< a question that ends the work
    /// Of a question: to be checked when it is the next to be sent. Then it is known which
    /// questions are open beside it.
    AskCheck check_beside;

    explicit Report(tasks::Command a_command) : command(std::move(a_command)) {}
  };
  using ReportPointer = std::shared_ptr<Report>;

  // Without the lock:
  void check(ReportPointer report, std::size_t cost, Check check);
  void checked(const ReportPointer& report, Result<tasks::Command> command);
  void sent(Result<TaskWriter::Applied> answer);  // on the committer's thread
  [[nodiscard]] std::shared_ptr<const JobCallbacks> listener() const;

  // With the lock held:
  void discard() { ++services_->discarded; }
  [[nodiscard]] bool accepts() const { return !ending_ && !ended_; }
  [[nodiscard]] bool crowded() const;
  [[nodiscard]] std::size_t asks_waiting() const;
  [[nodiscard]] bool full() const;
  [[nodiscard]] bool log_is_full() const;
  [[nodiscard]] bool waits_for_input() const;
  void enqueue(ReportPointer report);
  void start_first();
  void go_on();
  void send_progress(tasks::Progress progress);
  void check_on_pool(ReportPointer report, Check check);
  void send_next();
  void refused(Report& report, const Error& error);
  void end_interrupted();
  void could_not_store(Report& report, const Error& error);
  void make_way();
  void end();
  void wake_ready();
  static void merge(tasks::Progress& older, tasks::Progress newer);
  void call(std::function<void()> callback);

  const std::shared_ptr<JobServices> services_;
  const JobInput input_;
  const std::string task_;
  const std::string endpoint_;
  const BodyGuard guard_;

  /// Callbacks run here, one at a time.
  boost::asio::strand<boost::asio::any_io_executor> strand_;

  mutable std::mutex mutex_;
  std::shared_ptr<const catalog::Manifest> manifest_;  // guarded by mutex_, as all below
  std::shared_ptr<const JobCallbacks> callbacks_;
  std::vector<std::function<void()>> undelivered_;  ///< callbacks that came before listen()
  std::deque<ReportPointer> queue_;
  std::vector<tasks::Question> open_;  ///< questions asked and not answered
  std::optional<tasks::Progress> held_progress_;
  std::vector<Resume> waiting_ready_;
  tasks::Sequence sequence_;       ///< of the task's log, as far as known
  std::size_t output_bytes_ = 0;   ///< of all chunks
  std::size_t waiting_bytes_ = 0;  ///< of the chunks in the queue
  bool anew_;                      ///< open_ was asked by work that is gone, and is not told
  bool started_;                   ///< running is committed, or the queue holds it
  bool begun_ = false;             ///< the worker has it, or is about to
  bool in_flight_ = false;
  bool progress_pause_ = false;
  unsigned asked_lately_ = 0;   ///< each leaves with ask_line
  bool held_back_ = false;      ///< the task itself waits for input, by the reply to a progress
  bool start_overdue_ = false;  ///< 20 ms have passed while a question was on its way
  bool ending_ = false;         ///< an end is queued: nothing after it counts
  bool ended_ = false;
  bool stopped_ = false;      ///< ended from outside
  bool interrupted_ = false;  ///< by a shutdown
  bool last_resort_ = false;  ///< the end itself could not be stored; a plain failure is tried
};

}  // namespace interline::engine
