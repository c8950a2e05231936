#include "runtimes/mcp/mcp_runtime.hpp"

#include <algorithm>
#include <utility>

#include "runtimes/mcp/http_upstream.hpp"
#include "runtimes/mcp/stdio_upstream.hpp"

namespace interline::runtimes::mcp {
namespace {

/// What a legacy server asks can be told to belong to a call.
bool legacy_asks(const McpConfiguration& configuration) {
  const ProcessConfiguration& process = configuration.process;
  return configuration.http || process.concurrency <= std::max<std::size_t>(process.processes, 1);
}

std::unique_ptr<Upstream> make_upstream(const net::Executor& executor,
                                        McpConfiguration configuration, Logger log,
                                        std::shared_ptr<ServerState> state) {
  if (configuration.http) {
    return std::make_unique<HttpUpstream>(executor, *std::move(configuration.http),
                                          configuration.limits.course, configuration.limits.lists,
                                          std::move(state), std::move(log));
  }
  auto processes = std::make_shared<McpProcesses>();
  processes->limits = configuration.limits;
  processes->limits.asks = legacy_asks(configuration);
  processes->state = std::move(state);
  return std::make_unique<StdioUpstream>(executor, std::move(configuration.process),
                                         std::move(processes), std::move(log));
}

}  // namespace

McpRuntime::McpRuntime(const net::Executor& executor, McpConfiguration configuration, Logger log)
    : legacy_asks_(legacy_asks(configuration)),
      state_(std::make_shared<ServerState>()),
      upstream_(make_upstream(executor, std::move(configuration), std::move(log), state_)) {}

McpRuntime::~McpRuntime() {
  state_->listen(nullptr);
  upstream_->close();
}

engine::RuntimeFeatures McpRuntime::features() const {
  const auto hello = state_->hello();
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  // Before it was opened, after a restart for example, nobody knows: its manifest says what it was.
  features.input = legacy_asks_ || !hello || hello->modern();
  features.resumable = true;  // tasks of the server's
  return features;
}

bool McpRuntime::available() const {
  return upstream_->available();
}

engine::awaitable<Result<engine::ImportedTools>> McpRuntime::list_tools() {
  co_return co_await upstream_->list_tools();
}

void McpRuntime::start(std::shared_ptr<engine::Job> job) {
  upstream_->start(std::move(job));
}

engine::awaitable<void> McpRuntime::drain(std::chrono::milliseconds grace) {
  co_await upstream_->drain(grace);
}

engine::Offers McpRuntime::offers() const {
  return state_->offers();
}

engine::awaitable<Result<engine::Consulted>> McpRuntime::consult(
    engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) {
  co_return co_await upstream_->consult(std::move(asked), std::move(withdrawal));
}

void McpRuntime::on_change(std::function<void(const engine::AgentChange&)> listener) {
  state_->listen(std::move(listener));
}

engine::awaitable<Result<void>> McpRuntime::follow_resource(std::string uri, bool follow) {
  if (!state_->follow(uri, follow)) co_return Result<void>();
  if (!follow && !upstream_->available()) co_return Result<void>();
  auto followed = co_await upstream_->refollow();
  if (!followed && follow) (void)state_->follow(uri, false);
  co_return followed;
}

}  // namespace interline::runtimes::mcp
