#include "runtimes/script/call.hpp"

#include <utility>
#include <variant>

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include "json/writer.hpp"
#include "runtimes/script/durations.hpp"

namespace interline::runtimes::script {

Call::Call(const boost::asio::any_io_executor& executor, std::shared_ptr<const Agent> agent,
           const Tool& tool, std::shared_ptr<engine::Job> job, TellChange tell)
    : agent_(std::move(agent)),
      tool_(tool),
      job_(std::move(job)),
      tell_(std::move(tell)),
      timer_(boost::asio::make_strand(executor)) {}

void Call::start() {
  auto resumed = resume();
  if (!resumed) {
    job_->fail(tasks::Failure(std::string(tasks::failure_code::kInternalError),
                              std::move(resumed.error().message), false));
    return;
  }
  engine::JobCallbacks callbacks;
  // The call lives by its timer; its job may keep these longer than it lives.
  const std::weak_ptr<Call> weak = weak_from_this();
  callbacks.on_input = [](const tasks::Answer&) {};  // answers come with the state
  callbacks.on_cancel = [weak](const std::optional<std::string>& reason) {
    const auto self = weak.lock();
    if (!self) return;
    self->on_strand([self, reason] {
      self->stop();
      self->job_->cancelled(reason);
    });
  };
  callbacks.on_stop = [weak] {
    const auto self = weak.lock();
    if (self) self->on_strand([self] { self->stop(); });
  };
  job_->listen(std::move(callbacks));
  on_strand([self = shared_from_this()] { self->advance(); });
}

Result<void> Call::resume() {
  const engine::JobInput& input = job_->input();
  if (!input.state) return {};
  auto state = CallState::read(*input.state);
  if (!state) return std::unexpected(std::move(state.error()));
  state_ = *std::move(state);
  if (state_.next < tool_.steps.size()) {
    const Ask* ask = std::get_if<Ask>(&tool_.steps[state_.next].action);
    if (ask != nullptr) state_.take(*ask, input.answers);
  }
  return {};
}

void Call::on_strand(std::function<void()> act) {
  boost::asio::post(timer_.get_executor(), [self = shared_from_this(), act = std::move(act)] {
    if (!self->stopped_) act();
  });
}

void Call::stop() {
  stopped_ = true;
  timer_.cancel();
}

void Call::advance() {
  const tasks::QuestionKinds answerable = job_->input().answerable;
  while (!stopped_ && state_.next < tool_.steps.size()) {
    const Step& step = tool_.steps[state_.next];
    if (holds(step.condition, state_, answerable) &&
        !std::visit([this](const auto& action) { return take(action); }, step.action)) {
      return;
    }
    ++state_.next;
  }
  if (!stopped_) complete(false);
}

Known Call::known() const {
  const std::string answers = state_.answers_text();
  Known::Parts parts;
  parts.arguments = job_->input().arguments;
  parts.answers = answers;
  return Known(parts);
}

void Call::complete(bool is_error) {
  std::string result;
  json::Writer writer(result);
  writer.begin_object();
  writer.name("content");
  writer.begin_array();
  for (const std::string& block : state_.content) writer.raw(block);
  writer.end_array();
  if (!state_.structured.empty()) writer.raw_member("structuredContent", state_.structured);
  if (is_error) writer.member("isError", true);
  writer.end_object();
  stop();
  job_->complete(std::move(result));
}

void Call::fail(std::string code, std::string message, std::string details) {
  tasks::Failure failure(std::move(code), std::move(message), false);
  failure.details = std::move(details);
  stop();
  job_->fail(std::move(failure));
}

// --- steps ---------------------------------------------------------------------------------------

bool Call::take(const Say& say) {
  state_.content.push_back(say.block.fill(known()));
  return true;
}

bool Call::take(const Structured& structured) {
  state_.structured = structured.value.fill(known());
  return true;
}

bool Call::take(const Wait& wait) {
  const std::string text = wait.duration.fill(known());
  const auto duration = read_duration(text);
  if (!duration) return take(ToolError{TextTemplate::read("no duration to wait").value()});
  ++state_.next;
  timer_.expires_after(*duration);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && !self->stopped_) self->advance();
  });
  return false;
}

bool Call::take(const ReportProgress& report) {
  engine::ProgressReport progress;
  progress.percent = report.percent;
  if (!report.message.empty()) progress.message = report.message.fill(known());
  job_->progress(std::move(progress));
  return true;
}

bool Call::take(const Log& log) {
  job_->log(log.level, log.data.fill(known()));
  return true;
}

bool Call::take(const Ask& ask) {
  auto questions = open_questions(ask, state_, job_->input().answerable, known());
  if (questions.empty()) return true;
  // With its state, so that the questions outlive this process; the call comes again with answers.
  auto refused = [job = job_](const Error& error) {
    job->fail(tasks::Failure("ask-refused", error.message, false));
  };
  stop();
  job_->ask(std::move(questions), state_.to_text(), std::move(refused));
  return false;
}

bool Call::take(const Change& change) {
  if (tell_) tell_(change.change);
  return true;
}

bool Call::take(const ToolError& error) {
  std::string block;
  json::Writer writer(block);
  writer.begin_object();
  writer.member("type", "text");
  writer.member("text", error.text.fill(known()));
  writer.end_object();
  state_.content.push_back(std::move(block));
  complete(true);
  return false;
}

bool Call::take(const ProtocolError& error) {
  const Known all = known();
  std::string message = error.message.fill(all);
  fail("mcp:" + std::to_string(error.code), std::move(message), error.data.fill(all));
  return false;
}

}  // namespace interline::runtimes::script
