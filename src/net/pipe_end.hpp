// One end of a system pipe, read or written without blocking. A closed reader is an error, never a
// signal: SIGPIPE is held back from the writing thread, whatever the process does about it.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/error.hpp"
#include "net/asio.hpp"

namespace interline::net {

/// Belongs to its executor. One call may be pending at a time.
class PipeEnd {
 public:
  /// Takes the descriptor over.
  PipeEnd(const Executor& executor, int descriptor);

  /// At least one byte, or 0: at the end, and after finish() when nothing more is there.
  awaitable<Result<std::size_t>> read_some(std::span<char> buffer);
  awaitable<Result<void>> write_all(std::string_view bytes);

  /// Nobody writes any more: what is in the pipe is still read, but not waited for.
  void finish();
  void close();
  [[nodiscard]] bool is_open() const { return pipe_.is_open(); }

 private:
  asio::posix::stream_descriptor pipe_;
  bool finished_ = false;
};

}  // namespace interline::net
