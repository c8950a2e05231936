#include "bindings/xmpp/handlers/task_syntax.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {

std::optional<tasks::Revision> read_revision(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  tasks::Revision revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (revision > static_cast<tasks::Revision>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return revision;
}

std::string fingerprint_prefix(const Services& services, const Call& call, std::string_view label) {
  std::string bytes;
  engine::append_length_prefixed(bytes, label);
  engine::append_length_prefixed(bytes, call.who.name());
  engine::append_length_prefixed(bytes, jid_of(services, call.endpoint()));
  engine::append_length_prefixed(bytes, ns::kAgentTask);
  return bytes;
}

awaitable<Result<engine::TaskView>> read_own_task(Services& services, const Call& call,
                                                  std::string id) {
  auto view = co_await services.engine.state(call.who, std::move(id));
  if (view && view->task.admission->endpoint != call.endpoint()) co_return absent();
  co_return view;
}

bool was_asked(const tasks::Task& task, std::string_view request) {
  return (task.pending && task.pending->id == request) ||
         std::ranges::find(task.past, request, &tasks::PastRequest::id) != task.past.end();
}

}  // namespace interline::xmpp
