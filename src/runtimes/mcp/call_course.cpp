#include "runtimes/mcp/call_course.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "json/parse.hpp"
#include "protocols/mcp/capabilities.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using protocols::mcp::ClientCapabilities;
using protocols::mcp::ClientCapability;

/// What a caller can answer is what the server may ask of it; and tasks can always be followed.
ClientCapabilities capabilities_for(tasks::QuestionKinds answerable) {
  ClientCapabilities declared;
  declared.add(ClientCapability::tasks);
  const auto can = [answerable](tasks::QuestionKind kind) {
    return (answerable & tasks::bit(kind)) != 0;
  };
  if (can(tasks::QuestionKind::form)) declared.add(ClientCapability::elicitation_form);
  if (can(tasks::QuestionKind::url)) declared.add(ClientCapability::elicitation_url);
  if (can(tasks::QuestionKind::sampling)) declared.add(ClientCapability::sampling);
  if (can(tasks::QuestionKind::roots)) declared.add(ClientCapability::roots);
  return declared;
}

tasks::Failure not_understood(std::string why) {
  return {std::string(tasks::failure_code::kInternalError), std::move(why), false};
}

/// What this work remembers of a call that the server knows again by its key.
constexpr std::string_view kSent = R"({"sent":true})";

/// The server's task that earlier work remembered; "" if it was none.
std::string remembered_task(const std::string& memory) {
  const auto document = json::parse_borrowed(memory);
  const json::Value* task = document ? document->root().find("task") : nullptr;
  return std::string(task == nullptr ? "" : task->get_string().value_or(""));
}

}  // namespace

engine::AskedQuestion asked_question(const words::ServerQuestion& question) {
  engine::AskedQuestion asked;
  asked.key = question.key;
  asked.kind = question.kind;
  asked.text = question.text;
  asked.schema = question.schema;
  asked.url = question.url;
  return asked;
}

tasks::Failure failure_of(const jsonrpc::Message& error) {
  constexpr std::size_t kLongest = 4'000;
  std::string text(error.message.substr(0, kLongest));
  return {"mcp:" + std::to_string(error.code), std::move(text), false};
}

tasks::Failure failure_of(const Error& error) {
  if (error.reason == ErrorReason::too_large) {
    return {std::string(tasks::failure_code::kResultTooLarge),
            "The agent wrote more for this call than the gateway reads.", false};
  }
  const bool later = error.kind == ErrorKind::unavailable;
  return {
      std::string(later ? tasks::failure_code::kUnavailable : tasks::failure_code::kInternalError),
      error.message, later};
}

CallCourse::CallCourse(std::shared_ptr<Link> link, std::shared_ptr<engine::Job> job,
                       const CourseLimits& limits, Take take, Logger log)
    : link_(std::move(link)),
      job_(std::move(job)),
      limits_(limits),
      take_(std::move(take)),
      log_(std::move(log)),
      capabilities_(capabilities_for(job_->input().answerable)),
      trace_(words::trace_members(job_->input().metadata)),
      nap_(link_->strand()),
      poll_interval_(limits.poll_first) {}

// --- the call ----------------------------------------------------------------------------------

net::awaitable<void> CallCourse::run() {
  const auto self = shared_from_this();
  co_await work();
  ended_ = true;
}

net::awaitable<void> CallCourse::work() {
  task_ = remembered_task(job_->input().memory);
  if (task_.empty()) {
    co_await call();
  } else {
    co_await follow();
  }
}

Outgoing CallCourse::outgoing(std::string_view method) const {
  Outgoing request(method);
  request.caller = job_->input().caller;
  request.capabilities = capabilities_;
  request.trace = trace_;
  return request;
}

/// A server that knows calls again is called again after a restart, which has to be known then.
net::awaitable<bool> CallCourse::note_sent() {
  if (!link_->hello().request_keys || !job_->input().memory.empty()) co_return true;
  std::string memory(kSent);
  const auto noted = co_await job_->remember(std::move(memory));
  co_return noted || noted.error().kind != ErrorKind::conflict;
}

