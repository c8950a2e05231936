// Two streams connected in memory: protocol code under test, and its test, without sockets.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "net/stream.hpp"

namespace interline::net {

struct PipeOptions {
  std::size_t capacity = std::size_t{64} * 1024;  ///< Bytes under way each way; then writes wait.
  std::size_t chunk = std::numeric_limits<std::size_t>::max();  ///< A read returns at most these.
  /// Each direction breaks after these many bytes: the reader gets them, then both sides fail.
  std::size_t breaks_after = std::numeric_limits<std::size_t>::max();
};

/// Both ends belong to the executor. What the first writes the second reads, and the reverse.
[[nodiscard]] std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>> make_pipe(
    const Executor& executor, const PipeOptions& options = {});

}  // namespace interline::net
