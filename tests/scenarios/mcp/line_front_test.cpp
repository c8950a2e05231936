// A connection of lines over a whole engine, where the program's own would need time to pass.
#include "bindings/mcp/line_front.hpp"

#include <chrono>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include "engine/gateway.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"
#include "store/testing/memory_store.hpp"

namespace interline::mcp {
namespace {

namespace server = protocols::mcp::server;

std::shared_ptr<const policy::Policy> everything_for_strangers() {
  policy::Configuration configuration;
  policy::Grant grant;
  grant.principals = {"anonymous"};
  grant.endpoints = {"*"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.grants.push_back(grant);
  return std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration)));
}

engine::GatewayConfiguration unhurried() {
  engine::GatewayConfiguration configuration;
  configuration.token_key = "a key for tests of 32 bytes.....";
  for (policy::Rate& rate : configuration.rates.rates) rate = {1e9, 1e9};
  return configuration;
}

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
  McpLineFront() {
    auto runtime = std::make_shared<runtimes::builtin::BuiltinRuntime>(io_.get_executor());
    const auto tools = net::testing::run(io_, runtime->list_tools());
    gateway_.open_lane("demo", runtime, {});
    std::string manifest =
        R"({"manifestSpecVersion":"0","agent":{"jid":"demo@agents.example.test","name":"demo",)"
        R"("version":"1"},"tools":[)";
    for (const std::string& definition : tools->definitions) manifest += definition + ",";
    manifest.back() = ']';
    const auto read = net::testing::run(io_, gateway_.read_manifest(manifest + "}"));
    const auto registered =
        net::testing::run(io_, gateway_.register_configured("demo", *read, true, "[]"));
    EXPECT_TRUE(registered);
    const auto started = net::testing::run(io_, gateway_.start());
    EXPECT_TRUE(started);
  }
  ~McpLineFront() override { gateway_.stop(); }

  void serve(LineOptions options) {
    auto [host, gateway] = net::make_pipe(io_.get_executor());
    host_ = std::move(host);
    served_ = std::move(gateway);
    front_ = std::make_unique<LineFront>(server_, options);
    boost::asio::co_spawn(io_, front_->serve(*served_, policy::Principal::anonymous(), ""),
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

  net::asio::io_context io_{1};
  SystemClock clock_;
  store::testing::MemoryStore store_;
  engine::Gateway gateway_{io_.get_executor(),         store_, clock_, Logger(), unhurried(),
                           everything_for_strangers(), [] {}};
  server::Server server_{gateway_, clock_, settings(), Logger()};
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
      io_, converse(*host_,
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
  net::testing::spawn(io_.get_executor(), write_counted(*host_, piece, kPieces, written));
  io_.restart();
  while (io_.poll_one() > 0) {
  }
  EXPECT_GT(written, 0U);
  EXPECT_LT(written, kPieces / 4);  // it waits, and so does its memory
  host_->close();
  io_.restart();
  while (!over_ && io_.run_one_for(net::testing::kHung) > 0) {
  }
  EXPECT_TRUE(over_);
}

}  // namespace
}  // namespace interline::mcp
