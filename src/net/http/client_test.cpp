// The client on real sockets: against the project's own server, and against servers that misbehave.
#include "net/http/client.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/this_coro.hpp>

#include <gtest/gtest.h>

#include "net/errors.hpp"
#include "net/event.hpp"
#include "net/http/server.hpp"
#include "net/http/sse.hpp"
#include "net/test_support.hpp"

namespace interline::net::http {
namespace {

using net::testing::run;
using net::testing::spawn;

awaitable<void> echo(Request& request, Responder& responder) {
  Response response(
      200, "text/plain",
      std::string(to_string(request.method)) + " " + request.path + " " + request.body);
  co_await responder.send(std::move(response));
}

awaitable<void> count_events(Request&, Responder& responder) {
  Response head(200);
  head.fields.add("Content-Type", "text/event-stream");
  co_await responder.begin(std::move(head));
  for (int i = 0; i < 3; ++i) {
    SseEvent event;
    event.data = std::to_string(i);
    const std::string text = encode_event(event);
    co_await responder.write(text);
  }
  co_await responder.end();
}

// One context, run by the test; the client and the servers are in it.
class HttpClient : public ::testing::Test {
 protected:
  HttpClient() : router_(std::make_shared<Router>()) {
    for (const Method method : {Method::get, Method::post, Method::put}) {
      router_->add(method, "/echo", echo);
    }
    router_->add(Method::get, "/events", count_events);
    router_->add(Method::get, "/never", [this](Request&, Responder& responder) -> awaitable<void> {
      Response head(200);
      co_await responder.begin(std::move(head));
      Event gone(context_.get_executor());
      responder.on_disconnect([&] { gone.notify_all(); });
      co_await gone.wait();
      ++left_;
    });
  }

  std::string start(std::shared_ptr<const TlsContext> tls = nullptr) {
    server_ = std::make_unique<Server>(context_.get_executor(), router_, ServerOptions{});
    const HostPort any("127.0.0.1", 0);
    auto listener = listen_tcp(context_.get_executor(), any);
    const std::string port = std::to_string((*listener)->port());
    server_->serve(std::move(*listener), [tls] { return tls; });
    return (tls ? "https://localhost:" : "http://127.0.0.1:") + port;
  }
  Client& client() {
    if (!client_) client_ = std::make_unique<Client>(context_.get_executor(), options_);
    return *client_;
  }
  // The body, or "KIND REASON".
  std::string fetch(FetchRequest request) {
    const auto response = run(context_, client().fetch(std::move(request)));
    if (response) return response->body;
    return std::string(to_string(response.error().kind)) + " " +
           std::string(to_string(response.error().reason));
  }

