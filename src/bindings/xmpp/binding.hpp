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

namespace interline::xmpp {

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

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace interline::xmpp
