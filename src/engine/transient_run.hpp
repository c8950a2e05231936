// A call that is no task: a Job of which nothing is kept. What it reports is told to one listener,
// in order, and its end to whoever waits; nothing of it is committed.
//
// Only one thread at a time calls the listener: whoever reports while another does leaves its
// report to that one. The end comes behind them, so that nothing is told after it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include "catalog/manifest.hpp"
#include "engine/attended.hpp"
#include "engine/body_guard.hpp"
#include "engine/engine.hpp"
#include "engine/job_run.hpp"
#include "engine/runtime.hpp"

namespace interline::engine {

class TransientRun final : public Job,
                           public Attended,
                           public std::enable_shared_from_this<TransientRun> {
 public:
  using Ended = Result<RunOutcome>;
  using Resume = std::move_only_function<void(Ended)>;

  struct Parts {
    std::shared_ptr<JobServices> services;
    JobInput input;
    std::shared_ptr<const catalog::Manifest> manifest;  ///< has the tool
    BodyGuard guard;
    RunListener listener;
    const Clock* clock = nullptr;  ///< outlives it
    SystemTime due{};              ///< the deadline
    tasks::DeadlineSource deadline_source{};
    bool cancellable = false;
    bool reports_progress = false;
  };
  explicit TransientRun(Parts parts) : parts_(std::move(parts)) {}

  // The runtime's side.
  [[nodiscard]] const JobInput& input() const override { return parts_.input; }
  [[nodiscard]] std::string tool_definition() const override {
    return parts_.manifest->find_tool(parts_.input.tool)->definition;
  }
  void listen(JobCallbacks callbacks) override;
  void progress(ProgressReport report) override;
  void log(std::string level, std::string data_json) override;
  /// A call without a task keeps no artifacts: they are discarded, and counted.
  void output(tasks::ArtifactChunk chunk) override;
  void ask(std::vector<AskedQuestion> questions, std::optional<std::string> state,
           std::function<void(const Error&)> on_refused) override;
  void complete(std::string result_json) override;
  void fail(tasks::Failure failure) override;
  void cancelled(std::optional<std::string> reason) override;
  [[nodiscard]] awaitable<Result<void>> remember(std::string memory) override;
  [[nodiscard]] awaitable<void> ready() override;

  // The engine's side; any thread.
  /// The worker is about to get it. False where it has ended, is at work, or its deadline has
  /// passed, which ends it.
  [[nodiscard]] bool begin();
  /// Nobody waits any more: the work is told to cancel, and stopped if it does not end soon.
  void withdraw();
  void deadline_passed();
  /// The work has not ended soon after it was told to cancel.
  void out_of_patience();
  void interrupt() override;
  void abandon() override;

  /// The end, if it has come and everything before it was told.
  [[nodiscard]] std::optional<Ended> ended();
  /// Once, where ended() has nothing.
  void wait(Resume resume);
  /// Who waited has its answer: lets go of the work, which may hold this.
  void release();

  /// Whether it stands in its lane's line: the dispatcher's, under its lock.
  bool in_line = false;

 private:
  struct Line {
    std::string level;
    std::string data;
  };
  using Told = std::variant<ProgressReport, Line>;

  void tell(Told told);
  void tell_all();
  void tell_one(const Told& told) const;
  void finish(Ended ended, bool stop_work);
  void checked(std::expected<std::string, tasks::Failure> result);

  // With the lock held:
  [[nodiscard]] bool accepts() const { return !ending_ && !over_; }
  void discard() const { ++parts_.services->discarded; }
  void call(std::function<void()> callback);
  void tell_cancel();

  Parts parts_;

  std::mutex mutex_;
  std::shared_ptr<const JobCallbacks> callbacks_;  // guarded by mutex_, as below
  std::optional<boost::asio::strand<boost::asio::any_io_executor>> strand_;  ///< of callbacks
  std::deque<Told> told_;
  std::optional<Ended> end_;  ///< until it was given to who waits
  Resume resume_;
  std::size_t reports_ = 0;
  bool begun_ = false;
  bool over_ = false;
  bool telling_ = false;        ///< some thread calls the listener
  bool ending_ = false;         ///< its result is being checked: nothing after it counts
  bool cancel_untold_ = false;  ///< withdrawn before listen()
  bool stopped_ = false;        ///< ended from outside
};

}  // namespace interline::engine
