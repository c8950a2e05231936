#include "bindings/mcp/response_stream.hpp"

#include <memory>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include "bindings/web/events.hpp"
#include "net/event.hpp"

namespace interline::mcp {
namespace {

using web::event_of;

TEST(McpEvents, AMessageOfSeveralLinesIsOneEvent) {
  EXPECT_EQ(event_of("{\"a\":1}"), "data: {\"a\":1}\n\n");
  EXPECT_EQ(event_of("{\r\n\"a\":\n1}"), "data: {  \"a\": 1}\n\n");
}

/// A reader that takes nothing until it is let.
class SlowReader final : public net::http::Responder {
 public:
  explicit SlowReader(const net::Executor& executor) : event_(executor) {}

  awaitable<Result<void>> send(net::http::Response) override { co_return Result<void>(); }
  awaitable<Result<void>> begin(net::http::Response) override { co_return Result<void>(); }
  awaitable<Result<void>> write(std::string_view bytes) override {
    while (!reads_) co_await event_.wait();
    read.emplace_back(bytes);
    co_return Result<void>();
  }
  awaitable<Result<void>> end() override {
    ended = true;
    co_return Result<void>();
  }
  awaitable<Result<net::Stream*>> upgrade(std::string_view) override {
    co_return fail(ErrorKind::malformed, "not here");
  }
  void on_disconnect(std::function<void()> callback) override { left_ = std::move(callback); }
  [[nodiscard]] bool disconnected() const override { return false; }

  void go_on() {
    reads_ = true;
    event_.notify_all();
  }
  void leave() { left_(); }

  std::vector<std::string> read;
  bool ended = false;

 private:
  net::Event event_;
  bool reads_ = false;
  std::function<void()> left_;
};

class McpSlowReader : public ::testing::Test {
 protected:
  void run() {
    io_.restart();
    while (io_.poll() > 0) {
    }
  }
  void write() {
    boost::asio::co_spawn(
        io_, [stream = stream_]() { return stream->write(); }, boost::asio::detached);
  }

  boost::asio::io_context io_;
  SlowReader reader_{io_.get_executor()};
  std::shared_ptr<ResponseStream> stream_ =
      std::make_shared<ResponseStream>(io_.get_executor(), reader_, StreamOptions());
};

TEST_F(McpSlowReader, M069_WhoStopsReadingIsKeptABoundedNumberOfMessages) {
  write();
  std::size_t taken = 0;
  for (std::size_t i = 0; i < 100 * kMostQueued; ++i) {
    if (stream_->tell("{}")) ++taken;
    run();
  }
  EXPECT_EQ(taken, kMostQueued + 1) << "one of them is being written";
  stream_->finish(server::Reply(R"({"answer":1})", 200));
  reader_.go_on();
  run();
  ASSERT_EQ(reader_.read.size(), taken + 1);
  EXPECT_EQ(reader_.read.back(), event_of(R"({"answer":1})")) << "nothing takes its place";
  EXPECT_TRUE(reader_.ended);
}

TEST_F(McpSlowReader, M069_AndABoundedNumberOfBytes) {
  write();
  const std::string large(kMostQueuedBytes / 8, 'x');
  std::size_t taken = 0;
  for (std::size_t i = 0; i < 1'000; ++i) {
    if (stream_->tell(large)) taken += large.size();
    run();
  }
  EXPECT_EQ(taken, kMostQueuedBytes + large.size());
  stream_->finish(server::Reply("{}", 200));
  reader_.go_on();
  run();
  EXPECT_TRUE(reader_.ended);
}

TEST_F(McpSlowReader, M069_NothingIsKeptForWhoHasGone) {
  bool told = false;
  stream_->on_closed([&told] { told = true; });
  write();
  for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(stream_->tell("{}"));
  run();
  reader_.leave();
  EXPECT_TRUE(told);
  EXPECT_FALSE(stream_->tell("{}"));
  stream_->finish(server::Reply("{}", 200));
  reader_.go_on();
  run();
  EXPECT_EQ(reader_.read.size(), 1U) << "what was being written";
}

}  // namespace
}  // namespace interline::mcp
