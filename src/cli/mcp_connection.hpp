// A connection to the running gateway that speaks MCP, one message a line (docs/control-api.md,
// GET /v1/mcp). Blocking: a program that only passes bytes on needs no more.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/control_client.hpp"

namespace interline::cli {

class McpConnection {
 public:
  explicit McpConnection(int descriptor) : descriptor_(descriptor) {}
  ~McpConnection();
  McpConnection(McpConnection&& other) noexcept;
  McpConnection& operator=(McpConnection&&) = delete;

  /// `endpoint` "": all of them. Errors: as ControlClient's.
  [[nodiscard]] static Result<McpConnection> open(const ControlClient& gateway,
                                                  std::string_view endpoint);

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// What the gateway has said already.
  [[nodiscard]] const std::string& read_ahead() const { return read_ahead_; }

 private:
  [[nodiscard]] Result<void> ask(std::string_view endpoint);
  /// Some more of its answer into read_ahead_.
  [[nodiscard]] Result<void> read_more();
  [[nodiscard]] Result<void> read_answer();
  [[nodiscard]] Error refusal(unsigned status, std::size_t body_bytes);

  int descriptor_ = -1;
  std::string read_ahead_;
};

}  // namespace interline::cli
