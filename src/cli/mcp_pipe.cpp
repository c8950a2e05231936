#include "cli/mcp_pipe.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/socket.h>

namespace interline::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{64} * 1024;

/// False: the error is for good.
bool wait_for(int descriptor, short events) {
  pollfd one{descriptor, events, 0};
  return ::poll(&one, 1, -1) >= 0 || errno == EINTR;
}

bool may_repeat(int descriptor, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  return wait_for(descriptor, events);  // whoever shares it made it so
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (!may_repeat(descriptor, POLLOUT)) {
      return false;
    }
  }
  return true;
}

/// 0: it has ended, or broken.
std::size_t read_some(int descriptor, std::vector<char>& buffer) {
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (!may_repeat(descriptor, POLLIN)) return 0;
  }
}

/// Input to the socket, on a thread of its own, until either ends.
class Inward {
 public:
  Inward(int input, int socket) : input_(input), socket_(socket) {
    if (::pipe(stop_.data()) == 0) thread_ = std::thread([this] { run(); });
  }
  ~Inward() {
    ::shutdown(socket_, SHUT_RDWR);  // a write that waits for the peer ends
    if (stop_[1] >= 0) ::close(stop_[1]);
    if (thread_.joinable()) thread_.join();
    if (stop_[0] >= 0) ::close(stop_[0]);
  }
  Inward(const Inward&) = delete;
  Inward& operator=(const Inward&) = delete;

  [[nodiscard]] bool input_ended() const { return ended_; }

 private:
  void run() {
    std::vector<char> buffer(kPiece);
    while (wait_for_input()) {
      const std::size_t got = read_some(input_, buffer);
      if (got == 0) {
        ended_ = true;
        ::shutdown(socket_, SHUT_WR);
        return;
      }
      if (!write_all(socket_, {buffer.data(), got})) return;
    }
  }

  /// False: it is told to stop.
  [[nodiscard]] bool wait_for_input() const {
    for (;;) {
      std::array<pollfd, 2> both = {pollfd{input_, POLLIN, 0}, pollfd{stop_[0], POLLIN, 0}};
      const int ready = ::poll(both.data(), both.size(), -1);
      if (ready < 0 && errno != EINTR) return false;
      if (ready > 0) return both[1].revents == 0;
    }
  }

  const int input_;
  const int socket_;
  std::array<int, 2> stop_ = {-1, -1};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace

PipeEnd pipe_bytes(int socket, std::string_view first, int input, int output) {
  const Inward inward(input, socket);
  if (!write_all(output, first)) return PipeEnd::output;
  std::vector<char> buffer(kPiece);
  for (;;) {
    const std::size_t got = read_some(socket, buffer);
    if (got == 0) return inward.input_ended() ? PipeEnd::input : PipeEnd::peer;
    if (!write_all(output, {buffer.data(), got})) return PipeEnd::output;
  }
}

}  // namespace interline::cli
