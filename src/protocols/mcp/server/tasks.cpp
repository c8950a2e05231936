// The Tasks extension: tasks/get, tasks/update, tasks/cancel (ext-tasks). A task of somebody else
// is one that does not exist.
#include <algorithm>
#include <utility>

#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/rounds.hpp"
#include "protocols/mcp/server/running.hpp"
#include "protocols/mcp/server/shown_links.hpp"
#include "protocols/mcp/task_ids.hpp"

namespace interline::protocols::mcp::server {
namespace {

std::unexpected<ErrorAnswer> unknown_task() {
  return refuse(invalid_params("Unknown task."));
}

/// The engine's own id; "" where the text is none.
std::string own_id(std::string_view text) {
  auto bound = read_task_id(text);
  return bound ? std::move(bound->id) : std::string();
}

std::unexpected<ErrorAnswer> told(const Error& error) {
  if (error.kind == ErrorKind::not_found) return unknown_task();
  return refuse(error);
}

}  // namespace

awaitable<Answer> get_task(Core& core, const Asked& asked) {
  const auto params = read_task_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  std::string id = own_id(params->task);
  if (id.empty()) co_return unknown_task();
  auto now = co_await shown_task(core, asked, std::move(id));
  if (!now) co_return told(now.error());
  // A map without a question would have the client wait for ever.
  const auto missing = missing_for(task_questions(*now), asked.meta.capabilities);
  if (!missing.empty()) co_return refuse(missing_capability(missing));
  show_links(asked, *now);
  co_return get_task_result(core.envelope(asked), *now, telling_of(core, asked));
}

awaitable<Answer> update_task(Core& core, const Asked& asked) {
  const auto params = read_task_update_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  std::string id = own_id(params->task);
  if (id.empty()) co_return unknown_task();
  const auto now = co_await shown_task(core, asked, std::move(id));
  if (!now) co_return told(now.error());
  if (params->responses != nullptr) {
    // Answered keys and those that are none are ignored.
    auto answers = read_input_responses(*params->responses, task_questions(*now), asked.revision);
    if (!answers) co_return bad_params(answers.error());
    auto wrong = co_await give_answers(core, asked, *now, *std::move(answers));
    if (wrong) co_return refuse(*std::move(wrong));
  }
  co_return empty_result(core.envelope(asked));
}

awaitable<Answer> cancel_task(Core& core, const Asked& asked) {
  const auto params = read_task_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  engine::Cancellation cancellation;
  cancellation.task = own_id(params->task);
  if (cancellation.task.empty()) co_return unknown_task();
  const auto now = co_await shown_task(core, asked, cancellation.task);
  if (!now) co_return told(now.error());
  const auto cancelled = co_await core.engine.cancel(asked.who, std::move(cancellation));
  // Settled, or not to be cancelled: acknowledged all the same, and the task says what it is.
  if (!cancelled && cancelled.error().kind != ErrorKind::conflict) {
    co_return told(cancelled.error());
  }
  co_return empty_result(core.envelope(asked));
}

}  // namespace interline::protocols::mcp::server
