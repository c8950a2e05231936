#include "engine/change_hub.hpp"

#include <utility>

namespace interline::engine {

struct ChangeHub::Listener {
  explicit Listener(Engine::ChangeListener to) : call(std::move(to)) {}
  std::recursive_mutex calling;  // recursive: a call may end its own subscription
  bool active = true;            // guarded by calling
  const Engine::ChangeListener call;
};

class ChangeHub::Listening final : public Subscription {
 public:
  Listening(std::shared_ptr<ChangeHub> hub, std::shared_ptr<Listener> listener)
      : hub_(std::move(hub)), listener_(std::move(listener)) {}
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() override {
    hub_->remove(listener_);
    const std::lock_guard lock(listener_->calling);
    listener_->active = false;
  }

 private:
  const std::shared_ptr<ChangeHub> hub_;
  const std::shared_ptr<Listener> listener_;
};

std::unique_ptr<Subscription> ChangeHub::listen(Engine::ChangeListener listener) {
  auto made = std::make_shared<Listener>(std::move(listener));
  {
    const std::lock_guard lock(mutex_);
    listeners_.push_back(made);
  }
  return std::make_unique<Listening>(shared_from_this(), std::move(made));
}

void ChangeHub::remove(const std::shared_ptr<Listener>& listener) {
  const std::lock_guard lock(mutex_);
  std::erase(listeners_, listener);
}

void ChangeHub::tell(const EndpointChange& change) const {
  std::vector<std::shared_ptr<Listener>> all;
  {
    const std::lock_guard lock(mutex_);
    all = listeners_;
  }
  for (const auto& listener : all) {
    const std::lock_guard lock(listener->calling);
    if (listener->active) listener->call(change);
  }
}

void ChangeHub::tell_all(const std::string& endpoint) const {
  for (const ChangeKind kind : {ChangeKind::tools, ChangeKind::prompts, ChangeKind::resources}) {
    tell(EndpointChange{endpoint, AgentChange{kind, {}}});
  }
}

}  // namespace interline::engine
