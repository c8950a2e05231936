// An MCP server behind an endpoint: its tools are the endpoint's, a task is one tools/call, and its
// prompts and resources are asked for as they are.
//
// The server runs as a child process (MCP, "stdio"), or somewhere else, at a URL ("Streamable
// HTTP"). Modern and legacy revisions are spoken, as the
// server has them. A cancelled request is over at once, as MCP has it; a task of the server's when
// the server says so. What a modern server asks becomes a question to the caller. What a legacy
// one asks does, where a process has one call at a time, since its requests do not say which call
// they belong to; otherwise that is not offered.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "runtimes/mcp/http_link.hpp"
#include "runtimes/mcp/mcp_worker.hpp"
#include "runtimes/mcp/server_state.hpp"
#include "runtimes/mcp/upstream.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::runtimes::mcp {

struct McpConfiguration {
  ProcessConfiguration process;
  std::optional<HttpConfiguration> http;  ///< instead of a process
  McpLimits limits;                       ///< `asks` follows from the processes
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

  [[nodiscard]] engine::Offers offers() const override;
  [[nodiscard]] engine::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) override;
  void on_change(std::function<void(const engine::AgentChange&)> listener) override;
  [[nodiscard]] engine::awaitable<Result<void>> follow_resource(std::string uri,
                                                                bool follow) override;

 private:
  const bool legacy_asks_;
  const std::shared_ptr<ServerState> state_;
  const std::unique_ptr<Upstream> upstream_;
};

}  // namespace interline::runtimes::mcp
