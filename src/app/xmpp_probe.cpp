#include "app/xmpp_probe.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "app/settings.hpp"
#include "app/xmpp_link.hpp"
#include "base/log_format.hpp"
#include "net/deadline.hpp"
#include "net/event.hpp"

namespace interline::app {
namespace {

constexpr net::Duration kLongestAttempt{30'000};
// The component tries again and again; its second attempt is too late for us.
constexpr std::chrono::hours kNeverAgain{1};

struct Attempt {
  explicit Attempt(const net::Executor& executor) : changed(executor) {}

  const SystemClock clock;  // lives as long as what uses it
  net::Event changed;
  bool ready = false;
  bool failed = false;
  bool ended = false;
  std::string why;
  std::string remedy;
};

/// What the component says of its connection, which nobody else tells.
class AttemptLog final : public LogSink {
 public:
  explicit AttemptLog(std::shared_ptr<Attempt> attempt)
      : LogSink(LogLevel::info), attempt_(std::move(attempt)) {}

  void write(const LogRecord& record) override {
    if (record.level >= LogLevel::warning) {
      attempt_->why.append(attempt_->why.empty() ? "" : "; ").append(record.message);
      for (const LogField& field : record.fields) {
        const std::string value = format_value(field.value());
        if (field.key() == "remedy") attempt_->remedy = value;
        if (field.key() == "remedy" || value.empty()) continue;
        attempt_->why.append(" (").append(value).append(")");
      }
      return;
    }
    if (record.message != "reconnecting") return;
    attempt_->failed = true;
    attempt_->changed.notify_all();
  }

 private:
  const std::shared_ptr<Attempt> attempt_;
};

net::awaitable<void> run(std::shared_ptr<xmpp::Component> component,
                         std::shared_ptr<Attempt> attempt) {
  co_await component->run();
  attempt->ended = true;
  attempt->changed.notify_all();
}

net::awaitable<void> wait_for(std::shared_ptr<Attempt> attempt, bool Attempt::*what,
                              net::Duration longest) {
  const net::Executor executor = co_await net::asio::this_coro::executor;
  bool late = false;
  net::Deadline deadline(executor, [&attempt, &late] {
    late = true;
    attempt->changed.notify_all();
  });
  deadline.expires_after(longest);
  while (!late && !attempt->failed && !((*attempt).*what)) co_await attempt->changed.wait();
}

}  // namespace

net::awaitable<std::optional<XmppTrouble>> probe_xmpp(const XmppSection& section) {
  auto domain = xmpp::OwnDomain::parse(section.domain);
  if (!domain) co_return XmppTrouble(domain.error().message, "mend [xmpp] domain");
  auto connector = xmpp_connector(section);
  if (!connector) {
    co_return XmppTrouble(connector.error().message,
                          "mend [xmpp] tls_ca, tls_certificate and tls_key");
  }
  Secret secret = section.secret;
  if (!section.secret_file.empty()) {
    auto read = read_secret_file(section.secret_file);
    if (!read) {
      co_return XmppTrouble(read.error().message,
                            "write the secret that the server has for " + section.domain +
                                " into its first line, and let the gateway's user read it");
    }
    secret = *std::move(read);
  }
  const net::Executor executor = co_await net::asio::this_coro::executor;
  auto attempt = std::make_shared<Attempt>(executor);
  const Logger log(std::make_shared<AttemptLog>(attempt), attempt->clock);
  xmpp::ComponentConfig config = xmpp_component_settings(section);
  config.stream.reconnect.least = kNeverAgain;
  config.stream.reconnect.most = kNeverAgain;
  xmpp::ComponentHandlers handlers;
  handlers.on_stanza = [](xmpp::Stanza) {};
  handlers.on_lost = [] {};
  handlers.on_ready = [attempt] {
    attempt->ready = true;
    attempt->changed.notify_all();
  };
  auto component =
      std::make_shared<xmpp::Component>(executor, *std::move(domain), std::move(secret), config,
                                        *connector, std::move(handlers), attempt->clock, log);
  net::asio::co_spawn(executor, run(component, attempt), net::asio::detached);
  co_await wait_for(attempt, &Attempt::ready, kLongestAttempt);
  const bool ready = attempt->ready;
  XmppTrouble trouble(attempt->why, attempt->remedy);
  component->stop();
  attempt->failed = false;
  co_await wait_for(attempt, &Attempt::ended, kLongestAttempt);
  if (ready) co_return std::nullopt;
  if (trouble.what.empty()) trouble.what = "the XMPP server did not answer in time";
  co_return trouble;
}

}  // namespace interline::app
