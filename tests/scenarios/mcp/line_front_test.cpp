// A connection of lines over a whole engine, where the program's own would need time to pass.
#include "bindings/mcp/line_front.hpp"

#include <chrono>

#include <boost/asio/co_spawn.hpp>

#include <gtest/gtest.h>

#include "../engine/demo_gateway.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::mcp {
namespace {

namespace server = protocols::mcp::server;

server::Settings settings() {
  server::Settings made;
  made.self.name = "tested";
  made.self.version = "1";
  made.seal_keys.emplace_back("a key for tests of 32 bytes.....");
  made.task_grace = std::chrono::milliseconds(0);
  return made;
}

class McpLineFront : public ::testing::Test {
 protected:
  ~McpLineFront() override { gateway_.engine().stop(); }

  void serve(LineOptions options) {
    auto [host, gateway] = net::make_pipe(gateway_.io().get_executor());
    host_ = std::move(host);
    served_ = std::move(gateway);
    front_ = std::make_unique<LineFront>(server_, options);
    boost::asio::co_spawn(gateway_.io(),
                          front_->serve(*served_, policy::Principal::anonymous(), ""),
                          [this](const std::exception_ptr& failure) {
                            EXPECT_EQ(failure, nullptr);
                            over_ = true;
                          });
  }

  static net::awaitable<std::string> converse(net::Stream& host, std::string lines) {
    auto sent = co_await host.write_all(lines);
    EXPECT_TRUE(sent);
    sent = co_await host.shutdown_write();
    EXPECT_TRUE(sent);
    co_return co_await net::testing::read_to_end(host);
  }

  interline::testing::DemoGateway gateway_{interline::testing::everything_for("anonymous")};
  server::Server server_{gateway_.engine(), gateway_.clock(), settings(), Logger()};
  std::unique_ptr<net::Stream> host_;
  std::unique_ptr<net::Stream> served_;
  std::unique_ptr<LineFront> front_;
  bool over_ = false;  // the connection
};

TEST_F(McpLineFront, M031_WhatIsInWorkAtTheEndOfTheInputMayStillBeAnswered) {
  LineOptions options;
  options.grace = net::testing::kHung;
  serve(options);
  const std::string said = net::testing::run(
      gateway_.io(),
      converse(*host_,
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.wait",)"
               R"("arguments":{"milliseconds":20},"_meta":{)"
               R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{}}}})"
               "\n"));
  EXPECT_NE(said.find(R"("id":1,"result":)"), std::string::npos) << said;
}

net::awaitable<void> write_counted(net::Stream& host, std::string piece, std::size_t pieces,
                                   std::size_t& written) {
  for (; written < pieces; ++written) {
    const auto sent = co_await host.write_all(piece);
    if (!sent) co_return;
  }
}

TEST_F(McpLineFront, M069_WhoDoesNotReadIsNotRead) {
  LineOptions options;
  options.waiting_bytes = 64 * 1024;
  options.grace = std::chrono::milliseconds(1);
  serve(options);
  // Each line is answered by a longer one. Far more than pipes and queue hold.
  constexpr std::size_t kPieces = 10'000;
  std::string piece;
  for (int i = 0; i < 100; ++i) piece += "{\n";
  std::size_t written = 0;
  net::testing::spawn(gateway_.io().get_executor(), write_counted(*host_, piece, kPieces, written));
  gateway_.io().restart();
  while (gateway_.io().poll_one() > 0) {
  }
  EXPECT_GT(written, 0U);
  EXPECT_LT(written, kPieces / 4);  // it waits, and so does its memory
  host_->close();
  gateway_.io().restart();
  while (!over_ && gateway_.io().run_one_for(net::testing::kHung) > 0) {
  }
  EXPECT_TRUE(over_);
}

}  // namespace
}  // namespace interline::mcp
