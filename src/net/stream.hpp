// What every connection is, whatever carries it: TCP, TLS, a Unix socket, two pipes of a child
// process, or memory in a test. Protocol code is written once, against this.
//
// A stream belongs to one executor (a strand): its members are called, its coroutines run and it is
// destroyed there. One read and one write may be pending at a time, side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/asio/ip/address.hpp>
#include <sys/types.h>

#include "base/error.hpp"
#include "net/asio.hpp"

namespace interline::net {

/// Who is at the other end, as far as the transport knows.
struct Peer {
  std::string description;  ///< For logs: "192.0.2.7:4711", "unix:uid=1000". No secrets.
  std::optional<asio::ip::address> address;  ///< TCP only.
  std::uint16_t port = 0;                    ///< TCP only.
  std::optional<uid_t> user;                 ///< Unix sockets: SO_PEERCRED, as of connect().
  std::optional<pid_t> process;              ///< Unix sockets; may be gone or recycled: logs only.
  bool encrypted = false;                    ///< TLS.
  /// TLS, and only where the certificate was verified: its subject in RFC 2253 form.
  std::optional<std::string> certificate_subject;
};

class Stream {
 public:
  Stream() = default;
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Waits for at least one byte and returns how many came, at most buffer.size() (which is not 0);
  /// 0 once the peer has ended its side. Errors: unavailable, reason expired after the deadline.
  virtual awaitable<Result<std::size_t>> read_some(std::span<char> buffer) = 0;

  /// Returns when the transport has taken all bytes; waits while it is full. After an error an
  /// unknown part was sent: close the stream. The pieces stay valid until it returns.
  virtual awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) = 0;
  awaitable<Result<void>> write_all(std::string_view bytes);

  /// One deadline for what is pending and what comes later, until it is moved. When it passes,
  /// pending calls fail with `expired`, and so do later ones until it is set anew. A read that
  /// failed so has lost no bytes and the stream may still be written to.
  virtual void expires_after(Duration duration) = 0;
  virtual void expires_never() = 0;

  /// Says to the peer that no more bytes will come (TLS close_notify, TCP FIN); reading goes on.
  virtual awaitable<Result<void>> shutdown_write() = 0;

  /// Ends both directions at once; pending calls fail. May be repeated.
  virtual void close() = 0;

  /// False when bytes, or the peer's end, are waiting to be read, or the stream is broken: a pooled
  /// connection that nobody expects to speak is only fit for use while it is quiet.
  [[nodiscard]] virtual bool quiet() = 0;

  [[nodiscard]] virtual const Peer& peer() const = 0;
  [[nodiscard]] virtual Executor executor() = 0;
};

}  // namespace interline::net
