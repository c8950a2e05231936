#include "app/xmpp_front.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "app/settings.hpp"
#include "app/xmpp_agents.hpp"
#include "app/xmpp_link.hpp"

namespace interline::app {

/// The binding, and what is known of its last attempt to connect.
struct XmppFront::Link {
  Link(std::string to, std::filesystem::path file, Logger of_network)
      : server(std::move(to)), secret_file(std::move(file)), log(std::move(of_network)) {}

  /// Every attempt reads the secret anew, so that a new one needs no restart.
  static net::awaitable<xmpp::ConnectResult> connect(std::shared_ptr<Link> link) {
    ++link->attempts;
    if (!link->secret_file.empty()) {
      auto secret = read_secret_file(link->secret_file);
      if (!secret) {
        link->note(secret.error().message);
        co_return std::unexpected(std::move(secret.error()));
      }
      link->binding->set_secret(*std::move(secret));
    }
    auto stream = co_await link->open();
    link->note(stream ? "the server has not accepted the component yet; see the log"
                      : said_by(stream.error()));
    co_return stream;
  }
  static std::string said_by(const xmpp::ConnectError& error) {
    return error.message + (error.remedy.empty() ? "" : "; to mend it: " + error.remedy);
  }
  void note(std::string text) {
    const std::lock_guard lock(mutex);
    why = std::move(text);
  }

  const std::string server;
  const std::filesystem::path secret_file;
  const Logger log;
  xmpp::Connector open;
  std::shared_ptr<xmpp::Binding> binding;
  std::atomic<std::uint64_t> attempts = 0;
  mutable std::mutex mutex;
  std::string why = "no connection was made yet";  // guarded by mutex
};

XmppFront::XmppFront(std::shared_ptr<Link> link) : link_(std::move(link)) {}
XmppFront::~XmppFront() = default;

Result<std::unique_ptr<XmppFront>> XmppFront::make(const net::Executor& executor,
                                                   engine::Engine& engine,
                                                   const Configuration& configuration,
                                                   const Clock& clock, const Logger& log) {
  const XmppSection& section = *configuration.xmpp;
  auto domain = xmpp::OwnDomain::parse(section.domain);
  if (!domain) return std::unexpected(std::move(domain.error()));
  auto open = xmpp_connector(section);
  if (!open) return std::unexpected(std::move(open.error()));
  auto link =
      std::make_shared<Link>(section.server, section.secret_file, log.with({{"network", "xmpp"}}));
  link->open = *std::move(open);
  xmpp::Connector connect = [weak = std::weak_ptr(link)]() {
    return Link::connect(weak.lock());  // the binding, which calls this, belongs to the link
  };
  link->binding = std::make_shared<xmpp::Binding>(
      executor, engine, *std::move(domain), section.secret, xmpp_component_settings(section),
      xmpp_binding_settings(configuration), std::move(connect), clock, link->log);
  return std::unique_ptr<XmppFront>(new XmppFront(std::move(link)));
}

void XmppFront::serve(const std::shared_ptr<XmppAgents>& agents) {
  agents->join(link_->binding);
}

net::awaitable<void> XmppFront::run() {
  co_await link_->binding->run();
}

net::awaitable<void> XmppFront::drain(std::chrono::milliseconds grace) {
  co_await link_->binding->drain(grace);
}

net::awaitable<void> XmppFront::refresh_presence() {
  const std::shared_ptr<Link> link = link_;
  co_await link->binding->refresh_presence();
  link->log.debug("presence was looked at anew");
}

bool XmppFront::ready() const {
  return link_->binding->ready();
}

XmppFigures XmppFront::figures() const {
  XmppFigures now;
  now.connected = ready();
  now.attempts = link_->attempts;
  now.sessions = link_->binding->sessions();
  return now;
}

std::string XmppFront::why_not() const {
  const std::lock_guard lock(link_->mutex);
  return "not connected to " + link_->server + ": " + link_->why;
}

}  // namespace interline::app
