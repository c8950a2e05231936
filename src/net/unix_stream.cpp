#include "net/unix_stream.hpp"

#include <cerrno>
#include <unistd.h>
#include <utility>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/this_coro.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "net/deadline.hpp"
#include "net/errors.hpp"
#include "net/socket_stream.hpp"

namespace interline::net {
namespace {

using asio::local::stream_protocol;
using boost::system::error_code;

Result<void> check_path(const std::string& path) {
  if (path.empty()) return fail(ErrorKind::malformed, "the socket's path is empty");
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return fail(ErrorKind::malformed, "the socket's path is longer than 107 bytes");
  }
  return {};
}

std::unique_ptr<Stream> wrap(stream_protocol::socket socket) {
  Peer peer;
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) {
    peer.user = credentials.uid;
    peer.process = credentials.pid;
    peer.description = "unix:uid=" + std::to_string(credentials.uid);
  } else {
    peer.description = "unix:unknown";
  }
  return make_socket_stream(AnySocket(std::move(socket)), std::move(peer));
}

// True when nobody accepts there any more: the file is a dead process's.
bool is_stale(const std::string& path) {
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int outcome = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const bool refused = outcome != 0 && errno == ECONNREFUSED;
  ::close(probe);
  return refused;
}

class UnixListener final : public Listener {
 public:
  UnixListener(Executor executor, stream_protocol::acceptor acceptor, std::string path)
      : executor_(std::move(executor)),
        acceptor_(std::move(acceptor)),
        path_(std::move(path)),
        description_("unix:" + path_) {
    struct stat status {};
    if (::stat(path_.c_str(), &status) == 0) inode_ = status.st_ino;
  }
  ~UnixListener() override { close(); }

  awaitable<Result<std::unique_ptr<Stream>>> accept() override {
    for (;;) {
      Executor strand = new_strand(executor_);
      auto [error, socket] = co_await acceptor_.async_accept(strand, use_tuple);
      if (!error) co_return wrap(std::move(socket));
      if (!acceptor_.is_open()) co_return std::unexpected(connection_closed());
      if (error == boost::system::errc::connection_aborted) continue;
      Error failure = to_error("accept", error);
      if (error != asio::error::operation_aborted) failure.kind = ErrorKind::resource_constraint;
      co_return std::unexpected(std::move(failure));
    }
  }

  void close() override {
    if (!acceptor_.is_open()) return;
    error_code ignored;
    acceptor_.close(ignored);
    struct stat status {};  // not another process's socket that took the path since
    if (::stat(path_.c_str(), &status) == 0 && status.st_ino == inode_) ::unlink(path_.c_str());
  }

  const std::string& description() const override { return description_; }
  std::uint16_t port() const override { return 0; }

 private:
  Executor executor_;
  stream_protocol::acceptor acceptor_;
  std::string path_;
  std::string description_;
  ino_t inode_ = 0;
};

}  // namespace

awaitable<Result<std::unique_ptr<Stream>>> connect_unix(std::string path, Duration timeout) {
  if (auto valid = check_path(path); !valid) co_return std::unexpected(std::move(valid.error()));
  const Executor executor = co_await asio::this_coro::executor;
  stream_protocol::socket socket(executor);
  Deadline deadline(executor, [&socket] {
    error_code ignored;
    socket.close(ignored);
  });
  deadline.expires_after(timeout);
  const stream_protocol::endpoint endpoint(path);
  auto [error] = co_await socket.async_connect(endpoint, use_tuple);
  if (deadline.expired()) co_return std::unexpected(timed_out("connect"));
  if (error) co_return std::unexpected(to_error("connect to " + path, error));
  co_return wrap(std::move(socket));
}

Result<std::unique_ptr<Listener>> listen_unix(const Executor& executor, const std::string& path,
                                              mode_t mode) {
  if (auto valid = check_path(path); !valid) return std::unexpected(std::move(valid.error()));
  const std::string what = "listen on unix:" + path;
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode) || !is_stale(path)) {
      return std::unexpected(to_error(what, EADDRINUSE));
    }
    ::unlink(path.c_str());
  }
  error_code error;
  stream_protocol::acceptor acceptor(executor);
  acceptor.open(stream_protocol(), error);
  if (error) return std::unexpected(to_error(what, error));
  acceptor.bind(stream_protocol::endpoint(path), error);
  if (error) return std::unexpected(to_error(what, error));
  // Nobody can connect before listen(), so the mode is in force before the first connection.
  if (::chmod(path.c_str(), mode) != 0) {
    const int cause = errno;
    ::unlink(path.c_str());
    return std::unexpected(to_error(what, cause));
  }
  acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return std::unexpected(to_error(what, error));
  return std::make_unique<UnixListener>(executor, std::move(acceptor), path);
}

}  // namespace interline::net
