// An MCP server behind an endpoint: its tools are the endpoint's, a task is one tools/call.
//
// The server runs as a child process (MCP, "stdio"). Revisions that are opened by `initialize` are
// spoken, 2025-11-25 and older. A cancelled request is over at once, as MCP has it. Elicitation in
// form mode becomes a question to the caller where a process has one call at a time, since the
// server's request does not say which call it belongs to; otherwise it is not offered.
#pragma once

#include <cstddef>
#include <memory>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::runtimes {
class ProcessPool;
}

namespace interline::runtimes::mcp {

struct McpConfiguration {
  ProcessConfiguration process;
  std::size_t tool_limit = 10'000;  ///< tools of all pages
  std::size_t page_limit = 1'000;   ///< pages of tools/list
};

class McpRuntime final : public engine::Runtime {
 public:
  McpRuntime(const net::Executor& executor, McpConfiguration configuration, Logger log);
  /// Ends the processes; calls still open fail as unavailable.
  ~McpRuntime() override;

  [[nodiscard]] engine::RuntimeFeatures features() const override;
  [[nodiscard]] bool available() const override;
  [[nodiscard]] engine::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] engine::awaitable<void> drain(std::chrono::milliseconds grace) override;

 private:
  const bool asks_;
  std::shared_ptr<ProcessPool> pool_;
};

}  // namespace interline::runtimes::mcp
