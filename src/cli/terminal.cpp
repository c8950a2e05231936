#include "cli/terminal.hpp"

#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/signal_set.hpp>
#include <sys/ioctl.h>

#include "base/utf8.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kLongestTyped = std::size_t{64} * 1024;
constexpr std::size_t kUsualColumns = 80;

std::size_t columns() {
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

/// The first code points of valid UTF-8; wide characters may still take a second line.
std::string_view first_columns(std::string_view text, std::size_t count) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts && seen++ == count) return text.substr(0, i);
  }
  return text;
}

}  // namespace

bool input_is_terminal() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}
bool output_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

ProgressLine::ProgressLine(Streams& io, bool quiet)
    : io_(io), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& text) {
  if (quiet_ || text.empty() || text == last_) return;
  last_ = text;
  if (!terminal_) return io_.err(text + "\n");
  io_.err("\r\033[K" + std::string(first_columns(text, columns() - 1)));
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  io_.err("\r\033[K");
  shown_ = false;
}

void ProgressLine::say(const std::string& text) {
  clear();
  last_.clear();
  io_.err(text + "\n");
}

struct TypedLines::State {
  explicit State(const net::Executor& executor) : terminal(executor) {}
  net::asio::posix::stream_descriptor terminal;
  std::string buffer;
};

TypedLines::TypedLines(const net::Executor& executor) : state_(std::make_unique<State>(executor)) {
  for (const char* const path : {"/dev/tty", "/proc/self/fd/0"}) {
    const int descriptor = ::open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) continue;
    state_->terminal.assign(descriptor);
    return;
  }
}
TypedLines::~TypedLines() = default;

net::awaitable<std::optional<std::string>> TypedLines::next() {
  if (!state_->terminal.is_open()) co_return std::nullopt;
  auto buffer = net::asio::dynamic_buffer(state_->buffer, kLongestTyped);
  auto [error, size] =
      co_await net::asio::async_read_until(state_->terminal, buffer, '\n', net::use_tuple);
  if (error) co_return std::nullopt;
  std::string line = state_->buffer.substr(0, size - 1);
  state_->buffer.erase(0, size);
  co_return line;
}

void TypedLines::stop() {
  boost::system::error_code ignored;
  state_->terminal.close(ignored);
}

struct Interrupts::State {
  explicit State(const net::Executor& executor) : signals(executor, SIGINT) {}
  net::asio::signal_set signals;
};

Interrupts::Interrupts(const net::Executor& executor) : state_(std::make_unique<State>(executor)) {}
Interrupts::~Interrupts() = default;

net::awaitable<void> Interrupts::next() {
  co_await state_->signals.async_wait(net::use_tuple);
}

}  // namespace interline::cli
