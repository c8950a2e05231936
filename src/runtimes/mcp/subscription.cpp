#include "runtimes/mcp/subscription.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "json/writer.hpp"
#include "protocols/mcp/notifications.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace words = protocols::mcp;

std::string uri_members(const std::string& uri) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("uri", std::string_view(uri));
  writer.end_object();
  return text.substr(1, text.size() - 2);
}

bool is_unknown_method(const Reply& reply) {
  return reply.is_error() && reply.message.code == protocols::jsonrpc::error_code::kMethodNotFound;
}

struct KindRow {
  bool words::Features::*feature;
  std::string_view member;
};
constexpr KindRow kKinds[] = {
    {&words::Features::tools_changed, "toolsListChanged"},
    {&words::Features::prompts_changed, "promptsListChanged"},
    {&words::Features::resources_changed, "resourcesListChanged"},
};

}  // namespace

/// One listen stream.
class Subscription::Ear final : public Hearer {
 public:
  explicit Ear(std::shared_ptr<Subscription> owner, std::string filter)
      : owner_(std::move(owner)), filter_(std::move(filter)) {}

  [[nodiscard]] bool count(std::size_t) override { return true; }
  void progress(words::Progress) override {}
  void log(const words::LogLine&) override {}
  void asked(ServerRequest request) override {
    request.refuse(protocols::jsonrpc::error_code::kMethodNotFound, "Nobody is asked here.");
  }
  void told(const protocols::jsonrpc::Message& notification) override {
    if (notification.method == words::notification::kAcknowledged) {
      heard_ = true;
      if (before_) before_->stop->stop();  // this one has taken its place
      before_ = nullptr;
      return;
    }
    const json::Value* uri = notification.params.find("uri");
    owner_->state_->told(notification.method,
                         uri == nullptr ? std::string_view() : uri->get_string().value_or(""));
  }
  [[nodiscard]] net::awaitable<void> ready() override { co_return; }

  [[nodiscard]] const std::string& filter() const { return filter_; }
  [[nodiscard]] bool heard() const { return heard_; }

  const std::shared_ptr<Stop> stop = std::make_shared<Stop>();
  std::shared_ptr<Ear> before_;

 private:
  const std::shared_ptr<Subscription> owner_;
  const std::string filter_;
  bool heard_ = false;
};

Subscription::Subscription(const net::Executor& strand, std::shared_ptr<ServerState> state,
                           SubscriptionLimits limits)
    : state_(std::move(state)), limits_(limits), changed_(strand), wait_(limits.retry_first) {}

net::awaitable<void> Subscription::run(std::shared_ptr<Link> link) {
  const auto self = shared_from_this();
  while (!closed_) {
    if (link->hello().modern()) {
      co_await listen(link);
    } else {
      co_await subscribe(link);
    }
  }
}

void Subscription::refresh() {
  changed_.notify_all();
}

void Subscription::close() {
  closed_ = true;
  if (ear_) ear_->stop->stop();
  ear_ = nullptr;
  changed_.notify_all();
}

std::string Subscription::filter(const words::Features& features) const {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const KindRow& row : kKinds) {
    if (features.*row.feature) writer.member(row.member, true);
  }
  if (const auto uris = state_->followed(); features.resource_subscriptions && !uris.empty()) {
    writer.name("resourceSubscriptions");
    writer.begin_array();
    for (const std::string& uri : uris) writer.value(std::string_view(uri));
    writer.end_array();
  }
  writer.end_object();
  return text;
}

/// One round: until something else is to be heard of.
net::awaitable<void> Subscription::listen(std::shared_ptr<Link> link) {
  const std::string wanted = filter(link->hello().features);
  const std::string have = ear_ ? ear_->filter() : "{}";
  if (wanted != have) {
    auto before = std::exchange(ear_, nullptr);
    if (wanted == "{}") {
      before->stop->stop();
    } else {
      ear_ = std::make_shared<Ear>(shared_from_this(), wanted);
      ear_->before_ = std::move(before);
      boost::asio::co_spawn(link->strand(), hold(shared_from_this(), link, ear_, wanted),
                            boost::asio::detached);
    }
  }
  co_await changed_.wait();
}

/// Holds one stream open for as long as it is the one that is wanted.
net::awaitable<void> Subscription::hold(std::shared_ptr<Subscription> self,
                                        std::shared_ptr<Link> link, std::shared_ptr<Ear> ear,
                                        std::string filter) {
  auto wait = self->limits_.retry_first;
  while (!self->closed_ && self->ear_ == ear) {
    Outgoing outgoing(words::method::kListen);
    outgoing.members = "\"notifications\":" + filter;
    outgoing.repeatable = true;
    outgoing.hearer = ear;
    outgoing.stop = ear->stop;
    const auto reply = co_await link->request(std::move(outgoing));
    if (self->closed_ || ear->stop->stopped() || self->ear_ != ear) co_return;
    if (reply && !ear->heard() && is_unknown_method(*reply)) co_return;
    if (!reply && !link->lasting()) co_return;
    if (ear->heard()) wait = self->limits_.retry_first;
    boost::asio::steady_timer pause(link->strand(), wait);
    co_await pause.async_wait(net::use_tuple);
    wait = std::min(wait * 2, self->limits_.retry_longest);
  }
}

/// One round at a server of which each is asked for by itself.
net::awaitable<void> Subscription::subscribe(std::shared_ptr<Link> link) {
  const auto uris = state_->followed();
  const std::set<std::string> wanted(uris.begin(), uris.end());
  std::vector<std::pair<std::string_view, std::string>> steps;
  for (const std::string& uri : wanted) {
    if (!subscribed_.contains(uri)) steps.emplace_back(words::method::kSubscribe, uri);
  }
  for (const std::string& uri : subscribed_) {
    if (!wanted.contains(uri)) steps.emplace_back(words::method::kUnsubscribe, uri);
  }
  if (!link->hello().features.resource_subscriptions) steps.clear();
  refused_ = false;
  for (const auto& [method, uri] : steps) {
    Outgoing outgoing(method);
    outgoing.members = uri_members(uri);
    outgoing.repeatable = true;
    outgoing.timeout = std::chrono::minutes(1);
    const auto reply = co_await link->request(std::move(outgoing));
    if (closed_) co_return;
    const bool done = reply && !reply->is_error();
    if (method == words::method::kUnsubscribe) {
      subscribed_.erase(uri);
    } else if (done || (reply && is_unknown_method(*reply))) {
      subscribed_.insert(uri);
    } else {
      refused_ = true;
    }
  }
  if (steps.empty() || refused_) co_await pause(std::move(link));
}

net::awaitable<void> Subscription::pause(std::shared_ptr<Link> link) {
  if (!refused_) {
    wait_ = limits_.retry_first;
    co_return co_await changed_.wait();
  }
  boost::asio::steady_timer again(link->strand(), wait_);
  again.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->changed_.notify_all();
  });
  wait_ = std::min(wait_ * 2, limits_.retry_longest);
  co_await changed_.wait();
}

}  // namespace interline::runtimes::mcp
