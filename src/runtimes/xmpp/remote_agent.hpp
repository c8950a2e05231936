// One agent of another gateway: what it is, which version of it is known, and who of our calls
// hears of its events. Everything is on its strand, but for what says otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/asio.hpp"
#include "runtimes/xmpp/link.hpp"

namespace interline::runtimes::xmpp {

struct AgentLimits {
  std::chrono::milliseconds look_every{300'000};  ///< whether it has another version
  std::chrono::milliseconds silence_first{
      10'000};  ///< without an event, until a state is asked for
  std::chrono::milliseconds silence_longest{120'000};
  std::chrono::milliseconds retry_first{250};  ///< after no answer, or a refusal that passes
  std::chrono::milliseconds retry_longest{15'000};
  unsigned busy_retries = 12;      ///< of an invocation that the agent has no room for
  std::size_t early_events = 256;  ///< kept for calls that have no task yet
};

class RemoteAgent : public std::enable_shared_from_this<RemoteAgent> {
 public:
  using Hearer = std::function<void(const protocols::xmpp::Event&)>;

  RemoteAgent(const net::Executor& executor, std::unique_ptr<Link> link, AgentLimits limits,
              Logger log);

  /// Listens, and looks for other versions until close().
  void open();
  /// Nothing is asked any more. Any thread.
  void close();

  [[nodiscard]] const net::Executor& strand() const { return strand_; }
  [[nodiscard]] const AgentLimits& limits() const { return limits_; }
  [[nodiscard]] const Logger& log() const { return log_; }

  [[nodiscard]] engine::awaitable<protocols::xmpp::Answered<protocols::xmpp::AgentAnswer>> ask(
      protocols::xmpp::AgentRequest request);
  /// What it says of itself now, if it is an agent whose tools can be called.
  [[nodiscard]] engine::awaitable<protocols::xmpp::Answered<protocols::xmpp::EndpointInfo>> meet();
  /// Its active manifest's tools, pinned. Errors: unavailable.
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools();
  /// How long it recognises invocations, as it said last; nothing: it was not asked yet.
  [[nodiscard]] std::optional<std::chrono::seconds> replay() const;
  /// A call was refused as if there was another version.
  void suspect();

  /// Events of that task, those included that came before anybody knew it. Nobody: nullptr.
  void hear(const std::string& task, Hearer hearer);
  /// A call is about to have a task: events of tasks that are not known are kept for it.
  void expect() { ++expecting_; }
  void expect_no_more();
  /// Called when requests can leave again; of as long as the owner lives.
  void on_ready(std::weak_ptr<void> owner, std::function<void()> wake);

  // Any thread:
  [[nodiscard]] bool available() const { return link_->ready() && reachable_; }
  [[nodiscard]] engine::RuntimeFeatures features() const;
  void on_change(std::function<void(const engine::AgentChange&)> listener);

 private:
  [[nodiscard]] net::awaitable<void> watch();
  void take(protocols::xmpp::Event event);
  void ready();

  const net::Executor strand_;
  const std::unique_ptr<Link> link_;
  const AgentLimits limits_;
  const Logger log_;
  boost::asio::steady_timer nap_;

  std::map<std::string, Hearer> hearers_;
  std::deque<protocols::xmpp::Event> early_;
  std::size_t expecting_ = 0;
  std::deque<std::pair<std::weak_ptr<void>, std::function<void()>>> sleepers_;
  bool closed_ = false;

  std::atomic<bool> reachable_{false};
  mutable std::mutex mutex_;
  std::optional<protocols::xmpp::EndpointInfo> info_;  // guarded by mutex_, as below
  std::optional<protocols::xmpp::Pins> imported_;
  std::function<void(const engine::AgentChange&)> listener_;
};

}  // namespace interline::runtimes::xmpp
