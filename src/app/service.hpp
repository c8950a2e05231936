// The whole gateway: what `interline serve` runs. Owns every part, starts them in their order and
// stops them in the reverse one.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "app/a2a_front.hpp"
#include "app/configuration.hpp"
#include "app/endpoints.hpp"
#include "app/health.hpp"
#include "app/http_front.hpp"
#include "app/issuers.hpp"
#include "app/mcp_front.hpp"
#include "app/pid_file.hpp"
#include "app/xmpp_front.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "bindings/control/control.hpp"
#include "engine/gateway.hpp"
#include "net/asio.hpp"
#include "policy/decision_log.hpp"
#include "store/sqlite/condition.hpp"
#include "store/store.hpp"

namespace interline::app {

class Service {
 public:
  /// `on_broken`: nothing can be promised any more; the process is to end at once.
  Service(net::Executor executor, Configuration configuration, const Clock& clock, Logger log,
          std::function<void()> on_broken);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Errors say what to do. After one there is only drain().
  [[nodiscard]] net::awaitable<Result<void>> start();
  /// Takes over what can change; says in the log what needs a restart. The caller has read and
  /// checked `fresh`.
  [[nodiscard]] net::awaitable<void> reload(Configuration fresh);
  /// Answers no new work, lets running work end within `[tasks] drain`, and stops everything.
  [[nodiscard]] net::awaitable<void> drain();

  // Any thread, after start():
  [[nodiscard]] Readiness readiness() const;
  [[nodiscard]] std::string metrics() const;
  [[nodiscard]] control::GatewayStatus status() const;

 private:
  [[nodiscard]] Result<void> open_store();
  void warn_of_open_secrets() const;
  [[nodiscard]] Result<void> open_listeners();
  [[nodiscard]] Result<void> open_engine();
  [[nodiscard]] Result<std::vector<std::string>> configured_before();
  void serve_http();
  [[nodiscard]] control::Options control_options();
  void start_xmpp();
  [[nodiscard]] net::awaitable<void> say_left_out_denials();

  const net::Executor executor_;
  Configuration configuration_;
  const Clock& clock_;
  const Logger log_;
  const std::function<void()> on_broken_;

  const std::shared_ptr<policy::DecisionLog> decisions_;
  const net::Executor strand_;
  boost::asio::steady_timer pause_;  // on the strand

  const std::shared_ptr<store::Condition> store_condition_ = std::make_shared<store::Condition>();
  std::unique_ptr<store::Store> store_;
  std::optional<PidFile> pid_file_;
  std::unique_ptr<engine::Gateway> gateway_;
  std::unique_ptr<Endpoints> endpoints_;
  std::unique_ptr<XmppFront> xmpp_;
  std::unique_ptr<Issuers> issuers_;  // none: no tokens are taken
  std::unique_ptr<McpFront> mcp_;
  std::unique_ptr<A2aFront> a2a_;
  std::unique_ptr<HttpFront> http_;
  std::unique_ptr<HttpFront> control_;
  std::shared_ptr<control::EventStreams> control_streams_;
  const SystemTime created_;
  const std::string title_;
  bool started_ = false;
  std::atomic<bool> draining_{false};
};

}  // namespace interline::app
