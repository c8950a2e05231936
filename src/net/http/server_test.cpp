// The server on real sockets, with threads: connections counted, refused, drained, encrypted.
#include "net/http/server.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <gtest/gtest.h>

#include "net/event.hpp"
#include "net/http/session_fixture.hpp"
#include "net/tcp_stream.hpp"
#include "net/tls_stream.hpp"
#include "net/unix_stream.hpp"

namespace interline::net::http {
namespace {

using net::testing::read_at_least;
using net::testing::read_to_end;
using testing::without_dates;

awaitable<void> say_who(Request& request, Responder& responder) {
  Response response(200, "text/plain", request.peer->description);
  co_await responder.send(std::move(response));
}

awaitable<void> say_hello(Request& request, Responder& responder) {
  Response response(200, "text/plain", request.secure ? "hello, securely" : "hello");
  co_await responder.send(std::move(response));
}

constexpr std::string_view kGet = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kHello =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
constexpr std::size_t kHelloSize = kHello.size() + 37;  // with its Date

// The server has two threads of its own; the test runs its client in its own context.
class HttpServer : public ::testing::Test {
 protected:
  HttpServer() : router_(std::make_shared<Router>()) {
    router_->add(Method::get, "/hello", say_hello);
    router_->add(Method::post, "/hello", say_hello);
    router_->add(Method::get, "/who", say_who);
    router_->add(Method::get, "/wait", [this](Request&, Responder& responder) -> awaitable<void> {
      const Executor executor = co_await asio::this_coro::executor;
      Event gone(executor);
      bool is_gone = false;
      responder.on_disconnect([&] {
        is_gone = true;
        gone.notify_all();
      });
      ++waiting_;
      while (!is_gone) co_await gone.wait();
      ++noticed_;
    });
  }
  ~HttpServer() override {
    if (server_) drain(Duration(0));
    work_.reset();
    for (std::thread& thread : threads_) thread.join();
  }

  void start(std::shared_ptr<const TlsContext> tls = nullptr) {
    server_ = std::make_unique<Server>(io_.get_executor(), router_, options_);
    const HostPort any("127.0.0.1", 0);
    auto listener = listen_tcp(io_.get_executor(), any);
    port_ = (*listener)->port();
    server_->serve(std::move(*listener), [tls] { return tls; });
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { io_.run(); });
  }

  void drain(Duration grace) { net::testing::run(client_, server_->drain(grace)); }

  std::unique_ptr<Stream> connect() {
    const HostPort target("127.0.0.1", port_);
    auto stream = net::testing::run(client_, connect_tcp(target, ConnectOptions{}));
    if (!stream) throw std::runtime_error(stream.error().message);
    return std::move(*stream);
  }

  static awaitable<std::string> ask(Stream& stream, std::string_view request, std::size_t size) {
    auto sent = co_await stream.write_all(request);
    EXPECT_TRUE(sent);
    const std::string answer = co_await read_at_least(stream, size);
    co_return without_dates(answer);
  }
  std::string hello(Stream& stream) {
    return net::testing::run(client_, ask(stream, kGet, kHelloSize));
  }
  std::string rest_of(Stream& stream) {
    return without_dates(net::testing::run(client_, read_to_end(stream)));
  }
  // Waits for another thread, without a clock.
  template <class Condition>
  void until(Condition condition) {
    while (!condition()) std::this_thread::yield();
  }

  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  asio::io_context client_;  // outlives the threads, which hand it their answers
  std::vector<std::thread> threads_;
  std::shared_ptr<Router> router_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
  std::atomic<int> waiting_ = 0;
  std::atomic<int> noticed_ = 0;
};

TEST_F(HttpServer, ServesManyRequestsOnManyConnectionsAtOnce) {
  start();
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 40; ++i) streams.push_back(connect());
  for (int round = 0; round < 10; ++round) {
    for (auto& stream : streams) EXPECT_EQ(hello(*stream), kHello);
  }
  EXPECT_EQ(server_->stats().requests, 400U);
  EXPECT_EQ(server_->stats().connections_open, 40U);
  streams.clear();
  until([&] { return server_->stats().connections_open == 0; });
}

