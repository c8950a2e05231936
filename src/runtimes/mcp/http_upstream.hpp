// A server at a URL: what McpRuntime asks, over one link.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "runtimes/mcp/call_course.hpp"
#include "runtimes/mcp/http_link.hpp"
#include "runtimes/mcp/listing.hpp"
#include "runtimes/mcp/subscription.hpp"
#include "runtimes/mcp/upstream.hpp"

namespace interline::runtimes::mcp {

class HttpUpstream final : public Upstream {
 public:
  HttpUpstream(const net::Executor& executor, HttpConfiguration configuration,
               const CourseLimits& course, const ListLimits& lists,
               std::shared_ptr<ServerState> state, Logger log);
  ~HttpUpstream() override;

  /// Whether it was reached when it was last asked.
  [[nodiscard]] bool available() const override;
  [[nodiscard]] net::awaitable<Result<engine::ImportedTools>> list_tools() override;
  void start(std::shared_ptr<engine::Job> job) override;
  [[nodiscard]] net::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) override;
  [[nodiscard]] net::awaitable<Result<void>> refollow() override;
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace) override;
  void close() override;

 private:
  class Core;
  const std::shared_ptr<Core> core_;
};

}  // namespace interline::runtimes::mcp
