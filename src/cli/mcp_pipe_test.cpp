// Bytes both ways, and who ends first.
#include "cli/mcp_pipe.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <future>
#include <string>
#include <unistd.h>

#include <sys/socket.h>

#include <gtest/gtest.h>

namespace interline::cli {
namespace {

std::string read_all(int descriptor) {
  std::string all;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got <= 0) return all;
    all.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void write_text(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    ASSERT_GT(written, 0);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The host at `to` and `from`, the gateway at `peer`.
class McpPipe : public ::testing::Test {
 protected:
  McpPipe() { std::signal(SIGPIPE, SIG_IGN); }  // as the program does
  void begin(const std::string& first = "") {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_.data()), 0);
    ASSERT_EQ(::pipe2(input_.data(), O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(output_.data(), O_CLOEXEC), 0);
    end_ = std::async(std::launch::async, [this, first] {
      const PipeEnd end = pipe_bytes(sockets_[0], first, input_[0], output_[1]);
      ::close(output_[1]);
      return end;
    });
  }
  void TearDown() override {
    close(input_[1]);
    close(sockets_[1]);
    close(output_[0]);
    if (end_.valid()) end_.get();
    close(input_[0]);
    close(sockets_[0]);
  }
  static void close(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }

  int& to() { return input_[1]; }
  int& from() { return output_[0]; }
  int& peer() { return sockets_[1]; }

  std::array<int, 2> sockets_ = {-1, -1};
  std::array<int, 2> input_ = {-1, -1};
  std::array<int, 2> output_ = {-1, -1};
  std::future<PipeEnd> end_;
};

TEST_F(McpPipe, TheEndOfTheInputIsPassedOnAndTheRestIsWaitedFor) {
  begin("first ");
  write_text(to(), "question");
  close(to());
  EXPECT_EQ(read_all(peer()), "question");
  write_text(peer(), "answer");
  close(peer());
  EXPECT_EQ(read_all(from()), "first answer");
  EXPECT_EQ(end_.get(), PipeEnd::input);
}

TEST_F(McpPipe, APeerThatEndsFirstIsSaidAlthoughTheInputStaysOpen) {
  begin();
  write_text(peer(), "half an ans");
  close(peer());
  EXPECT_EQ(read_all(from()), "half an ans");
  EXPECT_EQ(end_.get(), PipeEnd::peer);
}

TEST_F(McpPipe, AReaderThatLeavesEndsIt) {
  begin();
  close(from());
  write_text(peer(), "nobody reads this");
  EXPECT_EQ(end_.get(), PipeEnd::output);
}

TEST_F(McpPipe, WhatThePeerDoesNotReadIsNotReadEither) {
  begin();
  // More than pipe, buffer and socket hold: this write ends when the pipe has ended.
  auto flood = std::async(std::launch::async, [this] {
    const std::string piece(65'536, 'x');
    for (;;) {
      if (::write(to(), piece.data(), piece.size()) < 0) return;
    }
  });
  const std::string some = [this] {
    std::string text(1'000'000, ' ');
    std::size_t had = 0;
    while (had < text.size()) {
      const ssize_t got = ::read(peer(), text.data() + had, text.size() - had);
      if (got <= 0) break;
      had += static_cast<std::size_t>(got);
    }
    return text;
  }();
  EXPECT_EQ(some, std::string(1'000'000, 'x'));
  close(peer());
  EXPECT_EQ(end_.get(), PipeEnd::peer);
  close(input_[0]);
  flood.wait();
}

TEST_F(McpPipe, DescriptorsThatOthersMadeNonBlockingWork) {
  begin();
  ::fcntl(output_[1], F_SETFL, ::fcntl(output_[1], F_GETFL) | O_NONBLOCK);
  const std::string large(1'000'000, 'y');
  auto said = std::async(std::launch::async, [this, &large] {
    write_text(peer(), large);
    close(peer());
  });
  EXPECT_EQ(read_all(from()), large);
  said.wait();
  EXPECT_EQ(end_.get(), PipeEnd::peer);
}

}  // namespace
}  // namespace interline::cli
