#include "terminal.hpp"

#include <array>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#include <gtest/gtest.h>

namespace interline::testing {
namespace {

constexpr int kStuckAfterMs = 120'000;  // stuck, not slow

}  // namespace

Terminal::Terminal(const std::string& arguments, const std::filesystem::path& folder) {
  struct winsize size {};
  size.ws_col = 100;
  size.ws_row = 30;
  process_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (process_ != 0) return;
  const std::string command =
      "cd " + folder.string() + " && exec " INTERLINE_BINARY_DIR "/interline " + arguments;
  ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  ::_exit(127);
}

Terminal::~Terminal() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
}

bool Terminal::read_more() {
  pollfd ready{terminal_, POLLIN, 0};
  if (::poll(&ready, 1, kStuckAfterMs) == 0) {
    ADD_FAILURE() << "the program is stuck; it showed:\n" << shown_;
    return false;
  }
  std::array<char, 4'096> buffer{};
  const ssize_t got = ::read(terminal_, buffer.data(), buffer.size());
  if (got <= 0) return false;
  shown_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

void Terminal::until(std::string_view text) {
  for (;;) {
    const auto at = shown_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return;
    }
    if (!read_more()) {
      ADD_FAILURE() << "\"" << text << "\" was never shown, but:\n" << shown_;
      return;
    }
  }
}

void Terminal::type(std::string_view keys) {
  EXPECT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

int Terminal::wait() {
  while (read_more()) {
  }
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  ::close(terminal_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace interline::testing