TEST_F(HttpServer, TooManyConnectionsAreToldSo) {
  options_.max_connections = 2;
  start();
  auto first = connect();
  auto second = connect();
  EXPECT_EQ(hello(*first), kHello);
  EXPECT_EQ(hello(*second), kHello);
  auto third = connect();
  EXPECT_EQ(rest_of(*third),
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 24\r\n\r\n"
            "503 Service Unavailable\n");
  EXPECT_EQ(server_->stats().connections_refused, 1U);
  first.reset();
  until([&] { return server_->stats().connections_open == 1; });
  auto fourth = connect();
  EXPECT_EQ(hello(*fourth), kHello);
}

TEST_F(HttpServer, OneAddressHasItsShareUnlessItIsATrustedProxy) {
  options_.max_per_address = 1;
  start();
  auto first = connect();
  EXPECT_EQ(hello(*first), kHello);
  auto second = connect();
  EXPECT_TRUE(rest_of(*second).starts_with("HTTP/1.1 503 "));
}

TEST_F(HttpServer, ATrustedProxyHasNoShare) {
  options_.max_per_address = 1;
  options_.trusted_proxies.push_back(Network::parse("127.0.0.0/8").value());
  start();
  auto first = connect();
  auto second = connect();
  EXPECT_EQ(hello(*first), kHello);
  EXPECT_EQ(hello(*second), kHello);
}

TEST_F(HttpServer, ADisconnectIsNoticedWhileAHandlerWaits) {
  start();
  auto stream = connect();
  net::testing::run(client_, ask(*stream, "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n", 0));
  until([&] { return waiting_ == 1; });
  stream->close();
  until([&] { return noticed_ == 1; });
}

TEST_F(HttpServer, DrainClosesTheIdleAtOnceAndTheBusyAfterItsGrace) {
  start();
  auto idle = connect();
  EXPECT_EQ(hello(*idle), kHello);
  auto busy = connect();
  net::testing::run(client_, ask(*busy, "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n", 0));
  until([&] { return waiting_ == 1; });
  drain(Duration(10));
  EXPECT_EQ(server_->stats().connections_open, 0U);
  EXPECT_EQ(noticed_, 1) << "its handler was told";
  EXPECT_EQ(rest_of(*idle), "");
  const HostPort target("127.0.0.1", port_);
  EXPECT_FALSE(net::testing::run(client_, connect_tcp(target, ConnectOptions{})));
}