  asio::io_context context_{1};
  std::shared_ptr<Router> router_;
  std::unique_ptr<Server> server_;
  ClientOptions options_;
  std::unique_ptr<Client> client_;
  int left_ = 0;
};

TEST_F(HttpClient, OneConnectionServesOneRequestAfterAnother) {
  const std::string url = start() + "/echo";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(fetch(FetchRequest(Method::get, url)), "GET /echo ");
  FetchRequest post(Method::post, url);
  post.body = std::string(200'000, 'x');
  EXPECT_EQ(fetch(std::move(post)), "POST /echo " + std::string(200'000, 'x'));
  EXPECT_EQ(server_->stats().connections_accepted, 1U);
  EXPECT_EQ(client().idle_connections(), 1U);
}

TEST_F(HttpClient, AnEventStreamIsReadAsItComes) {
  const std::string url = start() + "/events";
  const auto talk = [&]() -> awaitable<std::string> {
    auto stream = co_await client().open(FetchRequest(Method::get, url));
    EXPECT_TRUE(stream);
    EXPECT_EQ((*stream)->status(), 200U);
    EXPECT_EQ((*stream)->fields().get("content-type"), "text/event-stream");
    SseParser parser;
    std::string seen;
    for (;;) {
      auto piece = co_await (*stream)->read(Duration(10'000));
      EXPECT_TRUE(piece);
      if (!piece || piece->empty()) break;
      parser.append(*piece);
      while (auto event = parser.next().value()) seen += event->data;
    }
    auto again = co_await (*stream)->read(Duration(10'000));
    EXPECT_EQ(again, "");
    co_return seen;
  };
  EXPECT_EQ(run(context_, talk()), "012");
  EXPECT_EQ(client().idle_connections(), 1U) << "the body ended: the connection is kept";
}

TEST_F(HttpClient, AStreamThatIsDroppedClosesItsConnection) {
  const std::string url = start() + "/never";
  const auto talk = [&]() -> awaitable<void> {
    auto stream = co_await client().open(FetchRequest(Method::get, url));
    EXPECT_TRUE(stream);
    auto piece = co_await (*stream)->read(Duration(5));
    EXPECT_FALSE(piece);
    EXPECT_TRUE(is_timeout(piece.error()));
    auto second = co_await client().open(FetchRequest(Method::get, url));
    EXPECT_TRUE(second);
  };
  run(context_, talk());
  context_.restart();
  while (left_ < 2) context_.run_one();
  EXPECT_EQ(client().idle_connections(), 0U);
}

TEST_F(HttpClient, Https) {
  const net::testing::TestCertificates files;
  TlsServerOptions server;
  server.certificate_file = files.server_certificate;
  server.key_file = files.server_key;
  const std::string url = start(TlsContext::server(server).value()) + "/echo";
  EXPECT_EQ(fetch(FetchRequest(Method::get, url)), "malformed none") << "no TLS context";
  TlsClientOptions trusting;
  trusting.ca_file = files.authority;
  options_.tls = TlsContext::client(trusting).value();
  client_.reset();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fetch(FetchRequest(Method::get, url)), "GET /echo ");
  EXPECT_EQ(client().idle_connections(), 1U);
  EXPECT_EQ(server_->stats().connections_accepted, 1U);
}

TEST_F(HttpClient, TheGuardsWordIsFinal) {
  const std::string url = start() + "/echo";
  options_.connect.guard = [](std::string_view, const asio::ip::address&) -> Result<void> {
    return fail(ErrorKind::forbidden, "private addresses are not allowed");
  };
  EXPECT_EQ(fetch(FetchRequest(Method::get, url)), "forbidden none");
  EXPECT_EQ(server_->stats().connections_accepted, 0U);
}

TEST_F(HttpClient, LimitsAndTimeouts) {
  const std::string base = start();
  FetchRequest small(Method::get, base + "/echo");
  small.body_limit = 5;
  EXPECT_EQ(fetch(small), "resource_constraint too_large");
  FetchRequest slow(Method::get, base + "/never");
  slow.timeout = Duration(20);
  EXPECT_EQ(fetch(slow), "unavailable expired");
  EXPECT_EQ(fetch(FetchRequest(Method::get, "gopher://x/")), "malformed none");
  options_.max_connections_per_origin = 0;
  client_.reset();
  EXPECT_EQ(fetch(FetchRequest(Method::get, base + "/echo")), "resource_constraint too_many");
}

// What an awaiting coroutine's cancellation (a lost race, a caller that left) does to a call.
TEST_F(HttpClient, ACancelledCallEndsAndClosesItsConnection) {
  const std::string url = start() + "/never";
  asio::cancellation_signal cancel;
  bool ended = false;
  const auto talk = [&]() -> awaitable<void> {
    auto stream = co_await client().open(FetchRequest(Method::get, url));
    EXPECT_TRUE(stream);
    auto piece = co_await (*stream)->read(Duration(600'000));
    EXPECT_FALSE(piece);
  };
  asio::co_spawn(context_, talk(),
                 asio::bind_cancellation_slot(cancel.slot(),
                                              [&](const std::exception_ptr&) { ended = true; }));
  while (server_->stats().requests == 0) context_.run_one();
  context_.poll();  // the client waits for a piece now
  cancel.emit(asio::cancellation_type::terminal);
  while (!ended || left_ == 0) context_.run_one();
}

// A server that answers `answers` requests on each connection, reads one more and closes.
class Rude {
 public:
  explicit Rude(asio::io_context& context) {
    const HostPort any("127.0.0.1", 0);
    listener_ = listen_tcp(context.get_executor(), any).value();
    spawn(context.get_executor(), serve());
  }
  [[nodiscard]] std::string url() const {
    return "http://127.0.0.1:" + std::to_string(listener_->port()) + "/";
  }

  int answers = 1;
  bool close_at_once = false;  // after the last answer, without waiting for another request
  int requests = 0;
  int connections = 0;

 private:
  awaitable<void> serve() {
    for (;;) {
      auto stream = co_await listener_->accept();
      if (!stream) co_return;
      ++connections;
      std::array<char, 4096> buffer;
      const std::span<char> target(buffer);
      for (int i = 0; i <= answers; ++i) {
        if (i == answers && close_at_once) break;
        auto got = co_await (*stream)->read_some(target);
        if (!got || *got == 0) break;
        ++requests;
        if (i == answers) break;
        auto sent = co_await (*stream)->write_all("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        EXPECT_TRUE(sent);
      }
    }
  }

  std::unique_ptr<Listener> listener_;
};

TEST_F(HttpClient, AConnectionThatTheServerClosedIsNotUsedAgain) {
  Rude rude(context_);
  rude.close_at_once = true;
  FetchRequest post(Method::post, rude.url());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(fetch(post), "ok");
    context_.restart();
    context_.poll();  // the server closes
  }
  EXPECT_EQ(rude.requests, 3);
  EXPECT_EQ(rude.connections, 3);
}

TEST_F(HttpClient, ARequestThatMayBeRepeatedIsWhenAKeptConnectionBreaks) {
  Rude rude(context_);
  EXPECT_EQ(fetch(FetchRequest(Method::get, rude.url())), "ok");
  EXPECT_EQ(fetch(FetchRequest(Method::get, rude.url())), "ok");
  EXPECT_EQ(rude.requests, 3) << "the second was sent twice";
  EXPECT_EQ(rude.connections, 2);
}

TEST_F(HttpClient, APostIsNeverRepeatedUnlessItsCallerSaysSo) {
  Rude rude(context_);
  FetchRequest post(Method::post, rude.url());
  EXPECT_EQ(fetch(post), "ok");
  EXPECT_EQ(fetch(post), "unavailable none");
  EXPECT_EQ(rude.requests, 2);
  EXPECT_EQ(fetch(post), "ok");
  post.repeatable = true;
  EXPECT_EQ(fetch(post), "ok");
  EXPECT_EQ(rude.requests, 5);
}

TEST_F(HttpClient, AFreshConnectionThatBreaksIsAnError) {
  Rude rude(context_);
  rude.answers = 0;
  EXPECT_EQ(fetch(FetchRequest(Method::get, rude.url())), "unavailable none");
  EXPECT_EQ(rude.requests, 1);
}

TEST(HttpClientThreads, ManyCallsFromManyStrands) {
  asio::io_context context;
  auto router = std::make_shared<Router>();
  router->add(Method::get, "/echo", echo);
  router->add(Method::get, "/events", count_events);
  auto server = std::make_unique<Server>(context.get_executor(), router, ServerOptions{});
  const HostPort any("127.0.0.1", 0);
  auto listener = listen_tcp(context.get_executor(), any);
  const std::string base = "http://127.0.0.1:" + std::to_string((*listener)->port());
  server->serve(std::move(*listener));
  auto client = std::make_unique<Client>(context.get_executor(), ClientOptions{});
  std::atomic<int> good = 0;
  std::atomic<int> running = 20;
  const auto work = [&]() -> awaitable<void> {
    for (int i = 0; i < 20; ++i) {
      auto response = co_await client->fetch(FetchRequest(Method::get, base + "/echo"));
      if (response && response->body == "GET /echo ") ++good;
      auto stream = co_await client->open(FetchRequest(Method::get, base + "/events"));
      if (!stream) continue;
      if (i % 2 == 0) continue;  // dropped with its body unread
      auto piece = co_await (*stream)->read(Duration(10'000));
      if (piece && !piece->empty()) ++good;
    }
    if (--running == 0) {
      client.reset();
      co_await server->drain(Duration(0));
      server.reset();
    }
  };
  for (int i = 0; i < 20; ++i) spawn(new_strand(context.get_executor()), work());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { context.run(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20 * 30);
}

}  // namespace
}  // namespace interline::net::http
