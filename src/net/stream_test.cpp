// What holds for every Stream, over every transport: one suite, run against each pair of ends.
#include "net/stream.hpp"

#include <array>
#include <functional>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <gtest/gtest.h>

#include "net/errors.hpp"
#include "net/pipe_stream.hpp"
#include "net/tcp_stream.hpp"
#include "net/test_support.hpp"
#include "net/tls_stream.hpp"
#include "net/unix_stream.hpp"

namespace interline::net {
namespace {

using testing::read_at_least;
using testing::read_to_end;
using testing::run;
using testing::spawn;

using Ends = std::pair<std::unique_ptr<Stream>, std::unique_ptr<Stream>>;  // client, server

// Listeners hand out strands; here one thread runs everything, so any executor is as good.
awaitable<void> accept_into(Listener& listener, std::unique_ptr<Stream>& slot) {
  auto accepted = co_await listener.accept();
  EXPECT_TRUE(accepted);
  if (accepted) slot = std::move(*accepted);
}

awaitable<Ends> over_memory() {
  const Executor executor = co_await asio::this_coro::executor;
  co_return make_pipe(executor);
}

awaitable<Ends> over_tcp() {
  const Executor executor = co_await asio::this_coro::executor;
  const HostPort any("127.0.0.1", 0);
  auto listener = listen_tcp(executor, any);
  Ends ends;
  spawn(executor, accept_into(**listener, ends.second));
  const HostPort target("127.0.0.1", (*listener)->port());
  const ConnectOptions options;
  auto client = co_await connect_tcp(target, options);
  ends.first = std::move(*client);
  while (!ends.second) co_await asio::post(executor, asio::use_awaitable);
  co_return ends;
}

awaitable<Ends> over_unix() {
  const Executor executor = co_await asio::this_coro::executor;
  const testing::TemporaryFolder folder;
  auto listener = listen_unix(executor, folder.file("socket"));
  Ends ends;
  spawn(executor, accept_into(**listener, ends.second));
  auto client = co_await connect_unix(folder.file("socket"), Duration(10'000));
  ends.first = std::move(*client);
  while (!ends.second) co_await asio::post(executor, asio::use_awaitable);
  co_return ends;
}

awaitable<void> accept_tls(std::unique_ptr<Stream> inner, std::shared_ptr<const TlsContext> context,
                           std::unique_ptr<Stream>& slot) {
  auto accepted = co_await tls_accept(std::move(inner), std::move(context));
  EXPECT_TRUE(accepted) << accepted.error().message;
  if (accepted) slot = std::move(*accepted);
}

awaitable<Ends> secure(Ends plain) {
  const Executor executor = co_await asio::this_coro::executor;
  const testing::TestCertificates files;
  TlsServerOptions server;
  server.certificate_file = files.server_certificate;
  server.key_file = files.server_key;
  TlsClientOptions client;
  client.ca_file = files.authority;
  const auto server_context = TlsContext::server(server).value();
  const auto client_context = TlsContext::client(client).value();
  Ends ends;
  spawn(executor, accept_tls(std::move(plain.second), server_context, ends.second));
  auto connected = co_await tls_connect(std::move(plain.first), client_context, "localhost");
  EXPECT_TRUE(connected) << connected.error().message;
  ends.first = std::move(*connected);
  while (!ends.second) co_await asio::post(executor, asio::use_awaitable);
  co_return ends;
}

awaitable<Ends> over_tls_over_memory() {
  auto plain = co_await over_memory();
  co_return co_await secure(std::move(plain));
}

awaitable<Ends> over_tls_over_tcp() {
  auto plain = co_await over_tcp();
  co_return co_await secure(std::move(plain));
}

struct Transport {
  const char* name;
  awaitable<Ends> (*connect)();
};

class EveryStream : public ::testing::TestWithParam<Transport> {
 protected:
  // The test is a coroutine that gets both ends.
  void with_ends(const std::function<awaitable<void>(Stream&, Stream&)>& body) {
    run(context_, connected(body));
  }

  asio::io_context context_{1};

 private:
  awaitable<void> connected(const std::function<awaitable<void>(Stream&, Stream&)>& body) {
    Ends ends = co_await GetParam().connect();
    co_await body(*ends.first, *ends.second);
  }
};

INSTANTIATE_TEST_SUITE_P(Net, EveryStream,
                         ::testing::Values(Transport{"Memory", over_memory},
                                           Transport{"Tcp", over_tcp}, Transport{"Unix", over_unix},
                                           Transport{"TlsOverMemory", over_tls_over_memory},
                                           Transport{"TlsOverTcp", over_tls_over_tcp}),
                         [](const auto& row) { return std::string(row.param.name); });

awaitable<void> write_and_end(Stream& stream, std::string bytes) {
  auto written = co_await stream.write_all(bytes);
  EXPECT_TRUE(written);
  auto ended = co_await stream.shutdown_write();
  EXPECT_TRUE(ended);
}

TEST_P(EveryStream, PiecesArriveInOrderAsOneSequence) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    const std::vector<std::string_view> pieces{"one ", "", "two ", std::string_view("\0x", 2), ""};
    const std::span<const std::string_view> all(pieces);
    auto written = co_await client.write_all(all);
    EXPECT_TRUE(written);
    auto ended = co_await client.shutdown_write();
    EXPECT_TRUE(ended);
    EXPECT_EQ(co_await read_to_end(server), std::string("one two \0x", 10));
  });
}

TEST_P(EveryStream, NothingToWriteIsNoError) {
  with_ends([](Stream& client, Stream&) -> awaitable<void> {
    const std::span<const std::string_view> none;
    auto written = co_await client.write_all(none);
    EXPECT_TRUE(written);
  });
}

TEST_P(EveryStream, MegabytesCrossInBothDirectionsAtOnce) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    std::string up(3'000'000, 'u');
    std::string down(3'000'000, 'd');
    up[2'999'999] = 'U';
    down[1'234'567] = 'D';
    spawn(client.executor(), write_and_end(client, up));
    spawn(server.executor(), write_and_end(server, down));
    const std::string got_up = co_await read_to_end(server);
    const std::string got_down = co_await read_to_end(client);
    EXPECT_TRUE(got_up == up);
    EXPECT_TRUE(got_down == down);
  });
}