// The answer to a body that is refused survives although its sender goes on sending.
TEST_F(HttpServer, ARefusalReachesAPeerThatIsStillSending) {
  start();
  auto stream = connect();
  const std::string body(3'000'000, 'x');
  const auto talk = [](Stream& to, std::string_view bytes) -> awaitable<std::string> {
    auto sent = co_await to.write_all(bytes);
    if (sent) sent = co_await to.shutdown_write();
    const std::string answer = co_await read_to_end(to);
    co_return answer;
  };
  const std::string request =
      "POST /hello HTTP/1.1\r\nHost: h\r\nContent-Length: 900000000\r\n\r\n" +
      std::string(500'000, 'x');
  const std::string answer = net::testing::run(client_, talk(*stream, request));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 Content Too Large\r\n")) << answer;
}

TEST_F(HttpServer, ServesTls) {
  const net::testing::TestCertificates files;
  TlsServerOptions server;
  server.certificate_file = files.server_certificate;
  server.key_file = files.server_key;
  start(TlsContext::server(server).value());
  TlsClientOptions client;
  client.ca_file = files.authority;
  client.alpn = "http/1.1";
  auto connected = net::testing::run(
      client_, tls_connect(connect(), TlsContext::client(client).value(), "localhost"));
  ASSERT_TRUE(connected) << connected.error().message;
  const std::string answer = net::testing::run(client_, ask(**connected, kGet, kHelloSize + 11));
  EXPECT_TRUE(answer.ends_with("\r\n\r\nhello, securely")) << answer;
  auto plain = connect();
  EXPECT_EQ(net::testing::run(client_, ask(*plain, kGet, 1)).find("HTTP"), std::string::npos)
      << "plain text on a TLS port is an alert";
}

TEST_F(HttpServer, ATlsHandshakeThatDoesNotEndIsCutOff) {
  const net::testing::TestCertificates files;
  TlsServerOptions server;
  server.certificate_file = files.server_certificate;
  server.key_file = files.server_key;
  options_.handshake_timeout = Duration(10);
  start(TlsContext::server(server).value());
  auto stream = connect();
  EXPECT_EQ(rest_of(*stream), "");
  until([&] { return server_->stats().connections_open == 0; });
  EXPECT_EQ(server_->stats().timeouts, 1U);
}

TEST_F(HttpServer, AUnixSocketsUserIsKnown) {
  start();
  const net::testing::TemporaryFolder folder;
  auto listener = listen_unix(io_.get_executor(), folder.file("s"));
  server_->serve(std::move(*listener));
  auto stream = net::testing::run(client_, connect_unix(folder.file("s"), Duration(10'000)));
  ASSERT_TRUE(stream);
  const std::string request = "GET /who HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
  const std::string answer = net::testing::run(client_, ask(**stream, request, 1000));
  EXPECT_TRUE(answer.ends_with("unix:uid=" + std::to_string(::getuid()))) << answer;
}

TEST_F(HttpServer, AUserOfAUnixSocketHasItsShareUnlessItIsFavoured) {
  options_.max_per_address = 1;
  for (const bool favoured : {false, true}) {
    if (favoured) options_.favoured_users.push_back(::geteuid());
    start();
    const net::testing::TemporaryFolder folder;
    server_->serve(std::move(*listen_unix(io_.get_executor(), folder.file("s"))));
    const auto connect_here = [&] {
      return net::testing::run(client_, connect_unix(folder.file("s"), Duration(10'000))).value();
    };
    auto first = connect_here();
    EXPECT_EQ(hello(*first), kHello);
    auto second = connect_here();
    if (favoured) {
      EXPECT_EQ(hello(*second), kHello);
    } else {
      EXPECT_TRUE(rest_of(*second).starts_with("HTTP/1.1 503 "));
    }
  }
}

TEST_F(HttpServer, PlacesAreLeftForFavouredUsers) {
  options_.max_connections = 2;
  options_.reserved = 1;
  options_.favoured_users = {::geteuid()};
  start();
  const net::testing::TemporaryFolder folder;
  server_->serve(std::move(*listen_unix(io_.get_executor(), folder.file("s"))));
  auto first = connect();
  EXPECT_EQ(hello(*first), kHello);
  auto second = connect();
  EXPECT_TRUE(rest_of(*second).starts_with("HTTP/1.1 503 "));
  auto ours = net::testing::run(client_, connect_unix(folder.file("s"), Duration(10'000))).value();
  EXPECT_EQ(hello(*ours), kHello);
}

TEST_F(HttpServer, DestroyedWithConnectionsOpenItClosesThem) {
  start();
  auto stream = connect();
  EXPECT_EQ(hello(*stream), kHello);
  server_.reset();
  EXPECT_EQ(rest_of(*stream), "");
}

// Threads, pipelining, disconnects at random points and a drain in the middle: for the sanitizers.
TEST_F(HttpServer, ManyClientsComeAndGoWhileItDrains) {
  start();
  std::atomic<int> answered = 0;
  const auto client = [&](unsigned seed) {
    asio::io_context context;
    for (unsigned i = 0; i < 20; ++i) {
      const HostPort target("127.0.0.1", port_);
      auto stream = net::testing::run(context, connect_tcp(target, ConnectOptions{}));
      if (!stream) return;
      const std::string request((seed + i) % 3 == 0 ? "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n"
                                                    : kGet);
      const std::size_t size = (seed + i) % 3 == 0 ? 0 : kHelloSize;
      const auto talk = [](Stream& to, std::string bytes,
                           std::size_t want) -> awaitable<std::size_t> {
        auto sent = co_await to.write_all(bytes);
        if (!sent) co_return 0U;
        const std::string answer = co_await read_at_least(to, want);
        co_return answer.size();
      };
      if (net::testing::run(context, talk(**stream, request + request, 2 * size)) > 0) ++answered;
    }
  };
  std::vector<std::thread> clients;
  for (unsigned seed = 0; seed < 4; ++seed) clients.emplace_back(client, seed);
  until([&] { return answered >= 20; });
  drain(Duration(5));
  for (std::thread& thread : clients) thread.join();
  EXPECT_EQ(server_->stats().connections_open, 0U);
  EXPECT_EQ(server_->stats().body_bytes_held, 0U);
}

}  // namespace
}  // namespace interline::net::http
