#include "protocols/mcp/server/changes.hpp"

#include <utility>
#include <vector>

namespace interline::protocols::mcp::server {

std::unique_ptr<Changes::Membership> Changes::join(std::shared_ptr<Listener> listener) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (over_ || listeners_.size() >= most_) return nullptr;
    first = !std::exchange(subscribed_, true);
    listeners_.insert(listener);
  }
  if (first) {
    // Not under the lock: the engine may call back at once.
    auto subscription =
        engine_.on_change([weak = weak_from_this()](const engine::EndpointChange& change) {
          if (const auto self = weak.lock()) self->hand_on(change);
        });
    const std::lock_guard lock(mutex_);
    subscription_ = std::move(subscription);
  }
  return std::make_unique<Membership>(shared_from_this(), std::move(listener));
}

void Changes::leave(const std::shared_ptr<Listener>& listener) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(listener);
}

void Changes::hand_on(const engine::EndpointChange& change) {
  std::vector<std::shared_ptr<Listener>> all;
  {
    const std::lock_guard lock(mutex_);
    all.assign(listeners_.begin(), listeners_.end());
  }
  for (const auto& listener : all) listener->changed(change);
}

void Changes::end() {
  std::vector<std::shared_ptr<Listener>> all;
  std::unique_ptr<engine::Subscription> subscription;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    all.assign(listeners_.begin(), listeners_.end());
    subscription = std::move(subscription_);
  }
  for (const auto& listener : all) listener->over();
}

std::size_t Changes::size() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size();
}

}  // namespace interline::protocols::mcp::server
