#include "engine/job_run.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "engine/suspend.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::engine {
namespace {

// Reports that may wait before ready() makes the reader of a worker's output wait too.
constexpr std::size_t kReadyBelow = 64;
// Beyond this, lines of the log are dropped: nothing else may be.
constexpr std::size_t kLogBelow = 256;

tasks::Question to_question(AskedQuestion asked, std::string id) {
  tasks::Question question;
  question.id = std::move(id);
  question.key = std::move(asked.key);
  question.kind = asked.kind;
  question.text = std::move(asked.text);
  question.schema = std::move(asked.schema);
  question.url = std::move(asked.url);
  question.expires_in = asked.expires_in;
  question.reasks_left = asked.reasks;
  return question;
}

void merge(tasks::Progress& older, tasks::Progress newer) {
  if (newer.percent) older.percent = newer.percent;
  if (newer.stage) older.stage = std::move(newer.stage);
  if (newer.message) older.message = std::move(newer.message);
}

bool in_range(double percent) {
  return percent >= 0 && percent <= 100;
}

}  // namespace

JobRun::JobRun(JobServices& services, JobInput input, std::string task, std::string endpoint,
               std::shared_ptr<const catalog::Manifest> manifest, tasks::State state)
    : services_(services),
      input_(std::move(input)),
      task_(std::move(task)),
      endpoint_(std::move(endpoint)),
      manifest_(std::move(manifest)),
      strand_(boost::asio::make_strand(services.executor)),
      started_(state != tasks::State::accepted) {}

void JobRun::listen(JobCallbacks callbacks) {
  const std::lock_guard lock(mutex_);
  callbacks_ = std::move(callbacks);
  listening_ = true;
  for (auto& callback : undelivered_) boost::asio::post(strand_, std::move(callback));
  undelivered_.clear();
}

void JobRun::progress(ProgressReport report) {
  tasks::Progress progress;
  if (report.percent && in_range(*report.percent)) progress.percent = report.percent;
  progress.stage = std::move(report.stage);
  progress.message = std::move(report.message);
  if (!progress.percent && !progress.stage && !progress.message) return;
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  if (held_progress_) {
    merge(*held_progress_, std::move(progress));
    return;
  }
  if (progress_pause_ || paused_for_input_) {
    held_progress_ = std::move(progress);
    return;
  }
  progress_pause_ = true;
  services_.progress_line->add(shared_from_this());
  start_first();
  enqueue(Report{std::move(progress), {}, nullptr});
}

void JobRun::log(std::string level, std::string data_json) {
  if (data_json.size() > services_.limits.log_bytes) return;
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.member("level", level);
  writer.raw_member("data", data_json);
  writer.end_object();
  const std::lock_guard lock(mutex_);
  if (!accepts() || queue_.size() >= kLogBelow) {
    ++discarded_;
    return;
  }
  start_first();
  enqueue(Report{tasks::Note{tasks::EntryType::log, std::move(body)}, {}, nullptr});
}

void JobRun::output(tasks::ArtifactChunk chunk) {
  if (chunk.parts.size() > services_.limits.chunk_bytes) {
    fail(tasks::Failure(std::string(tasks::failure_code::kResultTooLarge),
                        "A part of the tool's output is larger than this gateway keeps.", false));
    return;
  }
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  start_first();
  enqueue(Report{tasks::Output{std::move(chunk)}, {}, nullptr});
}

void JobRun::ask(std::vector<AskedQuestion> questions, std::optional<std::string> state,
                 std::function<void(const Error&)> on_refused) {
  tasks::Ask command;
  command.state = std::move(state);
  for (AskedQuestion& asked : questions) {
    if (const Result<void> checked = check_question(asked, services_.limits); !checked) {
      if (on_refused) on_refused(checked.error());
      return;
    }
    command.questions.push_back(to_question(std::move(asked), services_.writer->fresh_id()));
  }
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  if (command.state) ending_ = true;
  paused_for_input_ = true;
  started_ = true;  // asking shows life too: accepted goes to input_required directly
  enqueue(Report{std::move(command), std::move(on_refused), nullptr});
}

void JobRun::complete(std::string result_json) {
  const catalog::Tool* tool = manifest_->find_tool(input_.tool);
  std::expected<std::string, tasks::Failure> checked =
      check_result(result_json, *tool, services_.limits);
  if (!checked) {
    fail(std::move(checked.error()));
    return;
  }
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  ending_ = true;
  enqueue(Report{tasks::Complete{*std::move(checked), std::nullopt}, {}, nullptr});
}

void JobRun::fail(tasks::Failure failure) {
  const bool ours = failure.code == tasks::failure_code::kResultTooLarge;
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  ending_ = true;
  enqueue(Report{
      tasks::Fail{ours ? std::move(failure) : safe_failure(std::move(failure))}, {}, nullptr});
}

void JobRun::cancelled(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  if (!accepts()) {
    ++discarded_;
    return;
  }
  ending_ = true;
  enqueue(Report{tasks::ConfirmCancelled{std::move(reason)}, {}, nullptr});
}

awaitable<Result<void>> JobRun::remember(std::string memory) {
  auto self = shared_from_this();
  auto start = [self, &memory](Resume resume) {
    const std::lock_guard lock(self->mutex_);
    if (!self->accepts()) {
      resume(interline::fail(ErrorKind::conflict, ErrorReason::terminal, "The task has settled."));
      return;
    }
    self->enqueue(Report{
        tasks::Remember{std::move(memory)}, {}, std::make_shared<Resume>(std::move(resume))});
  };
  co_return co_await suspend<Result<void>>(std::move(start));
}

