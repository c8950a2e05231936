// A scripted MCP server at a URL: what it is asked is written down, what it answers is a function a
// method.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "net/http/server.hpp"
#include "net/http/sse.hpp"
#include "net/tcp_stream.hpp"
#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/test_support.hpp"

namespace interline::runtimes::mcp::testing {

namespace http = net::http;
using runtimes::testing::FakeJob;
using runtimes::testing::Fixture;
using Lines = std::vector<std::string>;

/// One request as the server sees it.
struct Seen {
  http::Request& request;
  http::Responder& responder;
  const json::Value& message;  ///< null for GET and DELETE

  [[nodiscard]] std::string id() const {
    const json::Value* value = message.find("id");
    return value == nullptr ? "" : std::string(value->source());
  }
  [[nodiscard]] std::string header(std::string_view name) const {
    return std::string(request.fields.get(name).value_or("-"));
  }
  [[nodiscard]] std::string param(std::string_view name) const {
    const json::Value* params = message.find("params");
    const json::Value* value = params == nullptr ? nullptr : params->find(name);
    return value == nullptr ? "" : std::string(value->source());
  }

  net::awaitable<void> json(unsigned status, std::string body) const {
    http::Response response(status, "application/json", std::move(body));
    co_await responder.send(std::move(response));
  }
  net::awaitable<void> status(unsigned code) const {
    http::Response response(code);
    co_await responder.send(std::move(response));
  }
  net::awaitable<void> result(std::string members) const {
    std::string body = R"({"jsonrpc":"2.0","id":)" + id() + R"(,"result":)" + members + "}";
    co_await json(200, std::move(body));
  }
  net::awaitable<void> error(int code, unsigned http_status, std::string more = "") const {
    std::string body = R"({"jsonrpc":"2.0","id":)" + id() + R"(,"error":{"code":)" +
                       std::to_string(code) + R"(,"message":"no")" + more + "}}";
    co_await json(http_status, std::move(body));
  }
  net::awaitable<void> begin_stream() const {
    http::Response head(200);
    head.fields.add("Content-Type", "text/event-stream");
    co_await responder.begin(std::move(head));
  }
  net::awaitable<void> event(std::string text) const {
    std::string bytes = "data: " + text + "\n\n";
    co_await responder.write(bytes);
  }
};

class Stub {
 public:
  using Act = std::function<net::awaitable<void>(Seen)>;

  explicit Stub(const net::Executor& executor) : executor_(executor) {
    auto router = std::make_shared<http::Router>();
    http::RouteOptions options;
    options.body_limit = std::size_t{4} * 1024 * 1024;
    for (const auto method : {http::Method::get, http::Method::post, http::Method::delete_}) {
      router->add(
          method, "/mcp",
          [this](http::Request& request, http::Responder& responder) -> net::awaitable<void> {
            co_await take(request, responder);
          },
          options);
    }
    server_ = std::make_unique<http::Server>(executor_, router, http::ServerOptions{});
    const net::HostPort any("127.0.0.1", 0);
    auto listener = net::listen_tcp(executor_, any);
    port_ = (*listener)->port();
    server_->serve(std::move(*listener));
  }

  /// Nothing is answered any more when it returns.
  ~Stub() {
    auto end = [](http::Server& server) -> net::awaitable<bool> {
      co_await server.drain(net::Duration(1'000));
      co_return true;
    };
    (void)boost::asio::co_spawn(executor_, end(*server_), boost::asio::use_future).get();
  }
  Stub(const Stub&) = delete;
  Stub& operator=(const Stub&) = delete;

  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/mcp";
  }
  /// `method`: of JSON-RPC, or "GET", "DELETE".
  void on(std::string method, Act act) {
    const std::lock_guard lock(mutex_);
    acts_[std::move(method)] = std::move(act);
  }
  void note(std::string text) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(text));
  }
  [[nodiscard]] Lines notes() const {
    const std::lock_guard lock(mutex_);
    return notes_;
  }
  [[nodiscard]] const http::ServerStats& stats() const { return server_->stats(); }

