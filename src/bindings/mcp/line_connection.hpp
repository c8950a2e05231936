// One connection of lines: reads them, has them answered, writes what is to be told, and ends in
// good order whichever side ends first.
#pragma once

#include <memory>
#include <string>

#include "bindings/mcp/line_exchanges.hpp"
#include "bindings/mcp/line_front.hpp"
#include "net/stream.hpp"

namespace interline::mcp {

class LineConnection : public std::enable_shared_from_this<LineConnection> {
 public:
  /// On the stream's strand. The server and the stream outlive run().
  LineConnection(server::Server& mcp, const LineOptions& options, net::Stream& stream,
                 policy::Principal who, std::string endpoint);

  /// Until the stream is closed and nobody works for it any more.
  [[nodiscard]] awaitable<void> run();
  /// The gateway ends. From any thread.
  void end();

 private:
  static awaitable<void> read(std::shared_ptr<LineConnection> self);
  static awaitable<void> write(std::shared_ptr<LineConnection> self);
  [[nodiscard]] awaitable<void> take_lines(net::LineBuffer& lines);
  [[nodiscard]] awaitable<void> wait_for_answers();
  [[nodiscard]] awaitable<void> wait_for_writer();
  [[nodiscard]] bool is_slow() const;

  const LineOptions options_;
  net::Stream& stream_;
  const std::shared_ptr<LineOutbox> outbox_;
  const std::shared_ptr<LineExchanges> exchanges_;
  bool reading_ = true;  // the input has not ended
  bool writing_ = true;  // nor broken
  bool ending_ = false;  // the gateway's side
};

}  // namespace interline::mcp
