#include "protocols/mcp/server/subscriber.hpp"

#include <chrono>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/server/view.hpp"

namespace interline::protocols::mcp::server {
namespace {

using engine::ChangeKind;
using SteadyTimer = boost::asio::steady_timer;

constexpr std::chrono::milliseconds kForSlowReaders{200};
constexpr std::size_t kMostUpdated = 1'000;

awaitable<void> wait(SteadyTimer& timer) {
  co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
}

/// The resource itself, or one below it (server/resources, "Subscriptions").
bool covers(std::string_view watched, std::string_view uri) {
  if (!uri.starts_with(watched)) return false;
  return uri.size() == watched.size() || watched.ends_with('/') || uri[watched.size()] == '/';
}

}  // namespace

Subscriber::Subscriber(Core& core, const Asked& asked, boost::asio::any_io_executor executor)
    : core_(core),
      who_(asked.who),
      endpoint_(asked.endpoint),
      subscription_(is_modern(asked.revision) ? asked.message.id : std::string_view()),
      executor_(std::move(executor)),
      ended_timer_(executor_, SteadyTimer::time_point::max()),
      retry_timer_(executor_),
      sink_(asked.sink) {}

void Subscriber::watch_resource(std::string endpoint, std::string uri,
                                std::unique_ptr<engine::Subscription> subscription) {
  const std::lock_guard lock(mutex_);
  watched_[Resource(std::move(endpoint), std::move(uri))] = std::move(subscription);
}

void Subscriber::unwatch_resource(const std::string& endpoint, const std::string& uri) {
  std::unique_ptr<engine::Subscription> gone;
  const std::lock_guard lock(mutex_);
  const auto found = watched_.find(Resource(endpoint, uri));
  if (found == watched_.end()) return;
  gone = std::move(found->second);
  watched_.erase(found);
}

void Subscriber::begin(const ListenFilter& filter) {
  {
    const std::lock_guard lock(mutex_);
    tools_ = filter.tools_changed;
    prompts_ = filter.prompts_changed;
    resources_ = filter.resources_changed;
    begun_ = true;
    if (sink_ != nullptr && !subscription_.empty()) {
      sink_->tell(jsonrpc::notification(notification::kAcknowledged,
                                        acknowledged_params(filter, subscription_)));
    }
  }
  schedule();
}

/// Hidden and absent are the same: nothing is heard of either.
bool Subscriber::concerns(const engine::EndpointChange& change) const {
  if (!endpoint_.empty() && change.endpoint != endpoint_) return false;
  return core_.engine.policy()->visible(who_, change.endpoint);
}

void Subscriber::changed(const engine::EndpointChange& change) {
  if (!concerns(change)) return;
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    note(change);
  }
  schedule();
}

void Subscriber::note(const engine::EndpointChange& change) {
  switch (change.change.kind) {
    case ChangeKind::tools:
      news_.tools = true;
      break;
    case ChangeKind::prompts:
      news_.prompts = true;
      break;
    case ChangeKind::resources:
      news_.resources = true;
      break;
    case ChangeKind::resource:
      note_resource(change);
      break;
  }
}

void Subscriber::note_resource(const engine::EndpointChange& change) {
  for (const auto& [resource, subscription] : watched_) {
    if (resource.first != change.endpoint || !covers(resource.second, change.change.uri)) continue;
    if (news_.updated.size() >= kMostUpdated) return;
    Asked shown;
    shown.endpoint = endpoint_;
    news_.updated.insert(shown_uri(shown, change.endpoint, change.change.uri));
    return;
  }
}

void Subscriber::schedule() {
  {
    const std::lock_guard lock(mutex_);
    if (scheduled_ || !begun_) return;
    scheduled_ = true;
  }
  boost::asio::post(executor_, [self = shared_from_this()] { self->tell_news(); });
}

void Subscriber::tell_news() {
  const std::lock_guard lock(mutex_);
  scheduled_ = false;
  if (sink_ == nullptr || over_) return;
  const auto say = [this](bool& is_new, bool wanted, std::string_view what) {
    if (!is_new) return;
    const bool told =
        !wanted || sink_->tell(jsonrpc::notification(what, changed_params(subscription_)));
    if (told) is_new = false;
  };
  say(news_.tools, tools_, notification::kToolsChanged);
  say(news_.prompts, prompts_, notification::kPromptsChanged);
  say(news_.resources, resources_, notification::kResourcesChanged);
  while (!news_.updated.empty()) {
    const std::string params = updated_params(*news_.updated.begin(), subscription_);
    if (!sink_->tell(jsonrpc::notification(notification::kResourceUpdated, params))) break;
    news_.updated.erase(news_.updated.begin());
  }
  if (!news_.any()) return;
  // The reader is slow: later, once.
  scheduled_ = true;
  retry_timer_.expires_after(kForSlowReaders);
  retry_timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->tell_news();
  });
}

void Subscriber::over() {
  boost::asio::post(executor_, [self = shared_from_this()] { self->end(); });
}

void Subscriber::reader_left() {
  end();
}

void Subscriber::end() {
  std::map<Resource, std::unique_ptr<engine::Subscription>> watched;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    sink_ = nullptr;
    watched.swap(watched_);
  }
  retry_timer_.cancel();
  ended_timer_.cancel();
}

bool Subscriber::ended() const {
  const std::lock_guard lock(mutex_);
  return over_;
}

awaitable<void> Subscriber::until_over() {
  while (!ended()) co_await wait(ended_timer_);
}

awaitable<void> Subscriber::pause() {
  SteadyTimer timer(executor_, kForSlowReaders);
  co_await wait(timer);
}

bool Subscriber::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  return sink_ != nullptr && sink_->tell(line);
}

}  // namespace interline::protocols::mcp::server
