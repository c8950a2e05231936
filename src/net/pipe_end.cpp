#include "net/pipe_end.hpp"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "net/errors.hpp"

namespace interline::net {
namespace {

using asio::posix::stream_descriptor;
using boost::system::error_code;

// write() raises SIGPIPE in the calling thread alone, so it can be blocked and taken back here,
// without a word about the process's own disposition.
ssize_t write_without_signal(int descriptor, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t pending;
  sigset_t before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const int cause = errno;
  if (written < 0 && cause == EPIPE && !was_pending) {
    const timespec at_once{};
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = cause;
  return written;
}

}  // namespace

PipeEnd::PipeEnd(const Executor& executor, int descriptor) : pipe_(executor, descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

awaitable<Result<std::size_t>> PipeEnd::read_some(std::span<char> buffer) {
  for (;;) {
    if (!pipe_.is_open()) co_return std::unexpected(connection_closed());
    const ssize_t got = ::read(pipe_.native_handle(), buffer.data(), buffer.size());
    if (got >= 0) co_return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    if (errno != EAGAIN) co_return std::unexpected(to_error("read", errno));
    if (finished_) co_return std::size_t{0};
    // An error here is finish() or close(): the loop looks again.
    co_await pipe_.async_wait(stream_descriptor::wait_read, use_tuple);
  }
}

awaitable<Result<void>> PipeEnd::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!pipe_.is_open()) co_return std::unexpected(connection_closed());
    const ssize_t written = write_without_signal(pipe_.native_handle(), bytes);
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      co_await pipe_.async_wait(stream_descriptor::wait_write, use_tuple);
    } else if (errno != EINTR) {
      co_return std::unexpected(to_error("write", errno));
    }
  }
  co_return Result<void>();
}

void PipeEnd::finish() {
  finished_ = true;
  error_code ignored;
  if (pipe_.is_open()) pipe_.cancel(ignored);
}

void PipeEnd::close() {
  error_code ignored;
  pipe_.close(ignored);
}

}  // namespace interline::net
