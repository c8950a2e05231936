#include "net/socket_stream.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <sys/socket.h>

#include "net/deadline.hpp"
#include "net/errors.hpp"

namespace interline::net {
namespace {

using boost::system::error_code;

// Pieces that are still to be sent, as the system takes them.
class Pending {
 public:
  explicit Pending(std::span<const std::string_view> pieces) : pieces_(pieces) { skip_empty(); }

  [[nodiscard]] bool done() const { return pieces_.empty(); }

  int fill(std::span<iovec> out) const {
    std::size_t count = 0;
    std::size_t offset = offset_;
    for (const std::string_view piece : pieces_) {
      if (count == out.size()) break;
      const std::string_view rest = piece.substr(offset);
      // sendmsg does not write through it; iovec serves both directions.
      out[count++] = iovec{const_cast<char*>(rest.data()), rest.size()};
      offset = 0;
    }
    return static_cast<int>(count);
  }

  void consume(std::size_t sent) {
    offset_ += sent;
    skip_empty();
  }

 private:
  void skip_empty() {
    while (!pieces_.empty() && offset_ >= pieces_.front().size()) {
      offset_ -= pieces_.front().size();
      pieces_ = pieces_.subspan(1);
    }
  }

  std::span<const std::string_view> pieces_;
  std::size_t offset_ = 0;  // within the first piece
};

class SocketStream final : public Stream {
 public:
  SocketStream(AnySocket socket, Peer peer)
      : socket_(std::move(socket)),
        peer_(std::move(peer)),
        deadline_(socket_.get_executor(), [this] {
          error_code ignored;
          socket_.cancel(ignored);
        }) {
    error_code ignored;
    socket_.native_non_blocking(true, ignored);
    // Not atomic with its creation (Asio's choice); starting a child process closes that gap.
    ::fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);
  }
  ~SocketStream() override = default;

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    if (deadline_.expired()) co_return std::unexpected(timed_out("read"));
    const auto target = asio::buffer(buffer.data(), buffer.size());
    auto [error, bytes] = co_await socket_.async_read_some(target, use_tuple);
    if (!error) co_return bytes;
    if (error == asio::error::eof) co_return std::size_t{0};
    co_return std::unexpected(failure("read", error));
  }

  // The socket's own buffer takes most answers whole: no trip through the reactor for those.
  awaitable<Result<void>> write_all(std::span<const std::string_view> pieces) override {
    Pending pending(pieces);
    while (!pending.done()) {
      if (!socket_.is_open()) co_return std::unexpected(connection_closed());
      if (deadline_.expired()) co_return std::unexpected(timed_out("write"));
      const ssize_t sent = send(pending);
      if (sent >= 0) {
        pending.consume(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        auto [error] = co_await socket_.async_wait(AnySocket::wait_write, use_tuple);
        if (error) co_return std::unexpected(failure("write", error));
      } else if (errno != EINTR) {
        co_return std::unexpected(to_error("write", errno));
      }
    }
    co_return Result<void>();
  }

  void expires_after(Duration duration) override { deadline_.expires_after(duration); }
  void expires_never() override { deadline_.expires_never(); }

  awaitable<Result<void>> shutdown_write() override {
    error_code error;
    socket_.shutdown(AnySocket::shutdown_send, error);
    if (error) co_return std::unexpected(to_error("shutdown", error));
    co_return Result<void>();
  }

  void close() override {
    deadline_.stop();
    error_code ignored;
    socket_.close(ignored);
  }

  bool quiet() override {
    if (!socket_.is_open()) return false;
    char byte = 0;
    const ssize_t got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  const Peer& peer() const override { return peer_; }
  Executor executor() override { return socket_.get_executor(); }

 private:
  ssize_t send(const Pending& pending) {
    std::array<iovec, 16> vectors;
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = static_cast<std::size_t>(pending.fill(vectors));
    return ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  [[nodiscard]] Error failure(std::string_view what, const error_code& error) const {
    if (deadline_.expired()) return timed_out(what);
    if (!socket_.is_open()) return connection_closed();
    return to_error(what, error);
  }

  AnySocket socket_;
  Peer peer_;
  Deadline deadline_;
};

}  // namespace

std::unique_ptr<Stream> make_socket_stream(AnySocket socket, Peer peer) {
  return std::make_unique<SocketStream>(std::move(socket), std::move(peer));
}

}  // namespace interline::net
