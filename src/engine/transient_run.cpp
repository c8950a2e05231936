#include "engine/transient_run.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "engine/result_check.hpp"
#include "tasks/apply.hpp"
#include "tasks/event_body.hpp"

namespace interline::engine {
namespace {

Error shut_down() {
  return {ErrorKind::unavailable, "The gateway is being shut down."};
}

RunOutcome failed(tasks::Failure failure) {
  RunOutcome outcome;
  outcome.state = tasks::State::failed;
  outcome.failure = std::move(failure);
  return outcome;
}

RunOutcome was_cancelled() {
  RunOutcome outcome;
  outcome.state = tasks::State::cancelled;
  return outcome;
}

std::expected<std::string, tasks::Failure> check_end(std::string_view result,
                                                     const catalog::Tool& tool,
                                                     const OutputLimits& limits,
                                                     const BodyGuard& guard) {
  auto checked = check_result(result, tool, limits);
  if (!checked || !guard) return checked;
  if (!guard(tasks::EntryType::completed, tasks::completed_body(*checked, std::nullopt))) {
    return std::unexpected(tasks::Failure(std::string(tasks::failure_code::kResultTooLarge),
                                          "The result is larger than its caller's network carries.",
                                          false));
  }
  return checked;
}

}  // namespace

// --- the runtime's side -------------------------------------------------------------------------

void TransientRun::listen(JobCallbacks callbacks) {
  const std::lock_guard lock(mutex_);
  if (over_) {
    if (stopped_ && callbacks.on_stop) call(std::move(callbacks.on_stop));
    return;
  }
  callbacks_ = std::make_shared<const JobCallbacks>(std::move(callbacks));
  if (std::exchange(cancel_untold_, false)) tell_cancel();
}

void TransientRun::progress(ProgressReport report) {
  if (!parts_.reports_progress || !parts_.listener.progress) return;
  if (report.percent && (*report.percent < 0 || *report.percent > 100)) report.percent.reset();
  if (!report.percent && !report.stage && !report.message) return;
  tell(std::move(report));
}

void TransientRun::log(std::string level, std::string data_json) {
  if (!parts_.listener.log) return;
  if (data_json.size() > parts_.services->limits.log_bytes) return discard();
  tell(Line{std::move(level), std::move(data_json)});
}

void TransientRun::output(tasks::ArtifactChunk) {
  discard();
}

void TransientRun::ask(std::vector<AskedQuestion>, std::optional<std::string>,
                       std::function<void(const Error&)> on_refused) {
  const std::lock_guard lock(mutex_);
  if (!accepts()) return discard();
  if (!on_refused) return;
  call([refuse = std::move(on_refused)] {
    refuse(Error(ErrorKind::not_acceptable, "A call without a task cannot ask."));
  });
}

void TransientRun::complete(std::string result_json) {
  {
    const std::lock_guard lock(mutex_);
    if (!accepts()) return discard();
    ending_ = true;
    if (result_json.size() > kCheckInPlace) {
      boost::asio::post(
          parts_.services->workers, [self = shared_from_this(), result = std::move(result_json)] {
            const Parts& parts = self->parts_;
            self->checked(check_end(result, *parts.manifest->find_tool(parts.input.tool),
                                    parts.services->limits, parts.guard));
          });
      return;
    }
  }
  checked(check_end(result_json, *parts_.manifest->find_tool(parts_.input.tool),
                    parts_.services->limits, parts_.guard));
}

void TransientRun::checked(std::expected<std::string, tasks::Failure> result) {
  if (!result) return finish(failed(std::move(result.error())), false);
  RunOutcome outcome;
  outcome.result = *std::move(result);
  finish(std::move(outcome), false);
}

void TransientRun::fail(tasks::Failure failure) {
  {
    const std::lock_guard lock(mutex_);
    if (!accepts()) return discard();
    ending_ = true;
  }
  finish(failed(safe_failure(std::move(failure))), false);
}

void TransientRun::cancelled(std::optional<std::string>) {
  {
    const std::lock_guard lock(mutex_);
    if (!accepts()) return discard();
    ending_ = true;
  }
  finish(was_cancelled(), false);
}

awaitable<Result<void>> TransientRun::remember(std::string) {
  co_return interline::fail(ErrorKind::not_acceptable, "Nothing of a call without a task is kept.");
}

awaitable<void> TransientRun::ready() {
  co_return;
}

// --- the listener -------------------------------------------------------------------------------

void TransientRun::tell(Told told) {
  {
    const std::lock_guard lock(mutex_);
    if (!accepts() || reports_ >= parts_.services->limits.log_entries) return discard();
    ++reports_;
    told_.push_back(std::move(told));
    if (std::exchange(telling_, true)) return;
  }
  tell_all();
}

/// Until nothing is left to be told; then the end, if it has come meanwhile.
void TransientRun::tell_all() {
  Resume resume;
  std::optional<Ended> end;
  for (;;) {
    std::deque<Told> next;
    {
      const std::lock_guard lock(mutex_);
      if (told_.empty()) {
        telling_ = false;
        if (!over_ || !resume_) return;
        resume = std::exchange(resume_, nullptr);
        end = std::exchange(end_, std::nullopt);
        break;
      }
      next.swap(told_);
    }
    for (const Told& one : next) tell_one(one);
  }
  resume(*std::move(end));
}

void TransientRun::tell_one(const Told& told) const {
  if (const auto* report = std::get_if<ProgressReport>(&told)) {
    parts_.listener.progress(*report);
  } else {
    const Line& line = std::get<Line>(told);
    parts_.listener.log(line.level, line.data);
  }
}

// --- the end ------------------------------------------------------------------------------------

void TransientRun::finish(Ended ended, bool stop_work) {
  Resume resume;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(over_, true)) return;
    stopped_ = stop_work;
    if (stop_work && callbacks_) {
      call([callbacks = callbacks_] {
        if (callbacks->on_stop) callbacks->on_stop();
      });
    }
    if (telling_ || !resume_) {
      end_.emplace(std::move(ended));
      return;
    }
    resume = std::exchange(resume_, nullptr);
  }
  resume(std::move(ended));
}

