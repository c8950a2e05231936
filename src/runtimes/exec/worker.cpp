#include "runtimes/exec/worker.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

namespace interline::runtimes::exec {
namespace {

constexpr net::Duration kGrace{5'000};  // between SIGTERM and SIGKILL

tasks::Failure died() {
  return {std::string(tasks::failure_code::kUnavailable),
          "The agent's process ended before the call did.", true};
}

}  // namespace

Worker::Worker(net::Executor strand, std::unique_ptr<net::Process> process, Logger log,
               Callbacks callbacks)
    : strand_(std::move(strand)),
      process_(std::move(process)),
      log_(std::move(log)),
      callbacks_(std::move(callbacks)) {}

net::awaitable<void> Worker::run() {
  const auto self = shared_from_this();
  for (;;) {
    auto line = co_await process_->read_line();
    if (!line) {
      log_.warning("an agent's line is too long and was dropped", {{"error", line.error()}});
      continue;
    }
    if (!*line) break;
    auto message = read_line((*line)->text);
    if (!message) {
      log_.warning("an agent's line was not understood", {{"error", message.error()}});
      continue;
    }
    co_await take(*std::move(message));
  }
  const net::ExitStatus status = co_await process_->wait();
  log_.info("an agent's process has ended", {{"status", net::to_string(status)}});
  ending_ = true;
  const auto open = std::exchange(calls_, {});
  for (const auto& [handle, call] : open) {
    if (!call.dead) call.job->fail(died());
  }
  callbacks_.gone(had_success_);
}

void Worker::call(std::shared_ptr<engine::Job> job) {
  const std::string handle = job->input().handle;
  std::string line = call_line(job->input());
  engine::JobCallbacks callbacks;
  const auto on_strand = [weak = weak_from_this(), strand = strand_](auto act) {
    boost::asio::post(strand, [weak, act = std::move(act)] {
      if (const auto self = weak.lock()) act(*self);
    });
  };
  callbacks.on_input = [on_strand, handle](const tasks::Answer& answer) {
    on_strand([handle, answer](Worker& worker) { worker.on_input(handle, answer); });
  };
  callbacks.on_cancel = [on_strand, handle](const std::optional<std::string>&) {
    on_strand([handle](Worker& worker) { worker.on_cancel(handle); });
  };
  callbacks.on_stop = [on_strand, handle] {
    on_strand([handle](Worker& worker) { worker.on_stop(handle); });
  };
  calls_.emplace(handle, Call{job, false, 0});
  send(std::move(line));
  job->listen(std::move(callbacks));
}

void Worker::list() {
  send(list_line());
}

void Worker::send(std::string line) {
  // A process that reads nothing is bounded by the queue; it loses its calls when it is ended.
  if (const Result<void> sent = process_->post_line(line); !sent && !ending_) {
    log_.warning("an agent's process does not read its input", {{"error", sent.error()}});
    end();
  }
}

void Worker::on_input(const std::string& handle, const tasks::Answer& answer) {
  if (calls_.contains(handle)) send(input_line(handle, answer));
}

void Worker::on_cancel(const std::string& handle) {
  if (calls_.contains(handle)) send(cancel_line(handle));
}

void Worker::on_stop(const std::string& handle) {
  const auto found = calls_.find(handle);
  if (found == calls_.end() || found->second.dead) return;
  found->second.dead = true;
  found->second.job.reset();
  ++dead_;
  send(cancel_line(handle));
  end_if_only_dead();
}

void Worker::end_if_only_dead() {
  if (dead_ > 0 && dead_ == calls_.size() && !ending_) {
    ending_ = true;
    boost::asio::co_spawn(strand_, terminate(), boost::asio::detached);
  }
}

void Worker::end() {
  if (std::exchange(ending_, true)) return;
  boost::asio::co_spawn(strand_, terminate(), boost::asio::detached);
}

net::awaitable<void> Worker::terminate() {
  const auto self = shared_from_this();  // run() ends once the output does
  process_->close_input();
  (void)co_await process_->terminate(kGrace);
}

void Worker::finish(const std::string& handle) {
  const auto found = calls_.find(handle);
  if (found == calls_.end()) return;
  if (found->second.dead) --dead_;
  calls_.erase(found);
  had_success_ = true;
  end_if_only_dead();
  callbacks_.changed();
}

void Worker::ask(const std::string& handle, Call& call, AskMessage message) {
  if (message.question.key.empty()) {
    message.question.key = "ask-" + std::to_string(++call.asked);
  }
  const std::string key = message.question.key;
  const bool ends = message.state.has_value();
  std::vector<engine::AskedQuestion> questions;
  questions.push_back(std::move(message.question));
  auto refused = [weak = weak_from_this(), strand = strand_, handle, key](const Error& error) {
    boost::asio::post(strand, [weak, handle, key, reason = error.message] {
      if (const auto self = weak.lock()) self->send(refused_line(handle, key, reason));
    });
  };
  const auto job = call.job;
  if (ends) finish(handle);
  job->ask(std::move(questions), std::move(message.state), std::move(refused));
}

net::awaitable<void> Worker::take(Message message) {
  if (auto* tools = std::get_if<ToolsMessage>(&message.body)) {
    had_success_ = true;
    callbacks_.tools(std::move(*tools));
    co_return;
  }
  const auto found = calls_.find(message.task);
  if (found == calls_.end()) co_return;  // over already
  Call& call = found->second;
  const auto job = call.job;
  const bool over = std::holds_alternative<ResultMessage>(message.body) ||
                    std::holds_alternative<ErrorMessage>(message.body) ||
                    std::holds_alternative<CancelledMessage>(message.body);
  if (over) finish(message.task);
  if (!job) co_return;  // nobody waits for it any more
  if (auto* progress = std::get_if<ProgressMessage>(&message.body)) {
    job->progress(std::move(progress->report));
  } else if (auto* log = std::get_if<LogMessage>(&message.body)) {
    job->log(std::move(log->level), std::move(log->data));
  } else if (auto* output = std::get_if<OutputMessage>(&message.body)) {
    job->output(std::move(output->chunk));
  } else if (auto* asked = std::get_if<AskMessage>(&message.body)) {
    ask(message.task, call, std::move(*asked));
  } else if (auto* result = std::get_if<ResultMessage>(&message.body)) {
    job->complete(std::move(result->result));
  } else if (auto* error = std::get_if<ErrorMessage>(&message.body)) {
    job->fail(std::move(error->failure));
  } else {
    job->cancelled(std::nullopt);
  }
  co_await job->ready();
}

}  // namespace interline::runtimes::exec
