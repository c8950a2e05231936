// Lanes, and what their agents say of themselves: that something is different, and what is
// followed.
#include <utility>

#include "engine/ask_runtime.hpp"
#include "engine/gateway.hpp"

namespace interline::engine {
namespace {

constexpr std::size_t kLongestUri = 8'192;

std::unexpected<Error> unknown() {
  return fail(ErrorKind::not_found, "No such endpoint, prompt or resource.");
}

}  // namespace

/// Listens to one runtime, as long as that one is behind its endpoint.
struct Gateway::Ear {
  std::string endpoint;
  std::shared_ptr<Runtime> runtime;
  std::shared_ptr<ChangeHub> changes;
  std::shared_ptr<FollowedResources> followed;
  std::shared_ptr<const std::function<void(const std::string&)>> on_tools;

  void hear(const AgentChange& change) const {
    if (change.kind == ChangeKind::tools && on_tools) return (*on_tools)(endpoint);
    if (change.kind == ChangeKind::resource && !followed->any(endpoint)) return;
    changes->tell(EndpointChange{endpoint, change});
  }
};

void Gateway::on_agent_tools(std::function<void(const std::string& endpoint)> changed) {
  on_agent_tools_ =
      std::make_shared<const std::function<void(const std::string&)>>(std::move(changed));
}

void Gateway::hear(const std::string& endpoint, const std::shared_ptr<Runtime>& runtime) {
  auto ear = std::make_shared<Ear>();
  ear->endpoint = endpoint;
  ear->runtime = runtime;
  ear->changes = changes_;
  ear->followed = followed_;
  ear->on_tools = on_agent_tools_;
  std::shared_ptr<Ear> before;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Ear>& place = ears_[endpoint];
    if (place && place->runtime == runtime) return;
    before = std::exchange(place, ear);
  }
  if (!runtime) return;
  runtime->on_change([weak = std::weak_ptr<const Ear>(ear)](const AgentChange& change) {
    if (const auto listening = weak.lock()) listening->hear(change);
  });
}

void Gateway::open_lane(const std::string& endpoint, std::shared_ptr<Runtime> runtime,
                        const LaneConfiguration& configuration) {
  hear(endpoint, runtime);
  dispatcher_.open_lane(endpoint, std::move(runtime), configuration);
  followed_->lane_changed(endpoint);
  changes_->tell_all(endpoint);
}

void Gateway::close_lane(const std::string& endpoint) {
  std::shared_ptr<Ear> before;
  {
    const std::lock_guard lock(mutex_);
    const auto found = ears_.find(endpoint);
    if (found != ears_.end()) before = std::exchange(found->second, nullptr);
  }
  dispatcher_.close_lane(endpoint);
  followed_->lane_changed(endpoint);
  changes_->tell_all(endpoint);
}

std::unique_ptr<Subscription> Gateway::on_change(ChangeListener listener) {
  return changes_->listen(std::move(listener));
}

// --- followed resources -------------------------------------------------------------------------

std::shared_ptr<FollowedResources> Gateway::make_followed() {
  FollowedResources::Parts parts;
  parts.executor = executor_;
  parts.most = configuration_.followers;
  parts.runtime = [this](std::string_view endpoint) { return dispatcher_.runtime(endpoint); };
  parts.tell = [this](std::string endpoint, std::string uri, bool follow) {
    return tell_follow(std::move(endpoint), std::move(uri), follow);
  };
  return std::make_shared<FollowedResources>(std::move(parts));
}

awaitable<Result<void>> Gateway::tell_follow(std::string endpoint, std::string uri, bool follow) {
  auto asking = dispatcher_.reserve_asking(endpoint);
  if (!asking) co_return std::unexpected(std::move(asking.error()));
  auto ask = [uri, follow](Runtime& runtime, const std::shared_ptr<Withdrawal>&) {
    return runtime.follow_resource(uri, follow);
  };
  co_return co_await ask_runtime<void>(*asking, executor_, configuration_.consultation, nullptr,
                                       std::move(ask));
}

awaitable<Result<std::unique_ptr<Subscription>>> Gateway::follow_resource(Principal who,
                                                                          std::string endpoint,
                                                                          std::string uri) {
  if (const auto charged = charge(who, policy::RateClass::metadata); !charged) {
    co_return std::unexpected(charged.error());
  }
  if (uri.size() > kLongestUri) {
    co_return fail(ErrorKind::resource_constraint, ErrorReason::too_large, "The URI is too long.");
  }
  const bool usable = policy()->may_use(who, endpoint, policy::Offering::resource, uri);
  if (active_version(endpoint).empty() || !usable) co_return unknown();
  // As reading it would be refused; else nobody would be told before the lane is open again.
  if (auto asking = dispatcher_.reserve_asking(endpoint); !asking) {
    co_return std::unexpected(std::move(asking.error()));
  }
  auto followed = co_await followed_->follow(std::move(endpoint), std::move(uri));
  if (!followed && followed.error().kind == ErrorKind::not_found) co_return unknown();
  co_return followed;
}

}  // namespace interline::engine
