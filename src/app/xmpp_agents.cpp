#include "app/xmpp_agents.hpp"

#include <algorithm>

#include "bindings/xmpp/agent_stanzas.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::app {

using protocols::xmpp::AgentAnswer;
using protocols::xmpp::AgentRequest;
using protocols::xmpp::Answered;
using protocols::xmpp::Fault;

/// The way from one endpoint to one agent.
class XmppAgents::To final : public runtimes::xmpp::Link {
 public:
  To(std::shared_ptr<XmppAgents> agents, std::string endpoint, xmpp::Jid agent)
      : agents_(std::move(agents)), endpoint_(std::move(endpoint)), agent_(std::move(agent)) {}

  [[nodiscard]] bool ready() const override {
    const auto binding = agents_->binding();
    return binding && binding->ready();
  }

  [[nodiscard]] engine::awaitable<Answered<AgentAnswer>> ask(AgentRequest request) override {
    const auto binding = agents_->binding();
    if (!binding) co_return std::unexpected(Fault(Fault::Kind::unsent));
    std::string from = endpoint_;
    xmpp::Jid to = agent_;
    co_return co_await binding->ask(std::move(from), std::move(to), std::move(request));
  }

  void listen(std::shared_ptr<const runtimes::xmpp::LinkEars> ears) override {
    ears_ = std::move(ears);
    Listener listener;
    listener.endpoint = endpoint_;
    listener.agent = agent_.bare();
    listener.ears = ears_;
    agents_->listen(std::move(listener));
  }

 private:
  const std::shared_ptr<XmppAgents> agents_;
  const std::string endpoint_;
  const xmpp::Jid agent_;
  std::shared_ptr<const runtimes::xmpp::LinkEars> ears_;
};

void XmppAgents::join(const std::shared_ptr<xmpp::Binding>& binding) {
  {
    const std::lock_guard lock(mutex_);
    binding_ = binding;
  }
  xmpp::AgentEars ears;
  ears.on_event = [self = shared_from_this()](const xmpp::Stanza& message) {
    return self->take(message);
  };
  ears.on_ready = [self = shared_from_this()] { self->ready(); };
  binding->attend(std::move(ears));
}

std::unique_ptr<runtimes::xmpp::Link> XmppAgents::link(std::string endpoint, xmpp::Jid agent) {
  return std::make_unique<To>(shared_from_this(), std::move(endpoint), std::move(agent));
}

std::shared_ptr<xmpp::Binding> XmppAgents::binding() const {
  const std::lock_guard lock(mutex_);
  return binding_.lock();
}

void XmppAgents::listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  std::erase_if(listeners_, [](const Listener& old) { return old.ears.expired(); });
  listeners_.push_back(std::move(listener));
}

/// A runtime that is being replaced still hears of its calls, beside the new one.
XmppAgents::Ears XmppAgents::ears_of(std::string_view endpoint, std::string_view agent) const {
  Ears found;
  const std::lock_guard lock(mutex_);
  for (const Listener& listener : listeners_) {
    if (listener.endpoint != endpoint || listener.agent != agent) continue;
    if (auto ears = listener.ears.lock()) found.push_back(std::move(ears));
  }
  return found;
}

/// What is wrong about its message is ignored whole.
bool XmppAgents::take(const xmpp::Stanza& message) const {
  const xmpp::Element root = message.root();
  const auto from = xmpp::Jid::parse(root.attribute(xmpp::attribute::kFrom).value_or(""));
  const auto to = xmpp::Jid::parse(root.attribute(xmpp::attribute::kTo).value_or(""));
  if (!from || !to) return false;
  const Ears ears = ears_of(to->localpart(), from->bare());
  if (ears.empty()) return false;
  const auto event = xmpp::read_event(message);
  if (!event) return true;
  for (const auto& each : ears) each->on_event(*event);
  return true;
}

void XmppAgents::ready() const {
  Ears all;
  {
    const std::lock_guard lock(mutex_);
    for (const Listener& listener : listeners_) {
      if (auto ears = listener.ears.lock()) all.push_back(std::move(ears));
    }
  }
  for (const auto& each : all) each->on_ready();
}

}  // namespace interline::app
