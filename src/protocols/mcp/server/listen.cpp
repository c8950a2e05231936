// subscriptions/listen: who hears of what, until one side ends it. The acknowledgement is first;
// each kind of news is told once, however often it came while the reader was slow.
#include <chrono>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/running.hpp"
#include "protocols/mcp/server/shown_links.hpp"
#include "protocols/mcp/server/subscriber.hpp"
#include "protocols/mcp/server/view.hpp"
#include "protocols/mcp/task_ids.hpp"

namespace interline::protocols::mcp::server {
namespace {

ErrorAnswer too_many() {
  Error error(ErrorKind::resource_constraint, ErrorReason::too_many,
              "Too many subscriptions are open.");
  return to_answer(error);
}

/// Who sees, and what: outlives the request.
Asked view_of(const Asked& asked) {
  Asked view;
  view.who = asked.who;
  view.endpoint = asked.endpoint;
  return view;
}

/// Tells a task as often as it changed, but never faster than the reader takes it.
awaitable<void> follow_task(Core& core, Asked view, TaskTelling telling,
                            std::shared_ptr<Subscriber> subscriber,
                            std::shared_ptr<engine::Watch> watch) {
  const std::string id = watch->snapshot().id();
  for (;;) {
    auto now = co_await core.engine.state(view.who, id);
    if (!now) co_return;
    show_links(view, now->task);
    const std::string params =
        task_notification_params(now->task, telling, subscriber->subscription());
    const std::string line = jsonrpc::notification(notification::kTasks, params);
    while (!subscriber->tell(line)) {
      if (subscriber->ended()) co_return;
      co_await subscriber->pause();
    }
    if (is_terminal(now->task.state)) co_return;
    for (;;) {
      auto entry = co_await watch->next();
      if (!entry || !*entry || subscriber->ended()) co_return;
      const tasks::EntryType type = (*entry)->type;
      if (has_revision(type) && type != tasks::EntryType::progress) break;
    }
  }
}

/// What the engine reports about those of the filter's resources that the principal may read.
awaitable<void> follow_resources(Core& core, const Asked& asked, ListenFilter& filter,
                                 Subscriber& subscriber) {
  std::vector<std::string_view> followed;
  for (const std::string_view uri : filter.resources) {
    const auto own = own_uri(asked, uri);
    if (!own) continue;
    auto subscription = co_await core.engine.follow_resource(asked.who, own->endpoint, own->uri);
    if (!subscription) continue;
    subscriber.watch_resource(own->endpoint, own->uri, *std::move(subscription));
    followed.push_back(uri);
  }
  filter.resources = std::move(followed);
}

using Watches = std::vector<std::shared_ptr<engine::Watch>>;
awaitable<Watches> watch_tasks(Core& core, const Asked& asked, ListenFilter& filter) {
  Watches watches;
  std::vector<std::string_view> watched;
  for (const std::string_view text : filter.tasks) {
    const auto bound = read_task_id(text);
    if (!bound) continue;
    auto watch = co_await core.engine.watch(asked.who, bound->id, engine::kFromSnapshot);
    if (!watch) continue;
    const std::string& endpoint = (*watch)->snapshot().admission->endpoint;
    if (!asked.endpoint.empty() && endpoint != asked.endpoint) continue;
    watches.push_back(*std::move(watch));
    watched.push_back(text);
  }
  filter.tasks = std::move(watched);
  co_return watches;
}

}  // namespace

awaitable<Answer> listen(Core& core, const Asked& asked) {
  const auto params = read_listen_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  ListenFilter filter = honoured(*params, asked.features);
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto subscriber = std::make_shared<Subscriber>(core, asked, executor);
  const auto membership = core.changes->join(subscriber);
  if (!membership) co_return refuse(too_many());
  co_await follow_resources(core, asked, filter, *subscriber);
  const Watches watches = co_await watch_tasks(core, asked, filter);
  subscriber->begin(filter);
  for (const auto& watch : watches) {
    boost::asio::co_spawn(
        executor, follow_task(core, view_of(asked), telling_of(core, asked), subscriber, watch),
        boost::asio::detached);
  }
  const WhileReading reading(*asked.sink, [subscriber] { subscriber->reader_left(); });
  co_await subscriber->until_over();
  for (const auto& watch : watches) watch->stop();
  co_return listen_result(core.envelope(asked), asked.message.id);
}

}  // namespace interline::protocols::mcp::server