net::awaitable<Result<Reply>> CallCourse::send(const std::string& members) {
  auto wait = limits_.retry_first;
  for (;;) {
    Outgoing request = outgoing(words::method::kToolsCall);
    request.members = members;
    request.name = job_->input().tool;
    request.arguments = &job_->input().arguments;
    request.progress = true;
    request.request_key = job_->input().repeat_key;
    request.hearer = shared_from_this();
    request.stop = stop_;
    auto reply = co_await link_->request(std::move(request));
    const bool lost = !reply && reply.error().kind == ErrorKind::unavailable;
    const bool again = lost && link_->lasting() && link_->hello().request_keys &&
                       !job_->input().repeat_key.empty();
    if (ended_ || !again) co_return reply;
    co_await nap(wait);
    if (ended_) co_return reply;
    wait = std::min(wait * 2, limits_.retry_longest);
  }
}

net::awaitable<void> CallCourse::call() {
  const engine::JobInput& input = job_->input();
  words::PendingRound round;
  if (input.state) {
    auto read = words::read_round(*input.state);
    if (!read) co_return fail(read.error());
    round = *std::move(read);
  }
  auto opened = co_await link_->opened();
  if (ended_) co_return;
  if (!opened) co_return fail(opened.error());
  const bool may_send = co_await note_sent();
  if (ended_ || !may_send) co_return;
  const std::string first = words::call_members(input.tool, input.arguments);
  for (bool again = true; again;) {
    const auto more = words::round_members(round, input.answers);
    if (!more) {
      const Error& error = more.error();
      co_return fail(tasks::Failure("not-granted", error.message, false));
    }
    std::string members = first;
    if (!more->empty()) members.append(",").append(*more);
    auto reply = co_await send(members);
    if (ended_) co_return;
    if (!reply) co_return fail(reply.error());
    again = co_await take_result(*reply, round);
  }
}

net::awaitable<bool> CallCourse::take_result(const Reply& reply, words::PendingRound& round) {
  if (reply.is_error()) {
    take_error(reply, round);
    co_return false;
  }
  const json::Value& result = reply.message.result;
  if (!link_->hello().modern()) {
    complete(result.source());
    co_return false;
  }
  const auto type = words::result_type(result);
  if (!type) {
    fail(type.error());
  } else if (*type == words::ResultType::complete) {
    complete(result.source());
  } else if (*type == words::ResultType::task) {
    co_await begin_task(result);
  } else if (take_questions(result, round)) {
    co_await nap(
        std::min(limits_.retry_first * (1U << std::min(round.rounds, 5U)), limits_.retry_longest));
    co_return !ended_;
  }
  co_return false;
}

bool CallCourse::take_questions(const json::Value& result, words::PendingRound& round) {
  words::PendingRound next;
  next.rounds = round.rounds + 1;
  const json::Value* state = result.find("requestState");
  const json::Value* requests = result.find("inputRequests");
  if (next.rounds > limits_.rounds) {
    fail(not_understood("The MCP server asks more often than this gateway lets it."));
    return false;
  }
  if ((state != nullptr && !state->is_string()) || (state == nullptr && requests == nullptr)) {
    fail(not_understood("The MCP server asks, and does not say what."));
    return false;
  }
  if (state != nullptr) next.request_state = std::string(state->as_string());
  Questions questions;
  if (requests != nullptr) {
    auto read = words::read_input_requests(*requests);
    if (!read) {
      fail(read.error());
      return false;
    }
    questions = *std::move(read);
  }
  if (questions.empty()) {  // nothing to be answered: it wants to be called again
    round = std::move(next);
    return true;
  }
  ask_and_end(questions, std::move(next));
  return false;
}

void CallCourse::take_error(const Reply& reply, words::PendingRound& round) {
  if (reply.message.code == words::kUrlElicitationRequired && !link_->hello().modern() &&
      round.rounds < limits_.rounds) {
    if (const auto questions = words::read_required_urls(reply.message.data)) {
      words::PendingRound next;
      next.rounds = round.rounds + 1;
      next.echoed = false;
      return ask_and_end(*questions, std::move(next));
    }
  }
  fail(failure_of(reply.message));
}

void CallCourse::ask_and_end(const Questions& questions, words::PendingRound round) {
  std::vector<engine::AskedQuestion> asked;
  for (const auto& question : questions) {
    asked.push_back(asked_question(question));
    round.questions.emplace_back(question.key, question.kind);
  }
  const auto job = take_();
  ended_ = true;
  if (!job) return;
  job->ask(std::move(asked), words::write_round(round), [job](const Error& error) {
    // Asked while it was being cancelled: nobody works on it any more, as the caller wished.
    if (error.kind == ErrorKind::conflict) return job->cancelled(std::nullopt);
    job->fail(not_understood("The agent's question is refused: " + error.message));
  });
}