  /// A modern server with one tool.
  void be_modern(std::string capabilities = R"({"tools":{}})",
                 std::string tools = R"([{"name":"echo","inputSchema":{"type":"object"}}])") {
    on("server/discover", [capabilities](Seen seen) -> net::awaitable<void> {
      std::string result =
          R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":)" +
          capabilities + R"(,"ttlMs":0,"cacheScope":"private"})";
      co_await seen.result(std::move(result));
    });
    on("tools/list", [tools](Seen seen) -> net::awaitable<void> {
      std::string result = R"({"resultType":"complete","tools":)" + tools + "}";
      co_await seen.result(std::move(result));
    });
    on("tools/call", fine);
  }
  /// A legacy one; with `sessions` it gives each `initialize` an id: s1, s2, ...
  void be_legacy(bool sessions, std::string capabilities = R"({"tools":{}})",
                 std::string version = "2025-11-25") {
    on("server/discover", [](Seen seen) -> net::awaitable<void> { co_await seen.status(400); });
    on("initialize", [this, sessions, capabilities, version](Seen seen) -> net::awaitable<void> {
      std::string body = R"({"jsonrpc":"2.0","id":)" + seen.id() +
                         R"(,"result":{"protocolVersion":")" + version + R"(","capabilities":)" +
                         capabilities + R"(,"serverInfo":{"name":"old","version":"1"}}})";
      http::Response response(200, "application/json", std::move(body));
      if (sessions) response.fields.add("Mcp-Session-Id", "s" + std::to_string(++sessions_));
      co_await seen.responder.send(std::move(response));
    });
    on("notifications/initialized",
       [](Seen seen) -> net::awaitable<void> { co_await seen.status(202); });
    on("GET", [](Seen seen) -> net::awaitable<void> { co_await seen.status(405); });
    on("DELETE", [](Seen seen) -> net::awaitable<void> { co_await seen.status(200); });
    on("tools/list", [](Seen seen) -> net::awaitable<void> {
      std::string result = R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
      co_await seen.result(std::move(result));
    });
    on("tools/call", fine);
  }
  static net::awaitable<void> fine(Seen seen) {
    std::string result = R"({"content":[]})";
    co_await seen.result(std::move(result));
  }

 private:
  net::awaitable<void> take(http::Request& request, http::Responder& responder) {
    const json::Value none{};
    std::string method(http::to_string(request.method));
    const auto document = json::parse(request.body, {}, json::Numbers::faithful);
    if (request.method == http::Method::post && document) {
      const json::Value* name = document->root().find("method");
      method = name == nullptr ? "answer" : std::string(name->as_string());
    }
    Act act;
    {
      const std::lock_guard lock(mutex_);
      const auto found = acts_.find(method);
      if (found != acts_.end()) act = found->second;
    }
    const Seen seen{request, responder, document ? document->root() : none};
    if (act) {
      co_await act(seen);
    } else {
      co_await seen.status(404);
    }
  }

  const net::Executor executor_;
  mutable std::mutex mutex_;
  std::map<std::string, Act> acts_;
  Lines notes_;
  std::atomic<int> sessions_{0};
  std::uint16_t port_ = 0;
  std::unique_ptr<http::Server> server_;
};

class HttpMcpTest : public ::testing::Test {
 protected:
  void open(const std::string& url) {
    McpConfiguration configuration;
    configuration.http.emplace();
    configuration.http->url = url;
    configuration.http->retry_first = std::chrono::milliseconds(1);
    configuration.limits.course.retry_first = std::chrono::milliseconds(1);
    configuration.limits.course.retry_longest = std::chrono::milliseconds(5);
    configure(configuration);
    runtime =
        std::make_unique<McpRuntime>(fixture.executor(), std::move(configuration), fixture.log());
  }
  virtual void configure(McpConfiguration&) {}
  std::shared_ptr<FakeJob> start(std::string handle, std::string caller = "",
                                 std::string arguments = "{}", std::string tool = "echo") {
    engine::JobInput input;
    input.handle = std::move(handle);
    input.tool = std::move(tool);
    input.arguments = std::move(arguments);
    input.caller = std::move(caller);
    input.answerable = 0x1F;
    input.repeat_key = "key-" + input.handle;
    auto job = fixture.job(std::move(input));
    runtime->start(job);
    return job;
  }
  Result<engine::ImportedTools> list() { return fixture.run(runtime->list_tools()); }
  void TearDown() override {
    if (!runtime) return;
    auto work = [](McpRuntime& of) -> engine::awaitable<bool> {
      co_await of.drain(std::chrono::milliseconds(0));
      co_return true;
    };
    (void)fixture.run(work(*runtime));
    runtime.reset();
  }

  Fixture fixture;
  std::unique_ptr<McpRuntime> runtime;
};

}  // namespace interline::runtimes::mcp::testing
