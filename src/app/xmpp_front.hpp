// The XMPP binding as `[xmpp]` describes it: its connection, its secret, and why it is not ready.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "app/configuration.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/xmpp/binding.hpp"
#include "engine/engine.hpp"
#include "net/asio.hpp"

namespace interline::app {

class XmppAgents;

struct XmppFigures {
  bool connected = false;
  std::uint64_t attempts = 0;  ///< to connect
  std::uint64_t sessions = 0;  ///< attempts that were authenticated
};

class XmppFront {
 public:
  /// Errors: what is wrong with the section beyond its syntax: a domain, an address, a certificate.
  [[nodiscard]] static Result<std::unique_ptr<XmppFront>> make(const net::Executor& executor,
                                                               engine::Engine& engine,
                                                               const Configuration& configuration,
                                                               const Clock& clock,
                                                               const Logger& log);
  ~XmppFront();

  /// Before run(): whoever calls agents elsewhere does it through this.
  void serve(const std::shared_ptr<XmppAgents>& agents);
  /// Until drain() has ended.
  [[nodiscard]] net::awaitable<void> run();
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace);
  /// After grants or endpoints have changed: subscribers hear of it now.
  [[nodiscard]] net::awaitable<void> refresh_presence();

  // Any thread:
  [[nodiscard]] bool ready() const;
  [[nodiscard]] XmppFigures figures() const;
  /// A sentence for people while it is not ready.
  [[nodiscard]] std::string why_not() const;

 private:
  struct Link;
  explicit XmppFront(std::shared_ptr<Link> link);
  std::shared_ptr<Link> link_;
};

}  // namespace interline::app
