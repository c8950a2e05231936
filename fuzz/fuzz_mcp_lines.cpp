// A connection of MCP lines over a whole engine: whatever bytes come, it ends, and every line that
// it was told is JSON-RPC. Calls that would wait are taken back at the end of the input.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "../tests/scenarios/engine/demo_gateway.hpp"
#include "bindings/mcp/line_front.hpp"
#include "json/parse.hpp"
#include "net/pipe_stream.hpp"
#include "protocols/jsonrpc/message.hpp"

using namespace interline;  // NOLINT
namespace server = interline::protocols::mcp::server;
namespace jsonrpc = interline::protocols::jsonrpc;

namespace {

server::Settings settings() {
  server::Settings made;
  made.self.name = "fuzzed";
  made.self.version = "1";
  made.seal_keys.emplace_back("a key for tests of 32 bytes.....");
  made.task_grace = std::chrono::milliseconds(0);
  return made;
}

void must_be_messages(const std::string& line) {
  const auto parsed =
      json::parse_borrowed(line, jsonrpc::limits_for(line.size()), json::Numbers::faithful);
  testing::require(parsed.has_value());
  if (!parsed->root().is_array())
    return testing::require(jsonrpc::read_message(parsed->root()).has_value());
  testing::require(parsed->root().size() > 0);
  for (const json::Value& one : parsed->root().items()) {
    testing::require(jsonrpc::read_message(one).has_value());
  }
}

net::awaitable<bool> write_and_end(net::Stream& stream, std::string bytes) {
  const auto written = co_await stream.write_all(bytes);
  if (written) (void)co_await stream.shutdown_write();
  co_return true;
}

net::awaitable<std::string> read_to_end(net::Stream& stream) {
  std::string all;
  std::string buffer(4'096, ' ');
  for (;;) {
    const std::span<char> room(buffer);
    const auto got = co_await stream.read_some(room);
    if (!got || *got == 0) co_return all;
    all.append(buffer, 0, *got);
  }
}

/// Lives as long as the process.
class Front {
 public:
  void take(std::string_view bytes) {
    net::PipeOptions pipe;
    pipe.chunk = 1 + bytes.size() / 3;
    auto [host, gateway] = net::make_pipe(gateway_.io().get_executor(), pipe);
    bool served = false;
    boost::asio::co_spawn(gateway_.io(), lines_.serve(*gateway, policy::Principal::anonymous(), ""),
                          [&served](const std::exception_ptr& failure) {
                            testing::require(failure == nullptr);
                            served = true;
                          });
    boost::asio::co_spawn(
        gateway_.io(), write_and_end(*host, std::string(bytes)),
        [](const std::exception_ptr& failure, bool) { testing::require(failure == nullptr); });
    std::string said = gateway_.run(read_to_end(*host));
    gateway_.run_until([&served] { return served; });
    while (!said.empty()) {
      const auto end = said.find('\n');
      testing::require(end != std::string::npos);
      must_be_messages(said.substr(0, end));
      said.erase(0, end + 1);
    }
  }

 private:
  static mcp::LineOptions at_once() {
    mcp::LineOptions options;
    options.line_limit = 16'384;
    options.grace = std::chrono::milliseconds(1);
    return options;
  }

  testing::DemoGateway gateway_{testing::everything_for("anonymous")};
  server::Server server_{gateway_.engine(), gateway_.clock(), settings(), Logger()};
  mcp::LineFront lines_{server_, at_once()};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Front* const front = new Front;  // its threads end with the process
  front->take({reinterpret_cast<const char*>(data), size});
  return 0;
}
