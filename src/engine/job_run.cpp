// What a runtime may call: each report is checked, bounded and queued.
#include "engine/job_run.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "engine/suspend.hpp"
#include "json/writer.hpp"
#include "tasks/event_body.hpp"
#include "tasks/give_input.hpp"

namespace interline::engine {
namespace {

// Reports, and bytes of output, that may wait before ready() makes the reader of a worker's output
// wait too. Work that does not use ready() is failed at the second bounds.
constexpr std::size_t kReadyBelow = 64;
constexpr std::size_t kReadyBelowBytes = 4U << 20U;
constexpr std::size_t kFullAt = 1'024;
constexpr std::size_t kFullAtBytes = 16U << 20U;
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

bool in_range(double percent) {
  return percent >= 0 && percent <= 100;
}

tasks::Failure too_large(std::string message) {
  return {std::string(tasks::failure_code::kResultTooLarge), std::move(message), false};
}

Error too_many() {
  return {ErrorKind::resource_constraint, ErrorReason::too_many,
          "The task has asked too many questions."};
}

/// The request as it would be shown, with every open question.
std::string request_body(const std::vector<tasks::Question>& open,
                         const std::vector<tasks::Question>& more, std::string id) {
  tasks::InputRequest request;
  request.id = std::move(id);
  request.questions = open;
  request.questions.insert(request.questions.end(), more.begin(), more.end());
  for (tasks::Question& question : request.questions) {
    if (question.expires_in.count() > 0) question.expires_at = request.created;
  }
  return tasks::input_required_body(request);
}

Result<tasks::Command> check_ask(std::vector<AskedQuestion> asked, tasks::Ask ask,
                                 const std::vector<tasks::Question>& open, TaskWriter& writer,
                                 const OutputLimits& limits, const BodyGuard& guard) {
  for (AskedQuestion& one : asked) {
    if (Result<void> checked = check_question(one, limits); !checked) {
      return std::unexpected(std::move(checked.error()));
    }
    ask.questions.push_back(to_question(std::move(one), writer.fresh_id()));
  }
  if (guard && !guard(tasks::EntryType::input_required,
                      request_body(open, ask.questions, writer.fresh_id()))) {
    return interline::fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                           "The question is larger than its caller's network carries.");
  }
  return ask;
}

tasks::Command check_end(const std::string& result, const catalog::Tool& tool,
                         const OutputLimits& limits, const BodyGuard& guard) {
  std::expected<std::string, tasks::Failure> checked = check_result(result, tool, limits);
  if (!checked) return tasks::Fail{std::move(checked.error())};
  if (guard && !guard(tasks::EntryType::completed, tasks::completed_body(*checked, std::nullopt))) {
    return tasks::Fail{too_large("The result is larger than its caller's network carries.")};
  }
  return tasks::Complete{*std::move(checked), std::nullopt};
}

}  // namespace

JobRun::JobRun(std::shared_ptr<JobServices> services, JobInput input, const tasks::Task& task,
               BodyGuard guard)
    : services_(std::move(services)),
      input_(std::move(input)),
      task_(task.id()),
      endpoint_(task.admission->endpoint),
      guard_(std::move(guard)),
      strand_(boost::asio::make_strand(services_->executor)),
      open_(task.pending ? task.pending->questions : std::vector<tasks::Question>()),
      sequence_(task.sequence),
      anew_(task.pending && input_.open_questions.empty()),
      started_(task.state != tasks::State::accepted) {}

void JobRun::use_manifest(std::shared_ptr<const catalog::Manifest> manifest) {
  const std::lock_guard lock(mutex_);
  manifest_ = std::move(manifest);
}

std::string JobRun::tool_definition() const {
  const std::lock_guard lock(mutex_);
  return manifest_ ? manifest_->find_tool(input_.tool)->definition : std::string();
}

bool JobRun::begin() {
  const std::lock_guard lock(mutex_);
  if (!accepts()) return false;
  begun_ = true;
  return true;
}

/// Questions are committed slowly: more of them than can be open would hold up, in ready(),
/// whatever else their worker's process does.
std::size_t JobRun::asks_waiting() const {
  return static_cast<std::size_t>(std::ranges::count_if(queue_, [](const auto& report) {
    return std::holds_alternative<tasks::Ask>(report->command);
  }));
}

bool JobRun::crowded() const {
  return queue_.size() >= kReadyBelow || waiting_bytes_ >= kReadyBelowBytes;
}

bool JobRun::full() const {
  return queue_.size() >= kFullAt || waiting_bytes_ >= kFullAtBytes;
}