std::optional<TransientRun::Ended> TransientRun::ended() {
  const std::lock_guard lock(mutex_);
  return telling_ ? std::nullopt : std::exchange(end_, std::nullopt);
}

void TransientRun::wait(Resume resume) {
  const std::lock_guard lock(mutex_);
  if (end_ && !telling_) return resume(*std::exchange(end_, std::nullopt));
  resume_ = std::move(resume);
}

void TransientRun::release() {
  // What these hold may hold this run, and ends without the lock.
  std::shared_ptr<const JobCallbacks> callbacks;
  Resume resume;
  const std::lock_guard lock(mutex_);
  over_ = true;  // also where the caller was destroyed
  callbacks.swap(callbacks_);
  resume.swap(resume_);
}

bool TransientRun::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (over_ || begun_) return false;
    begun_ = parts_.clock->now() < parts_.due;  // exactly, however late the timer is
    if (begun_) return true;
  }
  deadline_passed();
  return false;
}

void TransientRun::withdraw() {
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    if (begun_ && parts_.cancellable) {
      if (callbacks_) {
        tell_cancel();
      } else {
        cancel_untold_ = true;
      }
      parts_.services->patience_line->add(shared_from_this());
      return;
    }
  }
  finish(was_cancelled(), true);
}

void TransientRun::out_of_patience() {
  finish(was_cancelled(), true);
}

void TransientRun::deadline_passed() {
  finish(failed(tasks::deadline_failure(parts_.deadline_source)), true);
}

void TransientRun::interrupt() {
  bool begun = false;
  {
    const std::lock_guard lock(mutex_);
    begun = begun_;
  }
  if (!begun) return finish(std::unexpected(shut_down()), false);
  finish(failed(tasks::Failure(std::string(tasks::failure_code::kUnavailable),
                               "The gateway was shut down while the tool was at work; whether it "
                               "finished is unknown.",
                               false)),
         true);
}

void TransientRun::abandon() {
  finish(std::unexpected(shut_down()), false);
}

// --- callbacks ----------------------------------------------------------------------------------

void TransientRun::call(std::function<void()> callback) {
  if (!strand_) strand_.emplace(boost::asio::make_strand(parts_.services->executor));
  boost::asio::post(*strand_, std::move(callback));
}

void TransientRun::tell_cancel() {
  call([self = shared_from_this()] {
    std::shared_ptr<const JobCallbacks> listener;
    {
      const std::lock_guard lock(self->mutex_);
      if (!self->over_) listener = self->callbacks_;
    }
    if (listener && listener->on_cancel) listener->on_cancel(std::nullopt);
  });
}

}  // namespace interline::engine
