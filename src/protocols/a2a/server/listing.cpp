// ListTasks (A2A 1.0, section 3.1.4): the caller's tasks, newest status first, by keyset.
#include <charconv>
#include <utility>

#include "engine/length_prefixed.hpp"
#include "json/writer.hpp"
#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/server/following.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {
namespace {

using tasks::State;

constexpr std::chrono::hours kTokenLife{24};
constexpr char kBetween = ' ';

/// The durable states that may be shown as that one; what more there is to it is looked at task by
/// task.
std::vector<State> states_of(TaskState wanted) {
  switch (wanted) {
    case TaskState::submitted:
      return {State::accepted};
    case TaskState::working:
      return {State::running, State::cancelling};
    case TaskState::input_required:
    case TaskState::auth_required:
      return {State::input_required};
    case TaskState::completed:
      return {State::completed};
    case TaskState::failed:
      return {State::failed, State::completed};
    case TaskState::rejected:
      return {State::failed};
    case TaskState::canceled:
      return {State::cancelled};
    case TaskState::unspecified:
      break;
  }
  return {};
}

/// What a page token is bound to: the filters, all of them.
Digest filters_of(const ListRequest& request) {
  std::string bytes;
  engine::append_length_prefixed(bytes, request.context_id);
  engine::append_length_prefixed(bytes, request.status ? to_string(*request.status) : "");
  engine::append_length_prefixed(
      bytes, request.status_after ? request.status_after->canonical() : std::string());
  return sha256(bytes);
}

mcp::SealScope scope_of(const Asked& asked, const ListRequest& request) {
  return {"a2a-page", asked.who.text(), row_of(Operation::list_tasks).method, filters_of(request)};
}

std::string token_of(const Core& core, const Asked& asked, const ListRequest& request,
                     const tasks::Task& last) {
  const std::string place =
      std::to_string(last.updated.time_since_epoch().count()) + kBetween + last.id();
  return core.sealer.seal(scope_of(asked, request), place, core.clock.now() + kTokenLife);
}

bool go_on_after(const Core& core, const Asked& asked, const ListRequest& request,
                 store::TaskQuery& query) {
  const auto opened =
      core.sealer.open(scope_of(asked, request), request.page_token, core.clock.now());
  if (!opened) return false;
  const auto end = opened->payload.find(kBetween);
  if (end == std::string::npos) return false;
  std::int64_t count = 0;
  std::from_chars(opened->payload.data(), opened->payload.data() + end, count);
  query.after_time = SystemTime(std::chrono::nanoseconds(count));
  query.after_id = opened->payload.substr(end + 1);
  return true;
}

}  // namespace

awaitable<Answer> list_tasks(Core& core, const Asked& asked) {
  const auto request = read_list(asked.params);
  if (!request) co_return refuse(request.error());
  store::TaskQuery query;
  if (!request->context_id.empty()) query.context = std::string(request->context_id);
  if (request->status) query.states = states_of(*request->status);
  if (request->status_after) query.updated_since = request->status_after->ceil();
  query.limit = static_cast<std::size_t>(request->page_size);
  if (!request->page_token.empty() && !go_on_after(core, asked, *request, query)) {
    co_return refuse(invalid_params("pageToken", "is none that was given for this list"));
  }
  const auto page = co_await core.engine.list_tasks(asked.who, query);
  if (!page) co_return refuse(core, page.error());
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.name("tasks");
  writer.begin_array();
  for (const tasks::Task& task : page->tasks) {
    if (request->status && status_of(task).state != *request->status) continue;
    const auto shown =
        co_await show_task(core, asked.who, task, request->history_length,
                           request->include_artifacts ? Artifacts::listed : Artifacts::left_out);
    if (!shown) co_return shown;
    writer.raw(*shown);
  }
  writer.end_array();
  const bool more = page->tasks.size() == query.limit;
  writer.member("nextPageToken",
                more ? token_of(core, asked, *request, page->tasks.back()) : std::string());
  writer.member("pageSize", static_cast<std::int64_t>(request->page_size));
  writer.member("totalSize", static_cast<std::int64_t>(page->total));
  writer.end_object();
  co_return text;
}

}  // namespace interline::protocols::a2a::server