/// A task's log is bounded as a whole; room is left for what changes its state.
bool JobRun::log_is_full() const {
  return sequence_ + queue_.size() >= services_->limits.log_entries;
}

void JobRun::merge(tasks::Progress& older, tasks::Progress newer) {
  if (newer.percent) older.percent = newer.percent;
  if (newer.stage) older.stage = std::move(newer.stage);
  if (newer.message) older.message = std::move(newer.message);
}

void JobRun::progress(ProgressReport report) {
  tasks::Progress progress;
  if (report.percent && in_range(*report.percent)) progress.percent = report.percent;
  progress.stage = std::move(report.stage);
  progress.message = std::move(report.message);
  if (!progress.percent && !progress.stage && !progress.message) return;
  const std::lock_guard lock(mutex_);
  if (!accepts() || log_is_full()) return discard();
  if (held_progress_) return merge(*held_progress_, std::move(progress));
  if (progress_pause_ || waits_for_input()) {
    held_progress_ = std::move(progress);
    return;
  }
  send_progress(std::move(progress));
}

void JobRun::log(std::string level, std::string data_json) {
  std::string body;
  const bool fits = data_json.size() <= services_->limits.log_bytes;
  if (fits) {
    json::Writer writer(body);
    writer.begin_object();
    writer.member("level", level);
    writer.raw_member("data", data_json);
    writer.end_object();
  }
  const std::lock_guard lock(mutex_);
  if (!fits || !accepts() || queue_.size() >= kLogBelow || log_is_full()) return discard();
  start_first();
  enqueue(std::make_shared<Report>(tasks::Note{tasks::EntryType::log, std::move(body)}));
}

void JobRun::output(tasks::ArtifactChunk chunk) {
  const std::size_t bytes = chunk.parts.size();
  auto report = std::make_shared<Report>(tasks::Output{});
  {
    const std::lock_guard lock(mutex_);
    if (!accepts()) return discard();
    const OutputLimits& limits = services_->limits;
    output_bytes_ += bytes;
    if (bytes > limits.chunk_bytes || output_bytes_ > limits.artifact_bytes || log_is_full() ||
        full()) {
      ending_ = true;
      enqueue(std::make_shared<Report>(
          tasks::Fail{too_large("The tool's output is larger than this gateway keeps.")}));
      return;
    }
    start_first();
    report->bytes = bytes;
    report->checking = true;
    waiting_bytes_ += bytes;
    enqueue(report);
  }
  auto read = [chunk = std::move(chunk),
               depth = services_->limits.json_depth]() mutable -> Result<tasks::Command> {
    if (std::optional<tasks::Failure> fault = check_chunk(chunk, depth)) {
      return tasks::Fail{*std::move(fault)};
    }
    return tasks::Output{std::move(chunk)};
  };
  check(std::move(report), bytes, std::move(read));
}

void JobRun::ask(std::vector<AskedQuestion> questions, std::optional<std::string> state,
                 std::function<void(const Error&)> on_refused) {
  auto report = std::make_shared<Report>(tasks::Ask{});
  report->on_refused = std::move(on_refused);
  report->suspends = state.has_value();
  report->checking = true;
  const std::lock_guard lock(mutex_);
  if (!accepts()) return discard();
  if (full() || questions.size() > tasks::kMaxOpenQuestions ||
      asks_waiting() >= tasks::kMaxOpenQuestions) {
    if (report->on_refused) {
      call([refuse = std::move(report->on_refused)] { refuse(too_many()); });
    }
    return;
  }
  tasks::Ask command;
  command.state = std::move(state);
  report->check_beside = [this, questions = std::move(questions), command = std::move(command)](
                             const std::vector<tasks::Question>& open) mutable {
    return check_ask(std::move(questions), std::move(command), open, *services_->writer,
                     services_->limits, guard_);
  };
  if (report->suspends) ending_ = true;
  enqueue(std::move(report));
}

void JobRun::complete(std::string result_json) {
  auto report = std::make_shared<Report>(tasks::Complete{});
  report->checking = true;
  std::shared_ptr<const catalog::Manifest> manifest;
  {
    const std::lock_guard lock(mutex_);
    if (!accepts()) return discard();
    ending_ = true;
    manifest = manifest_;
    enqueue(report);
  }
  const std::size_t bytes = result_json.size();
  auto read = [this, manifest = std::move(manifest),
               result = std::move(result_json)]() -> Result<tasks::Command> {
    return check_end(result, *manifest->find_tool(input_.tool), services_->limits, guard_);
  };
  check(std::move(report), bytes, std::move(read));
}

void JobRun::fail(tasks::Failure failure) {
  const std::lock_guard lock(mutex_);
  if (!accepts()) return discard();
  ending_ = true;
  enqueue(std::make_shared<Report>(tasks::Fail{safe_failure(std::move(failure))}));
}

