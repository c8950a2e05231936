// A server's task (the extension io.modelcontextprotocol/tasks): remembered, asked about, answered,
// cancelled.
#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "json/writer.hpp"
#include "runtimes/mcp/call_course.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace words = protocols::mcp;
using std::chrono::milliseconds;
using words::TaskStatus;

/// Nobody waits for it: asked to end, once, whatever comes of it.
net::awaitable<void> cancel_task(std::shared_ptr<Link> link, Outgoing request) {
  (void)co_await link->request(std::move(request));
}

std::string memory_of(const std::string& task) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("task", std::string_view(task));
  writer.end_object();
  return text;
}

}  // namespace

net::awaitable<void> CallCourse::begin_task(const json::Value& result) {
  const auto task = words::read_server_task(result, false);
  if (!task) co_return fail(task.error());
  task_ = task->id;
  if (task->poll_interval) poll_interval_ = *task->poll_interval;
  std::string memory = memory_of(task_);
  const auto remembered = co_await job_->remember(std::move(memory));
  if (ended_) co_return;
  if (!remembered) {
    give_up_task();
    co_return fail(remembered.error());
  }
  co_await follow();
}

net::awaitable<void> CallCourse::follow() {
  auto opened = co_await link_->opened();
  while (!opened && link_->lasting() && !ended_) {
    if (opened.error().kind != ErrorKind::unavailable) break;
    co_await nap(limits_.retry_longest / 10);
    if (!ended_) opened = co_await link_->opened();
  }
  if (!ended_ && !opened) fail(opened.error());
  auto until = std::chrono::steady_clock::time_point::max();
  while (!ended_) {
    if (cancelling_ && !cancel_sent_) {
      until = std::chrono::steady_clock::now() + limits_.cancel_grace;
      co_await send_cancel();
    }
    if (!ended_ && !answers_.empty()) co_await send_answers();
    if (ended_) co_return;
    const auto wait = co_await poll();
    if (ended_ || !wait) co_return;
    if (std::chrono::steady_clock::now() >= until) co_return end_as_cancelled();
    if (answers_.empty() && (!cancelling_ || cancel_sent_)) co_await nap(*wait);
  }
}

/// Until something is to be done, or that time has passed.
net::awaitable<void> CallCourse::nap(milliseconds time) {
  nap_.expires_after(time);
  co_await nap_.async_wait(net::use_tuple);
}

net::awaitable<std::optional<milliseconds>> CallCourse::poll() {
  Outgoing request = outgoing(words::method::kTasksGet);
  request.members = words::task_members(task_);
  request.name = task_;
  request.repeatable = true;
  request.timeout = limits_.ask_timeout;
  request.stop = stop_;
  const auto reply = co_await link_->request(std::move(request));
  if (ended_) co_return std::nullopt;
  if (!reply && reply.error().kind == ErrorKind::unavailable && link_->lasting()) {
    poll_interval_ = std::clamp(poll_interval_ * 2, limits_.retry_first, limits_.retry_longest);
    co_return poll_interval_;
  }
  if (!reply) {
    fail(reply.error());
  } else if (reply->is_error()) {
    if (cancelling_) {
      end_as_cancelled();  // it is not there any more, as was wished
    } else {
      fail(failure_of(reply->message));
    }
  } else {
    co_return take_task(reply->message.result);
  }
  co_return std::nullopt;
}

std::optional<milliseconds> CallCourse::take_task(const json::Value& object) {
  const auto task = words::read_server_task(object, true);
  if (!task) {
    fail(task.error());
    return std::nullopt;
  }
  switch (task->status) {
    case TaskStatus::completed:
      complete(task->result.source());
      return std::nullopt;
    case TaskStatus::failed: {
      protocols::jsonrpc::Message error;
      error.code = task->code;
      error.message = task->error;
      fail(failure_of(error));
      return std::nullopt;
    }
    case TaskStatus::cancelled:
      end_as_cancelled();
      return std::nullopt;
    case TaskStatus::input_required:
      take_task_questions(task->input_requests);
      break;
    case TaskStatus::working:
      break;
  }
  if (ended_) return std::nullopt;
  if (!task->message.empty() && task->message != told_message_) {
    told_message_ = task->message;
    engine::ProgressReport report;
    report.message = told_message_;
    job_->progress(std::move(report));
  }
  if (task->poll_interval) {
    poll_interval_ = *task->poll_interval;
    return std::max(poll_interval_, milliseconds(1));
  }
  return std::exchange(poll_interval_, std::min(poll_interval_ * 2, limits_.poll_longest));
}

