// An endpoint's MCP server, wherever it runs: what McpRuntime needs of it. Any thread.
#pragma once

#include <chrono>
#include <memory>

#include "engine/runtime.hpp"
#include "net/asio.hpp"

namespace interline::runtimes::mcp {

class Upstream {
 public:
  virtual ~Upstream() = default;

  [[nodiscard]] virtual bool available() const = 0;
  [[nodiscard]] virtual net::awaitable<Result<engine::ImportedTools>> list_tools() = 0;
  virtual void start(std::shared_ptr<engine::Job> job) = 0;
  [[nodiscard]] virtual net::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) = 0;
  /// What is followed has changed; somebody is there to hear of it when this returns well.
  [[nodiscard]] virtual net::awaitable<Result<void>> refollow() = 0;
  [[nodiscard]] virtual net::awaitable<void> drain(std::chrono::milliseconds grace) = 0;
  /// Ends everything; what is open fails. Whatever still runs keeps itself alive.
  virtual void close() = 0;
};

}  // namespace interline::runtimes::mcp
