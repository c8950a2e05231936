// XMPP, the front door: the component connection, the dispatch of what comes in, and the events
// that go out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "bindings/xmpp/binding_config.hpp"
#include "bindings/xmpp/component.hpp"
#include "engine/engine.hpp"
#include "protocols/xmpp/agent_calls.hpp"

namespace interline::xmpp {

/// Who hears of agents elsewhere. They return soon and do not throw.
struct AgentEars {
  /// A message with an event, offered before anything else is made of it. False: whoever sent it is
  /// no agent that its addressee calls.
  std::function<bool(const Stanza&)> on_event;
  std::function<void()> on_ready;  ///< the component is authenticated, each time
};

class Binding {
 public:
  /// `executor`: what the engine runs on; the component gets a strand of it.
  Binding(const net::Executor& executor, engine::Engine& engine, OwnDomain domain, Secret secret,
          ComponentConfig component, BindingConfig config, Connector connector, const Clock& clock,
          Logger log);
  ~Binding();

  /// Stays connected until drain() has ended.
  [[nodiscard]] net::awaitable<void> run();
  /// Answers what is in work, says goodbye to subscribers, closes the stream. The engine is drained
  /// first: it is the engine that takes no new tasks.
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace);
  /// Whether the component is authenticated. Any thread.
  [[nodiscard]] bool ready() const;
  /// How often it was authenticated since it runs. Any thread.
  [[nodiscard]] std::uint64_t sessions() const;
  /// For the next connect.
  void set_secret(Secret secret);
  /// Looks now for what else would be found within `presence_interval`, after the engine's policy
  /// or its runtimes changed. Subscribers are told from then on, at the pace that is kept for them.
  [[nodiscard]] net::awaitable<void> refresh_presence();

  // For endpoints of ours that call agents elsewhere.
  /// From the endpoint's own address; returns on the caller's executor. Any thread.
  [[nodiscard]] net::awaitable<protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>> ask(
      std::string endpoint, Jid to, protocols::xmpp::AgentRequest request);
  /// Before run(); called on the component's strand.
  void attend(AgentEars ears);

 private:
  struct Outbound;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace interline::xmpp
