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

#include "bindings/mcp/line_front.hpp"
#include "engine/gateway.hpp"
#include "json/parse.hpp"
#include "net/pipe_stream.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"
#include "store/testing/memory_store.hpp"

using namespace interline;  // NOLINT
namespace server = interline::protocols::mcp::server;
namespace jsonrpc = interline::protocols::jsonrpc;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

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
  made.self.name = "fuzzed";
  made.self.version = "1";
  made.seal_keys.emplace_back("a key for tests of 32 bytes.....");
  made.task_grace = std::chrono::milliseconds(0);
  return made;
}

void must_be_messages(const std::string& line) {
  const auto parsed =
      json::parse_borrowed(line, jsonrpc::limits_for(line.size()), json::Numbers::faithful);
  require(parsed.has_value());
  if (!parsed->root().is_array()) return require(jsonrpc::read_message(parsed->root()).has_value());
  require(parsed->root().size() > 0);
  for (const json::Value& one : parsed->root().items()) {
    require(jsonrpc::read_message(one).has_value());
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
  Front() {
    auto runtime = std::make_shared<runtimes::builtin::BuiltinRuntime>(io_.get_executor());
    const auto tools = run(runtime->list_tools());
    gateway_.open_lane("demo", runtime, {});
    std::string manifest =
        R"({"manifestSpecVersion":"0","agent":{"jid":"demo@agents.example.test","name":"demo",)"
        R"("version":"1"},"tools":[)";
    for (const std::string& definition : tools->definitions) manifest += definition + ",";
    manifest.back() = ']';
    const auto read = run(gateway_.read_manifest(manifest + "}"));
    require(run(gateway_.register_configured("demo", *read, true, "[]")).has_value());
    require(run(gateway_.start()).has_value());
  }

  void take(std::string_view bytes) {
    net::PipeOptions pipe;
    pipe.chunk = 1 + bytes.size() / 3;
    auto [host, gateway] = net::make_pipe(io_.get_executor(), pipe);
    bool served = false;
    boost::asio::co_spawn(io_, lines_.serve(*gateway, policy::Principal::anonymous(), ""),
                          [&served](const std::exception_ptr& failure) {
                            require(failure == nullptr);
                            served = true;
                          });
    boost::asio::co_spawn(
        io_, write_and_end(*host, std::string(bytes)),
        [](const std::exception_ptr& failure, bool) { require(failure == nullptr); });
    std::string said = run(read_to_end(*host));
    while (!served) io_.run_one_for(std::chrono::seconds(10));
    while (!said.empty()) {
      const auto end = said.find('\n');
      require(end != std::string::npos);
      must_be_messages(said.substr(0, end));
      said.erase(0, end + 1);
    }
  }

 private:
  template <class T>
  T run(net::awaitable<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(io_, keep(std::move(work), result),
                          [](const std::exception_ptr& failure) { require(failure == nullptr); });
    while (!result) io_.run_one_for(std::chrono::seconds(10));
    return *std::move(result);
  }
  template <class T>
  static net::awaitable<void> keep(net::awaitable<T> work, std::optional<T>& result) {
    T value = co_await std::move(work);
    result.emplace(std::move(value));
  }
  static mcp::LineOptions at_once() {
    mcp::LineOptions options;
    options.line_limit = 16'384;
    options.grace = std::chrono::milliseconds(1);
    return options;
  }

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      io_.get_executor()};
  SystemClock clock_;
  store::testing::MemoryStore store_;
  engine::Gateway gateway_{
      io_.get_executor(),  store_, clock_, Logger(), unhurried(), everything_for_strangers(),
      [] { std::abort(); }};
  server::Server server_{gateway_, clock_, settings(), Logger()};
  mcp::LineFront lines_{server_, at_once()};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Front* const front = new Front;  // its threads end with the process
  front->take({reinterpret_cast<const char*>(data), size});
  return 0;
}