awaitable<void> JobRun::ready() {
  auto self = shared_from_this();
  auto start = [self](Resume resume) {
    const std::lock_guard lock(self->mutex_);
    if (self->queue_.size() < kReadyBelow || self->ended_) {
      resume({});
    } else {
      self->waiting_ready_.push_back(std::move(resume));
    }
  };
  const Result<void> ignored = co_await suspend<Result<void>>(std::move(start));
  (void)ignored;
}

void JobRun::deliver(std::vector<tasks::Answer> answers) {
  const std::lock_guard lock(mutex_);
  for (tasks::Answer& answer : answers) {
    call([self = shared_from_this(), answer = std::move(answer)] {
      if (self->callbacks_.on_input) self->callbacks_.on_input(answer);
    });
  }
}

void JobRun::deliver_cancel(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  call([self = shared_from_this(), reason = std::move(reason)] {
    if (self->callbacks_.on_cancel) self->callbacks_.on_cancel(reason);
  });
}

void JobRun::stop() {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  call([self = shared_from_this()] {
    if (self->callbacks_.on_stop) self->callbacks_.on_stop();
  });
  end();
}

void JobRun::start_due() {
  const std::lock_guard lock(mutex_);
  if (accepts()) start_first();
}

void JobRun::progress_due() {
  const std::lock_guard lock(mutex_);
  progress_pause_ = false;
  if (!held_progress_ || paused_for_input_ || !accepts()) return;
  progress_pause_ = true;
  services_.progress_line->add(shared_from_this());
  start_first();
  enqueue(Report{*std::exchange(held_progress_, std::nullopt), {}, nullptr});
}

void JobRun::retry_due() {
  const std::lock_guard lock(mutex_);
  if (in_flight_ || ended_) return;
  send_next();
}

void JobRun::resumed() {
  {
    const std::lock_guard lock(mutex_);
    paused_for_input_ = false;
    if (progress_pause_) return;
  }
  progress_due();
}

std::size_t JobRun::discarded() const {
  const std::lock_guard lock(mutex_);
  return discarded_;
}

void JobRun::start_first() {
  if (std::exchange(started_, true)) return;
  enqueue(Report{tasks::Start{}, {}, nullptr});
}

void JobRun::enqueue(Report report) {
  queue_.push_back(std::move(report));
  if (!in_flight_) send_next();
}

void JobRun::send_next() {
  if (queue_.empty()) return;
  in_flight_ = true;
  const Result<void> queued =
      services_.writer->submit(task_, queue_.front().command, {},
                               [self = shared_from_this()](Result<TaskWriter::Applied> answer) {
                                 self->sent(std::move(answer));
                               });
  if (queued) return;
  in_flight_ = false;
  services_.retry_line->add(shared_from_this());
}

void JobRun::sent(Result<TaskWriter::Applied> answer) {
  const std::lock_guard lock(mutex_);
  in_flight_ = false;
  if (ended_) return;
  if (!answer && answer.error().kind != ErrorKind::not_found) {
    services_.retry_line->add(shared_from_this());  // the report stays first in the queue
    return;
  }
  Report report = std::move(queue_.front());
  queue_.pop_front();
  const bool gone = !answer;
  const tasks::Reply* reply = gone ? nullptr : &answer->outcome.reply;
  const bool refused = gone || reply->kind == tasks::Reply::Kind::refused;
  if (report.resume) {
    if (refused) {
      (*report.resume)(std::unexpected(gone ? answer.error() : *reply->error));
    } else {
      (*report.resume)({});
    }
  }
  if (refused && report.on_refused) {
    ending_ = false;  // a refused question ends nothing
    paused_for_input_ = false;
    call([refuse = std::move(report.on_refused), error = gone ? answer.error() : *reply->error] {
      refuse(error);
    });
  }
  if (!gone && reply->kind == tasks::Reply::Kind::held) {
    paused_for_input_ = true;
    auto& kept = std::get<tasks::Progress>(report.command);
    if (held_progress_) merge(kept, *std::move(held_progress_));
    held_progress_ = std::move(kept);
  }
  const bool over = gone || tasks::is_terminal(answer->task.state);
  const bool suspended = !gone && !refused && std::holds_alternative<tasks::Ask>(report.command) &&
                         answer->task.suspended.has_value();
  if (over || suspended) {
    end();
    return;
  }
  if (queue_.size() < kReadyBelow) wake_ready();
  send_next();
}

void JobRun::end() {
  if (std::exchange(ended_, true)) return;
  for (Report& report : queue_) {
    if (report.resume) {
      (*report.resume)(
          interline::fail(ErrorKind::conflict, ErrorReason::terminal, "The task has settled."));
    }
  }
  discarded_ += queue_.size();
  queue_.clear();
  wake_ready();
  boost::asio::post(strand_, [self = shared_from_this()] {
    self->callbacks_ = {};  // they may hold the job itself
    self->services_.ended(*self);
  });
}

void JobRun::wake_ready() {
  for (Resume& resume : waiting_ready_) resume({});
  waiting_ready_.clear();
}

void JobRun::call(std::function<void()> callback) {
  if (!listening_) {
    undelivered_.push_back(std::move(callback));
    return;
  }
  boost::asio::post(strand_, std::move(callback));
}

}  // namespace interline::engine