void JobRun::cancelled(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  if (!accepts()) return discard();
  ending_ = true;
  enqueue(std::make_shared<Report>(tasks::ConfirmCancelled{std::move(reason)}));
}

awaitable<Result<void>> JobRun::remember(std::string memory) {
  auto self = shared_from_this();
  auto start = [self, &memory](Resume resume) {
    const std::lock_guard lock(self->mutex_);
    if (!self->accepts()) {
      resume(interline::fail(ErrorKind::conflict, ErrorReason::terminal, "The task has settled."));
    } else if (self->full() || memory.size() > self->services_->limits.memory_bytes) {
      resume(interline::fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                             "There is more to be remembered than this gateway keeps."));
    } else {
      auto report = std::make_shared<Report>(tasks::Remember{std::move(memory)});
      report->resume = std::move(resume);
      self->enqueue(std::move(report));
    }
  };
  co_return co_await suspend<Result<void>>(std::move(start));
}

awaitable<void> JobRun::ready() {
  auto self = shared_from_this();
  auto start = [self](Resume resume) {
    const std::lock_guard lock(self->mutex_);
    if (!self->crowded() || self->ended_) {
      resume({});
    } else {
      self->waiting_ready_.push_back(std::move(resume));
    }
  };
  const Result<void> ignored = co_await suspend<Result<void>>(std::move(start));
  (void)ignored;
}

// --- callbacks ----------------------------------------------------------------------------------

void JobRun::listen(JobCallbacks callbacks) {
  const std::lock_guard lock(mutex_);
  if (ended_) {
    if (stopped_ && callbacks.on_stop) boost::asio::post(strand_, std::move(callbacks.on_stop));
    return;
  }
  callbacks_ = std::make_shared<const JobCallbacks>(std::move(callbacks));
  for (auto& callback : undelivered_) boost::asio::post(strand_, std::move(callback));
  undelivered_.clear();
}

std::shared_ptr<const JobCallbacks> JobRun::listener() const {
  const std::lock_guard lock(mutex_);
  return callbacks_;
}

void JobRun::call(std::function<void()> callback) {
  if (callbacks_) {
    boost::asio::post(strand_, std::move(callback));
  } else if (!ended_) {
    undelivered_.push_back(std::move(callback));
  }
}

void JobRun::deliver(std::vector<tasks::Answer> answers) {
  const std::lock_guard lock(mutex_);
  for (tasks::Answer& answer : answers) {
    std::erase_if(open_, [&answer](const tasks::Question& question) {
      return question.id == answer.question;
    });
    if (anew_) continue;  // this work did not ask
    call([self = shared_from_this(), answer = std::move(answer)] {
      const auto listener = self->listener();
      if (listener && listener->on_input) listener->on_input(answer);
    });
  }
}

bool JobRun::deliver_cancel(std::optional<std::string> reason) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  call([self = shared_from_this(), reason = std::move(reason)] {
    const auto listener = self->listener();
    if (listener && listener->on_cancel) listener->on_cancel(reason);
  });
  open_.clear();  // no question outlives the cancellation, and progress is told again
  held_back_ = false;
  go_on();
  return true;
}

void JobRun::stop() {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  stopped_ = true;
  if (callbacks_) {
    call([callbacks = callbacks_] {
      if (callbacks->on_stop) callbacks->on_stop();
    });
  }
  end();
}

void JobRun::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  end_interrupted();
}

void JobRun::end_interrupted() {
  if (!accepts()) return;
  if (callbacks_) {
    call([callbacks = callbacks_] {
      if (callbacks->on_stop) callbacks->on_stop();
    });
  }
  ending_ = true;
  if (!begun_) {
    enqueue(std::make_shared<Report>(tasks::Undispatch{services_->boot}));
    return;
  }
  enqueue(std::make_shared<Report>(
      tasks::Fail{tasks::Failure(std::string(tasks::failure_code::kUnavailable),
                                 "The gateway was shut down while the tool was at work; whether it "
                                 "finished is unknown.",
                                 false)}));
}

void JobRun::abandon() {
  // What these hold may hold this job, and ends without the lock.
  std::deque<ReportPointer> queue;
  std::vector<std::function<void()>> undelivered;
  std::vector<Resume> ready;
  std::shared_ptr<const JobCallbacks> callbacks;
  const std::lock_guard lock(mutex_);
  ended_ = true;
  queue.swap(queue_);
  undelivered.swap(undelivered_);
  ready.swap(waiting_ready_);
  callbacks.swap(callbacks_);
}

}  // namespace interline::engine
