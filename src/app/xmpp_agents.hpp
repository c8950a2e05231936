// Agents of other gateways, as the runtimes that call them reach them: through the one component
// stream, each from the address of its endpoint.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings/xmpp/binding.hpp"
#include "bindings/xmpp/jid.hpp"
#include "runtimes/xmpp/link.hpp"

namespace interline::app {

/// Any thread.
class XmppAgents : public std::enable_shared_from_this<XmppAgents> {
 public:
  /// Until then nothing can be sent. The binding does not run yet.
  void join(const std::shared_ptr<xmpp::Binding>& binding);

  [[nodiscard]] std::unique_ptr<runtimes::xmpp::Link> link(std::string endpoint, xmpp::Jid agent);

  /// A message with an event, as the binding offers it. Believed is the agent that the addressed
  /// endpoint is configured to call, by its bare JID, and nobody else: for others it is false.
  [[nodiscard]] bool take(const xmpp::Stanza& message) const;

 private:
  class To;
  struct Listener {
    std::string endpoint;
    std::string agent;  ///< bare
    std::weak_ptr<const runtimes::xmpp::LinkEars> ears;
  };
  using Ears = std::vector<std::shared_ptr<const runtimes::xmpp::LinkEars>>;

  [[nodiscard]] std::shared_ptr<xmpp::Binding> binding() const;
  void listen(Listener listener);
  [[nodiscard]] Ears ears_of(std::string_view endpoint, std::string_view agent) const;
  void ready() const;

  mutable std::mutex mutex_;
  std::weak_ptr<xmpp::Binding> binding_;  // guarded by mutex_, as below
  std::vector<Listener> listeners_;
};

}  // namespace interline::app
