// A job's queue: one report in the committer at a time, in the order in which they were made.
#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "engine/followups.hpp"
#include "engine/job_run.hpp"

namespace interline::engine {
namespace {

tasks::Failure could_not_be_stored() {
  return {std::string(tasks::failure_code::kInternalError),
          "What the tool delivered could not be stored.", false};
}

using NoQuestions = std::vector<tasks::Question>;

bool is_end(const tasks::Command& command) {
  return std::holds_alternative<tasks::Complete>(command) ||
         std::holds_alternative<tasks::Fail>(command) ||
         std::holds_alternative<tasks::ConfirmCancelled>(command);
}

/// What may be lost for the sake of what must not.
bool is_expendable(const tasks::Command& command) {
  return std::holds_alternative<tasks::Progress>(command) ||
         std::holds_alternative<tasks::Note>(command);
}

}  // namespace

void JobRun::start_first() {
  if (std::exchange(started_, true)) return;
  enqueue(std::make_shared<Report>(tasks::Start{}));
}

/// A question on its way shows life too: from accepted straight to input_required.
void JobRun::start_due() {
  const std::lock_guard lock(mutex_);
  start_overdue_ = true;
  go_on();
}

void JobRun::progress_due() {
  const std::lock_guard lock(mutex_);
  progress_pause_ = false;
  go_on();
}

void JobRun::ask_due() {
  const std::lock_guard lock(mutex_);
  --asked_lately_;
  send_next();
}

void JobRun::retry_due() {
  const std::lock_guard lock(mutex_);
  send_next();
}

void JobRun::resumed() {
  const std::lock_guard lock(mutex_);
  held_back_ = false;
  go_on();
}

/// While questions are open, or on their way, nothing is said of progress: an answer names the
/// revision that its caller has seen.
bool JobRun::waits_for_input() const {
  return held_back_ || !open_.empty() ||
         std::ranges::any_of(queue_, [](const ReportPointer& report) {
           return std::holds_alternative<tasks::Ask>(report->command);
         });
}

/// Sends what was held back for a question, unless one is open still. Whatever ends a question
/// comes here: its answer, and its refusal.
void JobRun::go_on() {
  if (!accepts() || waits_for_input()) return;
  if (start_overdue_) start_first();
  if (held_progress_ && !progress_pause_) send_progress(*std::exchange(held_progress_, {}));
}

void JobRun::send_progress(tasks::Progress progress) {
  progress_pause_ = true;
  services_->progress_line->add(shared_from_this());
  start_first();
  enqueue(std::make_shared<Report>(std::move(progress)));
}

// --- checks -------------------------------------------------------------------------------------

/// Small things are checked where they come from, in order; costly ones on the pool.
void JobRun::check(ReportPointer report, std::size_t cost, Check check) {
  if (cost <= kCheckInPlace) {
    checked(report, check());
    return;
  }
  const std::lock_guard lock(mutex_);
  check_on_pool(std::move(report), std::move(check));
}

void JobRun::check_on_pool(ReportPointer report, Check check) {
  if (ended_) return;  // the pool may be gone
  boost::asio::post(services_->workers,
                    [self = shared_from_this(), report = std::move(report),
                     check = std::move(check)]() mutable { self->checked(report, check()); });
}

void JobRun::checked(const ReportPointer& report, Result<tasks::Command> command) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  report->checking = false;
  if (!command) {
    std::erase(queue_, report);
    refused(*report, command.error());
    go_on();
  } else {
    report->command = *std::move(command);
    if (is_end(report->command)) ending_ = true;
  }
  send_next();
}

// --- commits ------------------------------------------------------------------------------------

void JobRun::enqueue(ReportPointer report) {
  queue_.push_back(std::move(report));
  send_next();
}

void JobRun::send_next() {
  if (in_flight_ || ended_ || queue_.empty()) return;
  if (AskCheck check = std::exchange(queue_.front()->check_beside, {})) {
    // All that was asked before it is committed or refused; later, answers can only make it less.
    check_on_pool(queue_.front(),
                  [check = std::move(check), open = anew_ ? NoQuestions() : open_]() mutable {
                    return check(open);
                  });
  }
  if (queue_.front()->checking) return;
  tasks::Command& command = queue_.front()->command;
  if (auto* asks = std::get_if<tasks::Ask>(&command)) {
    if (asked_lately_ >= services_->limits.asks) return;  // ask_due() goes on
    asks->anew = anew_;
  }
  in_flight_ = true;
  const Result<void> queued = services_->writer->submit(
      task_, command, {}, [self = shared_from_this()](Result<TaskWriter::Applied> answer) {
        self->sent(std::move(answer));
      });
  if (queued) return;
  in_flight_ = false;
  make_way();
  services_->retry_line->add(shared_from_this());
}

