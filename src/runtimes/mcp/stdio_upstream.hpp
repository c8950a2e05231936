// A server that is a child process, or several of them: what McpRuntime asks, on the processes.
#pragma once

#include <memory>

#include "base/log.hpp"
#include "runtimes/mcp/mcp_worker.hpp"
#include "runtimes/mcp/upstream.hpp"
#include "runtimes/process_configuration.hpp"
#include "runtimes/process_pool.hpp"

namespace interline::runtimes::mcp {

class StdioUpstream final : public Upstream {
 public:
  StdioUpstream(const net::Executor& executor, ProcessConfiguration configuration,
                std::shared_ptr<McpProcesses> processes, Logger log);

  [[nodiscard]] bool available() const override { return pool_->available(); }
  [[nodiscard]] net::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] net::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) override;
  [[nodiscard]] net::awaitable<Result<void>> refollow() override;
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace) override;
  void close() override { pool_->close(); }

 private:
  using Pool = std::shared_ptr<ProcessPool>;
  using Processes = std::shared_ptr<McpProcesses>;

  [[nodiscard]] static net::awaitable<Result<std::shared_ptr<McpWorker>>> open_one(Pool pool);
  [[nodiscard]] static net::awaitable<Result<engine::Consulted>> consult_on_strand(
      Pool pool, Processes processes, engine::Consultation asked,
      std::shared_ptr<engine::Withdrawal> withdrawal);
  [[nodiscard]] static net::awaitable<Result<void>> refollow_on_strand(Pool pool);

  const Processes processes_;
  const Pool pool_;
};

}  // namespace interline::runtimes::mcp