// --- what is heard meanwhile ---------------------------------------------------------------------

bool CallCourse::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= limits_.output) return true;
  if (ended_) return false;
  ended_ = true;
  stop_->stop();
  const Error error(ErrorKind::resource_constraint, ErrorReason::too_large, "");
  if (const auto job = take_()) job->fail(failure_of(error));
  return false;
}

void CallCourse::progress(words::Progress progress) {
  if (ended_) return;
  engine::ProgressReport report;
  report.percent = progress.percent;
  if (!progress.message.empty()) report.message = std::move(progress.message);
  job_->progress(std::move(report));
}

void CallCourse::log(const words::LogLine& line) {
  if (!ended_) job_->log(std::string(line.level), std::string(line.data));
}

/// Only legacy servers ask so. What is asked by somebody who cannot be answered is refused.
void CallCourse::asked(ServerRequest request) {
  const json::Value none{};
  const json::Value& params = request.params == nullptr ? none : *request.params;
  auto question = words::read_server_question("", request.method, params);
  request.params = nullptr;
  if (!question) {
    const bool unknown = question.error().kind == ErrorKind::not_acceptable;
    request.refuse(
        unknown ? jsonrpc::error_code::kMethodNotFound : jsonrpc::error_code::kInvalidParams,
        question.error().message);
    return;
  }
  const auto kind = question->kind;
  const bool elicits = kind == tasks::QuestionKind::form || kind == tasks::QuestionKind::url;
  const bool can = (job_->input().answerable & tasks::bit(kind)) != 0;
  if (ended_ || (!can && !elicits)) {
    request.refuse(jsonrpc::error_code::kMethodNotFound,
                   "Whoever called this tool cannot answer that.");
    return;
  }
  const std::string key = "ask-" + std::to_string(++questions_);
  question->key = key;
  open_.emplace(key, std::move(request));
  task_questions_[key] = kind;
  auto refused = [weak = weak_from_this(), on = link_->strand(), key](const Error&) {
    boost::asio::post(on, [weak, key] {
      tasks::Answer answer;
      answer.key = key;
      answer.action = tasks::AnswerAction::cancel;
      if (const auto self = weak.lock()) self->answer(answer);
    });
  };
  job_->ask({asked_question(*question)}, std::nullopt, std::move(refused));
}

void CallCourse::answer(const tasks::Answer& answer) {
  if (follows()) {
    answers_.push_back(answer);
    nap_.cancel();
    return;
  }
  const auto node = open_.extract(answer.key);
  if (node.empty()) return;
  const auto response =
      words::question_response(task_questions_[answer.key], answer.action, answer.value);
  if (response) return node.mapped().answer(*response);
  node.mapped().refuse(-1, "It was not granted.");  // client/sampling, "Error Handling"
}

void CallCourse::cancel() {
  if (ended_ || cancelling_) return;
  if (follows()) {
    cancelling_ = true;
    nap_.cancel();
    return;
  }
  // The server is told before anything else is done: what comes next finds this call left.
  ended_ = true;
  stop_->stop();
  if (const auto job = take_()) job->cancelled(std::nullopt);
}

void CallCourse::stop() {
  if (ended_) return;
  ended_ = true;
  stop_->stop();
  nap_.cancel();
  if (follows() && !cancel_sent_) give_up_task();
}

// --- its end -------------------------------------------------------------------------------------

void CallCourse::complete(std::string_view result) {
  ended_ = true;
  if (const auto job = take_()) job->complete(std::string(result));
}

void CallCourse::fail(tasks::Failure failure) {
  if (ended_) return;
  ended_ = true;
  if (const auto job = take_()) job->fail(std::move(failure));
}

void CallCourse::fail(const Error& error) {
  fail(failure_of(error));
}

void CallCourse::end_as_cancelled() {
  if (ended_) return;
  ended_ = true;
  if (const auto job = take_()) job->cancelled(std::nullopt);
}

}  // namespace interline::runtimes::mcp