/// A store that has no room takes ends and answers all the same: they are not kept waiting by what
/// may be lost.
void JobRun::make_way() {
  while (ending_ && queue_.size() > 1 && is_expendable(queue_.front()->command)) {
    queue_.pop_front();
    discard();
  }
}

void JobRun::sent(Result<TaskWriter::Applied> answer) {
  const std::lock_guard lock(mutex_);
  in_flight_ = false;
  if (ended_) return;
  if (may_be_repeated(answer)) {  // the report stays first in the queue
    if (answer) return send_next();
    make_way();
    services_->retry_line->add(shared_from_this());
    return;
  }
  const ReportPointer report = std::move(queue_.front());
  queue_.pop_front();
  waiting_bytes_ -= report->bytes;
  if (!answer) {
    could_not_store(*report, answer.error());
    if (answer.error().kind == ErrorKind::not_found) return end();
    go_on();
    return send_next();
  }
  sequence_ = answer->task.sequence;
  const tasks::Reply& reply = answer->outcome.reply;
  if (reply.kind == tasks::Reply::Kind::refused) {
    refused(*report, *reply.error);
  } else if (report->resume) {
    report->resume({});
  }
  const auto* asked = std::get_if<tasks::Ask>(&report->command);
  const bool now_asked = asked != nullptr && reply.kind == tasks::Reply::Kind::accepted;
  if (now_asked) {
    if (std::exchange(anew_, false)) open_.clear();
    open_.insert(open_.end(), asked->questions.begin(), asked->questions.end());
    started_ = true;
    ++asked_lately_;
    services_->ask_line->add(shared_from_this());
  }
  if (reply.kind == tasks::Reply::Kind::held) {
    held_back_ = true;
    auto& kept = std::get<tasks::Progress>(report->command);
    if (held_progress_) merge(kept, *std::move(held_progress_));
    held_progress_ = std::move(kept);
  }
  const bool put_back = std::holds_alternative<tasks::Undispatch>(report->command);
  if (tasks::is_terminal(answer->task.state) || (now_asked && asked->state) || put_back) {
    return end();
  }
  if (!crowded()) wake_ready();
  go_on();
  send_next();
}

void JobRun::refused(Report& report, const Error& error) {
  if (report.resume) report.resume(std::unexpected(error));
  if (!std::holds_alternative<tasks::Ask>(report.command)) return;
  if (report.on_refused) call([refuse = std::move(report.on_refused), error] { refuse(error); });
  if (!report.suspends) return;
  ending_ = false;  // a refused question ends nothing
  if (interrupted_) end_interrupted();
}

/// The store takes this report neither now nor later.
void JobRun::could_not_store(Report& report, const Error& error) {
  refused(report, error);
  if (std::holds_alternative<tasks::Undispatch>(report.command)) return end();
  const bool lost = std::holds_alternative<tasks::Output>(report.command) || is_end(report.command);
  if (!lost || error.kind == ErrorKind::not_found) return discard();
  if (std::exchange(last_resort_, true)) return end();
  ending_ = true;
  queue_.push_front(std::make_shared<Report>(tasks::Fail{could_not_be_stored()}));
}

void JobRun::end() {
  if (std::exchange(ended_, true)) return;
  for (const ReportPointer& report : queue_) {
    if (report->resume) {
      report->resume(
          interline::fail(ErrorKind::conflict, ErrorReason::terminal, "The task has settled."));
    }
  }
  services_->discarded += queue_.size();
  queue_.clear();
  undelivered_.clear();
  wake_ready();
  boost::asio::post(strand_, [self = shared_from_this()] {
    {
      const std::lock_guard lock(self->mutex_);
      self->callbacks_ = nullptr;  // they may hold the job itself
    }
    self->services_->ended(*self);
  });
}

void JobRun::wake_ready() {
  for (Resume& resume : waiting_ready_) resume({});
  waiting_ready_.clear();
}

}  // namespace interline::engine
