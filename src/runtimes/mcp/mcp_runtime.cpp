#include "runtimes/mcp/mcp_runtime.hpp"

#include <algorithm>
#include <utility>

#include "runtimes/mcp/mcp_worker.hpp"
#include "runtimes/process_pool.hpp"

namespace interline::runtimes::mcp {

McpRuntime::McpRuntime(const net::Executor& executor, McpConfiguration configuration, Logger log)
    : asks_(configuration.process.concurrency <=
            std::max<std::size_t>(configuration.process.processes, 1)) {
  McpLimits limits;
  limits.tools = configuration.tool_limit;
  limits.pages = configuration.page_limit;
  limits.asks = asks_;
  pool_ =
      std::make_shared<ProcessPool>(executor, std::move(configuration.process), std::move(log),
                                    [limits](ProcessWorker::Setup setup) {
                                      return std::make_shared<McpWorker>(std::move(setup), limits);
                                    });
  pool_->open();
}

McpRuntime::~McpRuntime() {
  pool_->close();
}

engine::RuntimeFeatures McpRuntime::features() const {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = asks_;
  return features;
}

bool McpRuntime::available() const {
  return pool_->available();
}

engine::awaitable<Result<engine::ImportedTools>> McpRuntime::list_tools() {
  return pool_->list_tools();
}

void McpRuntime::start(std::shared_ptr<engine::Job> job) {
  pool_->start(std::move(job));
}

engine::awaitable<void> McpRuntime::drain(std::chrono::milliseconds grace) {
  return pool_->drain(grace);
}

}  // namespace interline::runtimes::mcp
