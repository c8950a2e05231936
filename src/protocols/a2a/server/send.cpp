// SendMessage (A2A 1.0, section 3.1.1).
#include <utility>

#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/server/following.hpp"
#include "protocols/a2a/server/starting.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {

awaitable<Answer> send_message(Core& core, const Asked& asked) {
  const auto request = read_send(asked.params);
  if (!request) co_return refuse(request.error());
  const auto started = co_await start(core, asked, *request);
  if (!started) co_return refuse(started.error());
  const auto wait =
      request->return_immediately ? std::chrono::milliseconds(0) : core.settings.blocking_wait;
  const auto task = co_await await_task(core, asked.who, started->task, Until::rest, wait);
  if (!task) co_return refuse(core, task.error());
  if (started->is_new) {
    std::string message = lone_message(*task);
    if (!message.empty()) co_return enveloped("message", message);
  }
  auto shown = co_await show_task(core, asked.who, *task, request->history_length);
  if (!shown) co_return shown;
  co_return enveloped("task", *shown);
}

}  // namespace interline::protocols::a2a::server
