// GetTask and CancelTask (A2A 1.0, sections 3.1.3 and 3.1.5).
#include <utility>

#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/server/following.hpp"

namespace interline::protocols::a2a::server {

awaitable<std::expected<tasks::Task, ErrorAnswer>> find_task(Core& core, const Asked& asked,
                                                             std::string id) {
  auto found = co_await core.engine.state(asked.who, std::move(id));
  if (found) co_return std::move(found->task);
  if (found.error().kind == ErrorKind::unavailable) co_return refuse(core, found.error());
  co_return refuse(task_not_found(core.settings.edition));
}

awaitable<Answer> get_task(Core& core, const Asked& asked) {
  const auto request = read_task(asked.params);
  if (!request) co_return refuse(request.error());
  const auto task = co_await find_task(core, asked, std::string(request->id));
  if (!task) co_return refuse(task.error());
  co_return co_await show_task(core, asked.who, *task, request->history_length);
}

awaitable<Answer> cancel_task(Core& core, const Asked& asked) {
  const auto request = read_task(asked.params);
  if (!request) co_return refuse(request.error());
  const std::string id(request->id);
  const auto task = co_await find_task(core, asked, id);
  if (!task) co_return refuse(task.error());
  // A task that is cancelled already is answered as it is (section 3.3.1: idempotent).
  if (task->state != tasks::State::cancelled) {
    engine::Cancellation cancellation;
    cancellation.task = id;
    const auto accepted = co_await core.engine.cancel(asked.who, std::move(cancellation));
    if (!accepted && accepted.error().kind == ErrorKind::conflict) {
      co_return refuse(core, Fault::task_not_cancelable, accepted.error().message);
    }
    if (!accepted) co_return refuse(core, accepted.error());
  }
  const auto now = co_await await_task(core, asked.who, id, Until::end, core.settings.cancel_wait);
  if (!now) co_return refuse(core, now.error());
  co_return co_await show_task(core, asked.who, *now, std::nullopt);
}

}  // namespace interline::protocols::a2a::server