/// Questions keep their keys for ever: each is asked once. Those that earlier work has asked are
/// open still, or were answered just before its end, and are then asked anew.
void CallCourse::take_task_questions(const json::Value& requests) {
  auto questions = words::read_input_requests(requests);
  if (!questions) {
    give_up_task();
    return fail(questions.error());
  }
  const auto& open = job_->input().open_questions;
  for (const auto& question : *questions) {
    if (task_answered_.contains(question.key)) continue;
    if (!task_questions_.emplace(question.key, question.kind).second) continue;
    if (std::ranges::find(open, question.key) != open.end()) continue;
    auto refused = [weak = weak_from_this(), on = link_->strand()](const Error& error) {
      boost::asio::post(on, [weak, why = error.message] {
        const auto self = weak.lock();
        if (!self || self->ended_ || self->cancelling_) return;
        self->give_up_task();
        self->fail(Error(ErrorKind::internal, "The agent's question is refused: " + why));
      });
    };
    std::vector<engine::AskedQuestion> one;
    one.push_back(asked_question(question));
    job_->ask(std::move(one), std::nullopt, std::move(refused));
  }
}

net::awaitable<void> CallCourse::send_answers() {
  std::string responses;
  json::Writer writer(responses);
  writer.begin_object();
  for (const tasks::Answer& answer : std::exchange(answers_, {})) {
    const auto asked = task_questions_.find(answer.key);
    if (asked == task_questions_.end() || !task_answered_.insert(answer.key).second) continue;
    const auto response = words::question_response(asked->second, answer.action, answer.value);
    if (!response) {
      give_up_task();
      fail(Error(ErrorKind::internal, "What the MCP server asked for was not granted."));
      co_return;
    }
    writer.raw_member(answer.key, *response);
  }
  writer.end_object();
  if (responses == "{}") co_return;
  auto wait = limits_.retry_first;
  for (;;) {
    Outgoing request = outgoing(words::method::kTasksUpdate);
    request.members = words::task_members(task_) + ",\"inputResponses\":" + responses;
    request.name = task_;
    request.repeatable = true;  // answered keys are ignored
    request.timeout = limits_.ask_timeout;
    request.stop = stop_;
    const auto reply = co_await link_->request(std::move(request));
    if (ended_) co_return;
    if (reply && reply->is_error()) co_return fail(failure_of(reply->message));
    if (reply) co_return;
    if (reply.error().kind != ErrorKind::unavailable || !link_->lasting()) {
      co_return fail(reply.error());
    }
    co_await nap(wait);
    if (ended_ || cancelling_) co_return;
    wait = std::min(wait * 2, limits_.retry_longest);
  }
}

net::awaitable<void> CallCourse::send_cancel() {
  cancel_sent_ = true;
  Outgoing request = outgoing(words::method::kTasksCancel);
  request.members = words::task_members(task_);
  request.name = task_;
  request.repeatable = true;
  request.timeout = limits_.cancel_grace;
  request.stop = stop_;
  const auto reply = co_await link_->request(std::move(request));
  if (!ended_ && !reply) end_as_cancelled();  // nobody is there to be asked
}

void CallCourse::give_up_task() {
  cancel_sent_ = true;
  Outgoing request = outgoing(words::method::kTasksCancel);
  request.members = words::task_members(task_);
  request.name = task_;
  request.repeatable = true;
  request.timeout = limits_.ask_timeout;
  boost::asio::co_spawn(link_->strand(), cancel_task(link_, std::move(request)),
                        boost::asio::detached);
}

}  // namespace interline::runtimes::mcp
