// Who hears of changes of endpoints: any number of listeners, each called by one thread at a time.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace interline::engine {

/// Thread-safe.
class ChangeHub : public std::enable_shared_from_this<ChangeHub> {
 public:
  /// Once the subscription is destroyed the listener is not called any more: its destructor waits
  /// for a call that another thread is in. It may be destroyed inside such a call.
  [[nodiscard]] std::unique_ptr<Subscription> listen(Engine::ChangeListener listener);
  void tell(const EndpointChange& change) const;
  /// Its tools, prompts and resources, all of them.
  void tell_all(const std::string& endpoint) const;

 private:
  struct Listener;
  class Listening;
  void remove(const std::shared_ptr<Listener>& listener);

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Listener>> listeners_;  // guarded by mutex_
};

}  // namespace interline::engine
