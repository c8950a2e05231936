// Who hears of what: one listener at the engine, handed on to every open subscription that may see
// the endpoint. Bounded in number; each keeps at most one of a kind until it is told.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "engine/engine.hpp"

namespace interline::protocols::mcp::server {

class Changes : public std::enable_shared_from_this<Changes> {
 public:
  Changes(engine::Engine& engine, std::size_t most) : engine_(engine), most_(most) {}

  /// One subscription's ear: on any thread, must only hand it on. `ended`: all is over.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void changed(const engine::EndpointChange& change) = 0;
    virtual void over() = 0;
  };

  /// Leaves when it is destroyed.
  class Membership {
   public:
    Membership(std::shared_ptr<Changes> changes, std::shared_ptr<Listener> listener)
        : changes_(std::move(changes)), listener_(std::move(listener)) {}
    ~Membership() { changes_->leave(listener_); }
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    const std::shared_ptr<Changes> changes_;
    const std::shared_ptr<Listener> listener_;
  };

  /// nullptr: too many, or all is over.
  [[nodiscard]] std::unique_ptr<Membership> join(std::shared_ptr<Listener> listener);
  void end();
  [[nodiscard]] std::size_t size() const;

 private:
  void leave(const std::shared_ptr<Listener>& listener);
  void hand_on(const engine::EndpointChange& change);

  engine::Engine& engine_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::set<std::shared_ptr<Listener>> listeners_;  // guarded by mutex_, as below
  bool subscribed_ = false;
  std::unique_ptr<engine::Subscription> subscription_;  // since the first listener
  bool over_ = false;
};

}  // namespace interline::protocols::mcp::server
