#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "json/parse.hpp"
#include "protocols/mcp/call_result.hpp"
#include "protocols/mcp/server/call.hpp"
#include "protocols/mcp/server/shown_links.hpp"
#include "protocols/mcp/server/telling.hpp"
#include "protocols/mcp/task_results.hpp"
#include "tasks/event_body.hpp"

namespace interline::protocols::mcp::server {
namespace {

/// Reports come on any thread, in order; the request may be over when the last of them comes.
struct SharedTelling {
  explicit SharedTelling(const Asked& asked) : telling(asked) {}
  std::mutex mutex;
  Telling telling;  // guarded by mutex, as below
  bool over = false;

  void progress(const engine::ProgressReport& report) {
    const std::lock_guard lock(mutex);
    if (over) return;
    const std::string& message = report.message ? *report.message : report.stage.value_or("");
    telling.progress(report.percent, message);
  }
  void log(const std::string& level, const std::string& data) {
    const std::lock_guard lock(mutex);
    if (!over) telling.log(level, data);
  }
  void end() {
    const std::lock_guard lock(mutex);
    over = true;
  }
};

engine::RunListener listener_of(const std::shared_ptr<SharedTelling>& shared) {
  engine::RunListener listener;
  if (!shared->telling.wanted()) return listener;
  listener.progress = [shared](const engine::ProgressReport& report) { shared->progress(report); };
  listener.log = [shared](const std::string& level, const std::string& data) {
    shared->log(level, data);
  };
  return listener;
}

/// As a task that had come to it would be answered.
Answer answer_of(Core& core, const Asked& asked, std::string_view endpoint,
                 const engine::RunOutcome& outcome) {
  const Envelope envelope = core.envelope(asked);
  if (outcome.state == tasks::State::completed) {
    const auto linked = with_shown_links(asked, endpoint, outcome.result);
    const std::string& text = linked ? *linked : outcome.result;
    const auto result =
        json::parse_borrowed(text, jsonrpc::limits_for(text.size()), json::Numbers::faithful);
    if (!result) return refuse(internal_error());
    return call_result(envelope, result->root());
  }
  tasks::Task task;
  task.state = outcome.state;
  task.outcome = outcome.state == tasks::State::failed ? tasks::failed_body(outcome.failure)
                                                       : tasks::cancelled_body(std::nullopt);
  auto answer = settled_answer(envelope, task);
  if (auto* error = std::get_if<ErrorAnswer>(&answer)) return refuse(std::move(*error));
  return std::get<std::string>(std::move(answer));
}

}  // namespace

std::optional<Error> check_arguments(const catalog::Tool& tool, const json::Value& arguments) {
  static constexpr std::string_view kNone = "{}";
  const std::string_view text = arguments.is_null() ? kNone : arguments.source();
  const auto parsed = json::parse_borrowed(text, jsonrpc::limits_for(text.size()));
  if (!parsed) return json::to_error(parsed.error());
  if (tool.input_schema->validate(parsed->root()) == schema::Verdict::valid) return std::nullopt;
  std::string message = "The arguments do not match the tool's input schema";
  const schema::Report report = tool.input_schema->report(parsed->root());
  if (!report.errors.empty()) {
    const schema::ValidationError& first = report.errors.front();
    message.append(": ").append(first.instance_location).append(" ").append(first.message);
  }
  return Error(ErrorKind::not_acceptable, std::move(message));
}

awaitable<Answer> run_transient(Core& core, const Asked& asked, engine::Invocation invocation) {
  const auto shared = std::make_shared<SharedTelling>(asked);
  auto withdrawal = std::make_shared<engine::Withdrawal>();
  const WhileReading reading(*asked.sink, [withdrawal] { withdrawal->withdraw(); });
  invocation.answerable = 0;
  invocation.attached = false;
  const std::string endpoint = invocation.endpoint;
  const auto outcome =
      co_await core.engine.run(asked.who, std::move(invocation), listener_of(shared), withdrawal);
  shared->end();
  if (outcome) co_return answer_of(core, asked, endpoint, *outcome);
  const Error& error = outcome.error();
  if (error.kind == ErrorKind::not_found) co_return refuse(invalid_params("Unknown tool."));
  if (is_repairable(error)) co_return text_result(core.envelope(asked), error.message, true);
  co_return refuse(error);
}

}  // namespace interline::protocols::mcp::server
