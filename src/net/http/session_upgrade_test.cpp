// RFC 9110, section 7.8: a connection that leaves HTTP.
#include <array>
#include <utility>

#include "net/http/session_fixture.hpp"

namespace interline::net::http {
namespace {

using net::testing::read_at_least;
using net::testing::read_to_end;
using testing::SessionTest;
using testing::without_dates;

/// Says back what it reads, in angle brackets, until the peer ends its side.
awaitable<void> say_back(Request&, Responder& responder) {
  auto stream = co_await responder.upgrade("parrot");
  if (!stream) co_return;
  std::array<char, 4> buffer{};
  for (;;) {
    const std::span<char> room(buffer);
    auto got = co_await (*stream)->read_some(room);
    if (!got || *got == 0) co_return;
    const std::string text = "<" + std::string(buffer.data(), *got) + ">";
    auto written = co_await (*stream)->write_all(text);
    if (!written) co_return;
  }
}

constexpr std::string_view kAsk =
    "GET /parrot HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: parrot\r\n\r\n";
constexpr std::string_view kSwitched =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: parrot\r\n\r\n";

class HttpUpgrade : public SessionTest {
 protected:
  HttpUpgrade() { router_->add(Method::get, "/parrot", say_back); }
};

TEST_F(HttpUpgrade, WhatWasReadAheadIsTheFirstOfTheStream) {
  EXPECT_EQ(exchange(std::string(kAsk) + "abcdefg"), std::string(kSwitched) + "<abcd><efg>");
  EXPECT_EQ(notes_, std::vector<std::string>{"101 /parrot"});
}

TEST_F(HttpUpgrade, EverySplittingOfTheInputGivesTheSameBytes) {
  for (std::size_t chunk = 1; chunk < 20; ++chunk) {
    PipeOptions pipe;
    pipe.chunk = chunk;
    std::string said = exchange(std::string(kAsk) + "abcdefg", pipe);
    ASSERT_TRUE(said.starts_with(kSwitched)) << said;
    said.erase(0, kSwitched.size());
    std::erase_if(said, [](char c) { return c == '<' || c == '>'; });
    EXPECT_EQ(said, "abcdefg") << chunk;
  }
}

TEST_F(HttpUpgrade, WhatComesLaterIsReadFromTheConnection) {
  auto client = connect();
  const std::string said =
      net::testing::run(context_, [](Stream& stream) -> awaitable<std::string> {
        auto sent = co_await stream.write_all(kAsk);
        EXPECT_TRUE(sent);
        std::string all = co_await read_at_least(stream, kSwitched.size());
        sent = co_await stream.write_all("one");
        EXPECT_TRUE(sent);
        all += co_await read_at_least(stream, 5);
        auto ended = co_await stream.shutdown_write();
        EXPECT_TRUE(ended);
        all += co_await read_to_end(stream);
        co_return without_dates(all);
      }(*client));
  EXPECT_EQ(said, std::string(kSwitched) + "<one>");
}

TEST_F(HttpUpgrade, WhoDoesNotAskForItIsTold) {
  for (const char* fields : {"", "Upgrade: parrot\r\n", "Connection: Upgrade\r\n",
                             "Connection: Upgrade\r\nUpgrade: websocket\r\n"}) {
    const std::string said =
        exchange("GET /parrot HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n");
    EXPECT_TRUE(said.starts_with("HTTP/1.1 426 Upgrade Required\r\n")) << said;
    EXPECT_NE(said.find("\r\nUpgrade: parrot\r\n"), std::string::npos) << said;
  }
  const std::string old =
      exchange("GET /parrot HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: parrot\r\n\r\n");
  EXPECT_TRUE(old.starts_with("HTTP/1.1 426 ")) << old;
}

TEST_F(HttpUpgrade, AHandlerThatThrowsEndsTheConnection) {
  router_->add(Method::get, "/broken", [](Request&, Responder& responder) -> awaitable<void> {
    auto stream = co_await responder.upgrade("parrot");
    EXPECT_TRUE(stream);
    throw std::runtime_error("broken");
  });
  std::string ask(kAsk);
  ask.replace(ask.find("/parrot"), 7, "/broken");
  EXPECT_EQ(exchange(ask), kSwitched);
  EXPECT_EQ(notes_, std::vector<std::string>{"101 /broken broken"});
}

TEST_F(HttpUpgrade, APeerThatLeavesEndsTheStream) {
  auto client = connect();
  const std::string said =
      net::testing::run(context_, [](Stream& stream) -> awaitable<std::string> {
        auto sent = co_await stream.write_all(kAsk);
        EXPECT_TRUE(sent);
        std::string all = co_await read_at_least(stream, kSwitched.size());
        stream.close();
        co_return without_dates(all);
      }(*client));
  EXPECT_EQ(said, kSwitched);
  context_.restart();
  context_.run();
  EXPECT_EQ(notes_, std::vector<std::string>{"101 /parrot"});
}

}  // namespace
}  // namespace interline::net::http
