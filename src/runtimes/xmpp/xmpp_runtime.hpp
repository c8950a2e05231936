// An agent of another XMPP Agent Gateway behind an endpoint of ours: its tools are the endpoint's,
// a task is one of its tasks, its questions are asked of our caller.
//
// The manifest that was imported is the one that is invoked: each tool's definition says which. A
// call goes on through lost messages, new streams and restarts of either gateway, and runs once.
#pragma once

#include <memory>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/asio.hpp"
#include "runtimes/xmpp/link.hpp"
#include "runtimes/xmpp/remote_agent.hpp"

namespace interline::runtimes::xmpp {

class XmppRuntime final : public engine::Runtime {
 public:
  XmppRuntime(const net::Executor& executor, std::unique_ptr<Link> link,
              std::shared_ptr<const Clock> clock, Logger log, AgentLimits limits = {});
  /// Calls that are open are left as they are, for the next start.
  ~XmppRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override;
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds grace) override;
  void on_change(std::function<void(const engine::AgentChange&)> listener) override;

 private:
  struct Calls;

  const std::shared_ptr<const Clock> clock_;
  const std::shared_ptr<RemoteAgent> agent_;
  const std::shared_ptr<Calls> calls_;
};

}  // namespace interline::runtimes::xmpp
