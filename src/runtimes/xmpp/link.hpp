// The way to one agent of another gateway. The application joins it to the gateway's one component
// stream; tests script it.
#pragma once

#include <functional>
#include <memory>

#include "engine/runtime.hpp"
#include "protocols/xmpp/agent_calls.hpp"

namespace interline::runtimes::xmpp {

/// Called from any thread; they only hand it on.
struct LinkEars {
  /// Events whose sender is the agent, and no other.
  std::function<void(protocols::xmpp::Event)> on_event;
  /// The stream is there, or there again: what was not sent can be.
  std::function<void()> on_ready;
};

class Link {
 public:
  virtual ~Link() = default;

  /// Whether requests would leave now. Any thread.
  [[nodiscard]] virtual bool ready() const = 0;
  /// From the endpoint's own address to the agent's; always returns, on the caller's executor.
  [[nodiscard]] virtual engine::awaitable<protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>>
  ask(protocols::xmpp::AgentRequest request) = 0;
  /// Once, before the first request. The ears may be called a last time after the link has gone.
  virtual void listen(std::shared_ptr<const LinkEars> ears) = 0;
};

}  // namespace interline::runtimes::xmpp
