// What we want to hear of a server without asking each time: a listen stream of a modern one
// (2026-07-28, basic/patterns/subscriptions), resources/subscribe at a legacy one. Kept up as long
// as the link can be asked, and made anew after it was lost. On the link's strand.
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "net/event.hpp"
#include "runtimes/mcp/link.hpp"
#include "runtimes/mcp/server_state.hpp"

namespace interline::runtimes::mcp {

struct SubscriptionLimits {
  std::chrono::milliseconds retry_first{1'000};
  std::chrono::milliseconds retry_longest{60'000};
};

class Subscription final : public std::enable_shared_from_this<Subscription> {
 public:
  Subscription(const net::Executor& strand, std::shared_ptr<ServerState> state,
               SubscriptionLimits limits = {});

  /// Until close(). Spawned once the link is open.
  [[nodiscard]] net::awaitable<void> run(std::shared_ptr<Link> link);
  /// What is to be heard of has changed.
  void refresh();
  void close();

 private:
  class Ear;

  [[nodiscard]] net::awaitable<void> listen(std::shared_ptr<Link> link);
  [[nodiscard]] net::awaitable<void> subscribe(std::shared_ptr<Link> link);
  /// Until something else is to be heard of, or what was refused is asked for again.
  [[nodiscard]] net::awaitable<void> pause(std::shared_ptr<Link> link);
  [[nodiscard]] static net::awaitable<void> hold(std::shared_ptr<Subscription> self,
                                                 std::shared_ptr<Link> link,
                                                 std::shared_ptr<Ear> ear, std::string filter);
  [[nodiscard]] std::string filter(const protocols::mcp::Features& features) const;

  const std::shared_ptr<ServerState> state_;
  const SubscriptionLimits limits_;
  net::Event changed_;
  std::shared_ptr<Ear> ear_;          ///< the stream that is open, or being opened
  std::set<std::string> subscribed_;  ///< at a legacy server
  bool refused_ = false;              ///< by it, one of what is followed
  std::chrono::milliseconds wait_;    ///< until it is asked again
  bool closed_ = false;
};

}  // namespace interline::runtimes::mcp
