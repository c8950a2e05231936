#include "runtimes/exec/exec_worker.hpp"

#include <utility>

#include <boost/asio/post.hpp>

#include "json/line_head.hpp"

namespace interline::runtimes::exec {
namespace {

tasks::Failure not_understood(const std::string& why) {
  return {std::string(tasks::failure_code::kInternalError), why, false};
}

bool ends(const Body& body) {
  const auto* asked = std::get_if<AskMessage>(&body);
  return std::holds_alternative<ResultMessage>(body) ||
         std::holds_alternative<ErrorMessage>(body) ||
         std::holds_alternative<CancelledMessage>(body) || (asked != nullptr && asked->state);
}

}  // namespace

bool ExecWorker::write_call(const std::string& /*handle*/, Call& call) {
  return send(call_line(call.job->input()));
}

void ExecWorker::write_cancel(const std::string& handle, const Call& /*call*/) {
  (void)send(cancel_line(handle));  // unwritten, it is a cancel that the process does not heed
}

bool ExecWorker::write_answer(const std::string& handle, const Call& /*call*/,
                              const tasks::Answer& answer) {
  return send(input_line(handle, answer));
}

void ExecWorker::write_list() {
  if (!send(list_line())) {
    listed(fail(ErrorKind::unavailable, "the agent's process does not read its input"));
  }
}

bool ExecWorker::take_cut_line(const net::Line& line) {
  auto task = json::member_of_head(line.text, "task");
  if (!task) task = json::member_of_tail(line.tail, "task");
  if (!task && json::member_of_head(line.text, "type") == "tools") {
    listed(fail(ErrorKind::unavailable,
                "The agent's list of tools is longer than the gateway reads."));
    return true;
  }
  if (!task) return take_nameless_line(line.ended);
  fail_call(std::string(*task), too_large());
  return true;
}

net::awaitable<void> ExecWorker::take_line(std::string_view line) {
  auto message = read_line(line);
  if (!message) {
    take_broken(line, message.error());
    co_return;
  }
  if (auto* tools = std::get_if<ToolsMessage>(&message->body)) {
    take_tools(std::move(*tools));
    co_return;
  }
  const Call* call = find(message->task);
  if (call == nullptr) co_return;  // over already: its last words crossed ours
  const auto job = call->job;
  if (ends(message->body)) {
    end_call(message->task, std::move(message->body));
  } else if (job && count_output(message->task, line.size())) {
    report(message->task, std::move(message->body));
  }
  if (job) co_await job->ready();
}

void ExecWorker::take_tools(ToolsMessage message) {
  engine::ImportedTools imported;
  imported.definitions = std::move(message.definitions);
  listed(std::move(imported));
}

/// A line that is not understood is dropped, with the call that it may have been the end of.
void ExecWorker::take_broken(std::string_view line, const Error& error) {
  complain("a line was not understood", error.message);
  const std::string task(json::member_of_head(line, "task").value_or(""));
  const std::string_view type = json::member_of_head(line, "type").value_or("");
  if (type == "tools") listed(std::unexpected(error));
  if (type != "progress" && type != "log") fail_call(task, not_understood(error.message));
}

void ExecWorker::report(const std::string& handle, Body body) {
  const auto job = find(handle)->job;
  if (auto* progress = std::get_if<ProgressMessage>(&body)) {
    job->progress(std::move(progress->report));
  } else if (auto* log = std::get_if<LogMessage>(&body)) {
    job->log(std::move(log->level), std::move(log->data));
  } else if (auto* output = std::get_if<OutputMessage>(&body)) {
    job->output(std::move(output->chunk));
  } else if (auto* asked = std::get_if<AskMessage>(&body)) {
    ask(handle, std::move(*asked));
  }
}

void ExecWorker::end_call(const std::string& handle, Body body) {
  if (std::holds_alternative<AskMessage>(body)) {
    ask(handle, std::get<AskMessage>(std::move(body)));
    return;
  }
  const auto job = finish(handle);
  if (!job) return;  // nobody waits for it any more
  if (auto* result = std::get_if<ResultMessage>(&body)) {
    job->complete(std::move(result->result));
  } else if (auto* error = std::get_if<ErrorMessage>(&body)) {
    job->fail(std::move(error->failure));
  } else {
    job->cancelled(std::nullopt);
  }
}

void ExecWorker::ask(const std::string& handle, AskMessage message) {
  Call& call = *find(handle);
  std::string& key = message.question.key;
  if (key.empty()) key = "ask-" + std::to_string(++call.asked);
  std::vector<engine::AskedQuestion> questions;
  questions.push_back(message.question);
  if (message.state) {
    // The process is done with it; if the question is refused, nobody is left to go on.
    if (const auto job = finish(handle)) {
      job->ask(std::move(questions), std::move(message.state), [job](const Error& error) {
        // Asked while it was being cancelled: nobody works on it any more, as the caller wished.
        if (error.kind == ErrorKind::conflict) return job->cancelled(std::nullopt);
        job->fail(not_understood("The agent's question is refused: " + error.message));
      });
    }
    return;
  }
  auto refused = [weak = weak_from_this(), on = strand(), handle, key](const Error& error) {
    boost::asio::post(on, [weak, handle, key, reason = error.message] {
      const auto self = std::static_pointer_cast<ExecWorker>(weak.lock());
      if (!self || !self->has(handle)) return;
      self->complain("a question is refused", reason);
      (void)self->send(refused_line(handle, key, reason));
    });
  };
  call.job->ask(std::move(questions), std::nullopt, std::move(refused));
}

}  // namespace interline::runtimes::exec
