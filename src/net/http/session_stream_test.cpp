// Streamed responses, peers that vanish while a handler waits, and time running out.
#include <functional>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "net/errors.hpp"
#include "net/event.hpp"
#include "net/http/session_fixture.hpp"

namespace interline::net::http {
namespace {

using net::testing::read_at_least;
using net::testing::read_to_end;
using testing::SessionTest;
using testing::without_dates;

awaitable<void> send_pieces(Request&, Responder& responder) {
  Response head(200);
  head.fields.add("Content-Type", "text/event-stream");
  auto begun = co_await responder.begin(std::move(head));
  EXPECT_TRUE(begun);
  for (const char* piece : {"data: 1\n\n", "", "data: 2\n\n"}) {
    auto written = co_await responder.write(piece);
    EXPECT_TRUE(written);
  }
  auto ended = co_await responder.end();
  EXPECT_TRUE(ended);
  auto late = co_await responder.write("late");
  EXPECT_FALSE(late);
}

class HttpStreaming : public SessionTest {
 protected:
  HttpStreaming() {
    router_->add(Method::get, "/events", send_pieces);
    add_echo(Method::get, "/echo/{name}");
  }
};

constexpr std::string_view kEcho = "GET /echo/a HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kEchoed =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 19\r\n\r\nGET /echo/a name=a\n";

TEST_F(HttpStreaming, PiecesAreChunksAndTheConnectionGoesOn) {
  EXPECT_EQ(
      exchange("GET /events HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kEcho)),
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n" +
          std::string(kEchoed));
}

TEST_F(HttpStreaming, Http10GetsABodyThatEndsWithTheConnection) {
  EXPECT_EQ(exchange("GET /events HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            "data: 1\n\ndata: 2\n\n");
}

TEST_F(HttpStreaming, HeadGetsTheHeadOnly) {
  EXPECT_EQ(
      exchange("HEAD /events HTTP/1.1\r\nHost: h\r\n\r\n"),
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST_F(HttpStreaming, ABodyThatIsNotEndedIsSeenAsCut) {
  router_->add(Method::get, "/cut", [](Request&, Responder& responder) -> awaitable<void> {
    Response head(200);
    co_await responder.begin(std::move(head));
    co_await responder.write("half");
  });
  EXPECT_EQ(exchange("GET /cut HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kEcho)),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  EXPECT_EQ(notes_, std::vector<std::string>{"200 /cut the body was not ended"});
}

TEST_F(HttpStreaming, LargePiecesArriveWhole) {
  const std::string piece(300'000, 'x');
  router_->add(Method::get, "/large", [&](Request&, Responder& responder) -> awaitable<void> {
    Response head(200);
    co_await responder.begin(std::move(head));
    co_await responder.write(piece);
    co_await responder.end();
  });
  EXPECT_EQ(
      exchange("GET /large HTTP/1.1\r\nHost: h\r\n\r\n"),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n" + piece + "\r\n0\r\n\r\n");
}

awaitable<void> yield_to_others() {
  const Executor executor = co_await asio::this_coro::executor;
  for (int i = 0; i < 100; ++i) co_await asio::post(executor, asio::use_awaitable);
}

TEST_F(HttpStreaming, ASlowReaderSlowsItsWriter) {
  std::size_t written = 0;
  router_->add(Method::get, "/flood", [&](Request&, Responder& responder) -> awaitable<void> {
    const std::string piece(1000, 'x');
    Response head(200);
    co_await responder.begin(std::move(head));
    for (int i = 0; i < 1000; ++i) {
      auto sent = co_await responder.write(piece);
      if (!sent) co_return;
      written += piece.size();
    }
    co_await responder.end();
  });
  PipeOptions pipe;
  pipe.capacity = 10'000;
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    auto sent =
        co_await stream->write_all("GET /flood HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(sent);
    co_await yield_to_others();
    EXPECT_LE(written, 10'000U) << "no more than the transport holds";
    EXPECT_GT(written, 0U);
    const std::string all = co_await read_to_end(*stream);
    EXPECT_GT(all.size(), 1'000'000U);
    EXPECT_EQ(written, 1'000'000U);
  };
  net::testing::run(context_, talk(connect(pipe)));
}

TEST_F(HttpStreaming, AReaderThatStopsIsCutOffAfterTheWriteTimeout) {
  options_.write_timeout = Duration(20);
  Result<void> outcome;
  Event finished(context_.get_executor());
  bool told = false;
  router_->add(Method::get, "/flood", [&](Request&, Responder& responder) -> awaitable<void> {
    responder.on_disconnect([&] { told = true; });
    const std::string piece(1000, 'x');
    Response head(200);
    co_await responder.begin(std::move(head));
    while (outcome) outcome = co_await responder.write(piece);
    EXPECT_TRUE(responder.disconnected());
    finished.notify_all();
  });
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    auto sent = co_await stream->write_all("GET /flood HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(sent);
    while (outcome) co_await finished.wait();
    EXPECT_TRUE(is_timeout(outcome.error()));
    EXPECT_TRUE(told);
    EXPECT_EQ(session_context_->stats.timeouts, 1U);
  };
  net::testing::run(context_, talk(connect()));
}

// A handler that waits until its peer is gone.
class HttpDisconnect : public SessionTest {
 protected:
  HttpDisconnect() {
    add_echo(Method::get, "/echo/{name}");
    router_->add(Method::get, "/wait", [this](Request&, Responder& responder) -> awaitable<void> {
      bool gone = false;
      responder.on_disconnect([&] {
        gone = true;
        changed_.notify_all();
      });
      ++waiting_;
      changed_.notify_all();
      while (!gone && !released_) co_await changed_.wait();
      if (gone) ++noticed_;
      Response response(200, "text/plain", "done");
      co_await responder.send(std::move(response));
      changed_.notify_all();
    });
  }

  Event changed_{context_.get_executor()};
  int waiting_ = 0;
  int noticed_ = 0;
  bool released_ = false;
};

constexpr std::string_view kWait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kDone =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\ndone";

TEST_F(HttpDisconnect, IsNoticedWhileTheHandlerWaits) {
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    auto sent = co_await stream->write_all(kWait);
    EXPECT_TRUE(sent);
    while (waiting_ == 0) co_await changed_.wait();
    EXPECT_EQ(noticed_, 0);
    stream->close();
    while (noticed_ == 0) co_await changed_.wait();
  };
  net::testing::run(context_, talk(connect()));
}

TEST_F(HttpDisconnect, NoAnswerToWhoLeftIsNoFaultOfTheServer) {
  router_->add(Method::get, "/leaves", [this](Request&, Responder& responder) -> awaitable<void> {
    responder.on_disconnect([this] {
      ++noticed_;
      changed_.notify_all();
    });
    ++waiting_;
    changed_.notify_all();
    while (noticed_ == 0) co_await changed_.wait();
  });
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    auto sent = co_await stream->write_all("GET /leaves HTTP/1.1\r\nHost: h\r\n\r\n");
    while (waiting_ == 0) co_await changed_.wait();
    stream->close();
    while (notes_.empty()) co_await yield_to_others();
  };
  net::testing::run(context_, talk(connect()));
  EXPECT_EQ(notes_, std::vector<std::string>{"499 /leaves the client left before its answer"});
}

TEST_F(HttpDisconnect, IsNoticedBehindAPipelinedRequest) {
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    auto sent = co_await stream->write_all(kWait);
    while (waiting_ == 0) co_await changed_.wait();
    sent = co_await stream->write_all(kEcho);
    co_await yield_to_others();
    EXPECT_EQ(noticed_, 0);
    stream->close();
    while (noticed_ == 0) co_await changed_.wait();
  };
  net::testing::run(context_, talk(connect()));
}

TEST_F(HttpDisconnect, WhoStaysGetsTheAnswerAndThenTheNext) {
  const auto talk = [&](std::unique_ptr<Stream> stream) -> awaitable<void> {
    std::string all;
    for (int i = 1; i <= 3; ++i) {
      released_ = false;
      auto sent = co_await stream->write_all(kWait);
      while (waiting_ < i) co_await changed_.wait();
      sent = co_await stream->write_all(kEcho);  // while the watcher reads
      co_await yield_to_others();
      released_ = true;
      changed_.notify_all();
      sent = co_await stream->write_all(kEcho);
      const std::string expected = std::string(kDone) + std::string(kEchoed) + std::string(kEchoed);
      constexpr std::size_t kDates = 3 * 37;  // "Date: " and 29 bytes and CRLF
      const std::string answers = co_await read_at_least(*stream, expected.size() + kDates);
      EXPECT_EQ(without_dates(answers), expected);
    }
    EXPECT_EQ(noticed_, 0);
  };
  net::testing::run(context_, talk(connect()));
}

TEST_F(HttpDisconnect, APeerThatOnlyEndedItsSideStillGetsAnAnswer) {
  EXPECT_EQ(exchange(kWait), kDone);
  EXPECT_EQ(noticed_, 1);
}

TEST_F(HttpDisconnect, ADrainLetsItFinishAndSaysClose) {
  const auto talk = [&](std::unique_ptr<Stream> stream,
                        std::shared_ptr<Session> session) -> awaitable<void> {
    auto sent = co_await stream->write_all(kWait);
    while (waiting_ == 0) co_await changed_.wait();
    session->drain();
    released_ = true;
    changed_.notify_all();
    const std::string answer = co_await read_to_end(*stream);
    EXPECT_EQ(without_dates(answer),
              "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n"
              "Connection: close\r\n\r\ndone");
  };
  auto [client, server] = make_pipe(context_.get_executor());
  auto shared = std::make_shared<SessionContext>();
  shared->router = router_;
  auto session = std::make_shared<Session>(std::move(server), shared);
  net::testing::spawn(context_.get_executor(), session->run(nullptr));
  net::testing::run(context_, talk(std::move(client), session));
}

class HttpTimeouts : public SessionTest {
 protected:
  HttpTimeouts() {
    add_echo(Method::post, "/echo");
    options_.header_timeout = Duration(20);
    options_.body_timeout = Duration(20);
    options_.idle_timeout = Duration(20);
  }

  // What comes back when the client sends this and then neither sends nor ends.
  std::string after_silence(std::string bytes) {
    const auto talk = [](std::unique_ptr<Stream> stream,
                         std::string sent) -> awaitable<std::string> {
      auto written = co_await stream->write_all(sent);
      EXPECT_TRUE(written);
      const std::string answer = co_await read_to_end(*stream);
      co_return without_dates(answer);
    };
    return net::testing::run(context_, talk(connect(), std::move(bytes)));
  }
};

constexpr std::string_view kTimeout =
    "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
    "20\r\n"
    "Connection: close\r\n\r\n408 Request Timeout\n";

TEST_F(HttpTimeouts, AHeadThatDoesNotEndIs408) {
  EXPECT_EQ(after_silence("GET / HTTP/1.1\r\nHost:"), kTimeout);
  EXPECT_EQ(session_context_->stats.timeouts, 1U);
}

TEST_F(HttpTimeouts, ABodyThatDoesNotEndIs408) {
  EXPECT_EQ(after_silence("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhi"),
            kTimeout);
  EXPECT_EQ(
      after_silence("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi"),
      kTimeout);
}

TEST_F(HttpTimeouts, AnIdleConnectionIsClosedWithoutAWord) {
  EXPECT_EQ(after_silence(""), "");
  EXPECT_EQ(after_silence("\r\n"), "");
  EXPECT_EQ(
      after_silence("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"),
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 16\r\n\r\nPOST /echo [hi]\n");
}

awaitable<void> drip(Stream& stream, std::string bytes) {
  for (const char& byte : bytes) {
    auto sent = co_await stream.write_all(std::string_view(&byte, 1));
    if (!sent) co_return;
    co_await yield_to_others();
  }
}

// A byte now and then does not buy more time: the timeout is for the whole head.
TEST_F(HttpTimeouts, ASlowLorisIsCutOffHoweverSteadyItIs) {
  const auto talk = [](std::unique_ptr<Stream> stream) -> awaitable<std::string> {
    auto sent = co_await stream->write_all("GET / HTTP/1.1\r\n");
    EXPECT_TRUE(sent);
    net::testing::spawn(stream->executor(), drip(*stream, "X: " + std::string(1'000'000, 'y')));
    const std::string answer = co_await read_to_end(*stream);
    co_return without_dates(answer);
  };
  options_.head.bytes = 10'000'000;
  EXPECT_EQ(net::testing::run(context_, talk(connect())), kTimeout);
}

}  // namespace
}  // namespace interline::net::http