TEST_P(EveryStream, ReadingGoesOnAfterOurOwnEnd) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    auto ended = co_await client.shutdown_write();
    EXPECT_TRUE(ended);
    EXPECT_EQ(co_await read_to_end(server), "");
    auto written = co_await server.write_all("late answer");
    EXPECT_TRUE(written);
    EXPECT_EQ(co_await read_at_least(client, 11), "late answer");
  });
}

TEST_P(EveryStream, ReadPastTheDeadlineExpiresAndLosesNothing) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    std::array<char, 16> buffer;
    const std::span<char> target(buffer);
    server.expires_after(Duration(1));
    auto first = co_await server.read_some(target);
    EXPECT_FALSE(first);
    EXPECT_TRUE(is_timeout(first.error()));
    auto second = co_await server.read_some(target);
    EXPECT_FALSE(second) << "expired until it is set anew";
    server.expires_after(Duration(60'000));
    auto answered = co_await server.write_all("too slow");
    EXPECT_TRUE(answered);
    EXPECT_EQ(co_await read_at_least(client, 8), "too slow");
    auto sent = co_await client.write_all("hello");
    EXPECT_TRUE(sent);
    EXPECT_EQ(co_await read_at_least(server, 5), "hello");
  });
}

TEST_P(EveryStream, WritePastTheDeadlineExpiresWhenThePeerDoesNotRead) {
  with_ends([](Stream& client, Stream&) -> awaitable<void> {
    const std::string much(std::size_t{32} * 1024 * 1024, 'x');
    client.expires_after(Duration(20));
    auto written = co_await client.write_all(much);
    EXPECT_FALSE(written);
    EXPECT_TRUE(is_timeout(written.error()));
  });
}

awaitable<void> close_when_waiting(Stream& stream) {
  co_await asio::post(stream.executor(), asio::use_awaitable);
  stream.close();
}

TEST_P(EveryStream, CloseEndsAPendingRead) {
  with_ends([](Stream&, Stream& server) -> awaitable<void> {
    std::array<char, 16> buffer;
    const std::span<char> target(buffer);
    spawn(server.executor(), close_when_waiting(server));
    auto got = co_await server.read_some(target);
    EXPECT_FALSE(got);
    EXPECT_FALSE(is_timeout(got.error()));
    server.close();
    auto again = co_await server.read_some(target);
    EXPECT_FALSE(again);
    auto written = co_await server.write_all("x");
    EXPECT_FALSE(written);
  });
}

TEST_P(EveryStream, WritingToAPeerThatIsGoneIsAnErrorAndNoSignal) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    server.close();
    Result<void> written;
    const std::string block(65'536, 'x');
    while (written) written = co_await client.write_all(block);
    EXPECT_EQ(written.error().kind, ErrorKind::unavailable);
  });
}

TEST_P(EveryStream, QuietUntilThePeerSpeaksOrLeaves) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    auto greeted = co_await client.write_all("hi");
    EXPECT_TRUE(greeted);
    EXPECT_EQ(co_await read_at_least(server, 2), "hi");
    EXPECT_TRUE(server.quiet());
    auto written = co_await client.write_all("unasked");
    EXPECT_TRUE(written);
    EXPECT_FALSE(server.quiet());
    EXPECT_EQ(co_await read_at_least(server, 7), "unasked");
    EXPECT_TRUE(server.quiet());
    client.close();
    EXPECT_FALSE(server.quiet());
  });
}

TEST_P(EveryStream, ThePeerIsDescribed) {
  with_ends([](Stream& client, Stream& server) -> awaitable<void> {
    EXPECT_FALSE(server.peer().description.empty());
    EXPECT_EQ(server.peer().encrypted, std::string_view(GetParam().name).starts_with("Tls"));
    EXPECT_FALSE(client.peer().description.empty());
    co_return;
  });
}

}  // namespace
}  // namespace interline::net
