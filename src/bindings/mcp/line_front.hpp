// MCP over any stream of bytes, one message a line: standard input and output, by way of a socket
// (2026-07-28, basic/transports/stdio: "works unchanged over Unix domain sockets").
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "net/stream.hpp"
#include "protocols/mcp/server/server.hpp"

namespace interline::mcp {

struct LineOptions {
  bool legacy = true;                                 ///< revisions before 2026-07-28
  std::size_t line_limit = std::size_t{1024} * 1024;  ///< bytes of a message
  /// That may wait to be read; with more, the client itself is not read.
  std::size_t waiting_bytes = std::size_t{1024} * 1024;
  /// For answers that are nearly ready when the client's side has ended, and for the client to read
  /// what was written for it.
  std::chrono::milliseconds grace{1'000};

  LineOptions() = default;
};

class LineConnection;

/// All members may be called from any thread.
class LineFront {
 public:
  /// The server outlives it.
  LineFront(protocols::mcp::server::Server& mcp, LineOptions options);
  ~LineFront();
  LineFront(const LineFront&) = delete;
  LineFront& operator=(const LineFront&) = delete;

  /// A connection to its end. `endpoint`: the one that is shown, under its own names; "": all. On
  /// the stream's strand; the stream is closed then.
  [[nodiscard]] engine::awaitable<void> serve(net::Stream& stream, policy::Principal who,
                                              std::string endpoint);
  /// Every connection ends, when its subscriptions have been answered; later ones at once.
  void end();

 private:
  class Membership;
  protocols::mcp::server::Server& mcp_;
  const LineOptions options_;
  std::mutex mutex_;
  std::set<std::shared_ptr<LineConnection>> open_;  // guarded by mutex_, as below
  bool over_ = false;
};

}  // namespace interline::mcp
