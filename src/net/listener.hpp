// What accepts connections: a TCP port or a Unix socket.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/stream.hpp"

namespace interline::net {

/// All members are called on one strand; the connections get strands of their own.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The next connection, on a strand of its own. Connections that died while they waited are
  /// skipped. Errors: resource_constraint when the system is out of descriptors or memory (try
  /// again a little later), unavailable after close().
  virtual awaitable<Result<std::unique_ptr<Stream>>> accept() = 0;

  /// Frees the address; a pending accept fails.
  virtual void close() = 0;

  /// "127.0.0.1:8080", "unix:/run/interline.sock".
  [[nodiscard]] virtual const std::string& description() const = 0;
  /// TCP: the port, also where the system chose it. 0 otherwise.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
};

}  // namespace interline::net
