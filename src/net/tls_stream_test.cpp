#include "net/tls_stream.hpp"

#include <optional>
#include <utility>

#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include "net/errors.hpp"
#include "net/pipe_stream.hpp"
#include "net/test_support.hpp"

namespace interline::net {
namespace {

using testing::read_to_end;
using testing::run;
using testing::spawn;

struct Outcome {
  std::string server;  // what the server read, or "error: ..." from its handshake
  std::string client;
  ConnectFault fault = ConnectFault::other;
  Peer server_sees;
  Peer client_sees;
};

class Tls : public ::testing::Test {
 protected:
  Tls() {
    server_.certificate_file = files_.server_certificate;
    server_.key_file = files_.server_key;
    client_.ca_file = files_.authority;
  }

  // A client says "ping" and ends, the server answers "pong" and ends.
  Outcome converse(const std::string& host = "localhost", const PipeOptions& options = {}) {
    asio::io_context context{1};
    auto [near, far] = make_pipe(context.get_executor(), options);
    Outcome outcome;
    auto server_side = TlsContext::server(server_);
    auto client_side = TlsContext::client(client_);
    EXPECT_TRUE(server_side) << server_side.error().message;
    EXPECT_TRUE(client_side) << client_side.error().message;
    auto work = both(std::move(near), std::move(far), *server_side, *client_side, host, outcome);
    run(context, std::move(work));
    return outcome;
  }

  testing::TestCertificates files_;
  TlsServerOptions server_;
  TlsClientOptions client_;

 private:
  static awaitable<void> serve(std::unique_ptr<Stream> far, std::shared_ptr<const TlsContext> tls,
                               Outcome& outcome, bool& done) {
    auto stream = co_await tls_accept(std::move(far), std::move(tls));
    if (stream) {
      outcome.server_sees = (*stream)->peer();
      outcome.server = co_await read_to_end(**stream);
      auto sent = co_await (*stream)->write_all("pong");
      if (sent) co_await (*stream)->shutdown_write();
    } else {
      outcome.server = "error: " + stream.error().message;
    }
    done = true;
  }

  static awaitable<void> both(std::unique_ptr<Stream> near, std::unique_ptr<Stream> far,
                              std::shared_ptr<const TlsContext> server_side,
                              std::shared_ptr<const TlsContext> client_side, std::string host,
                              Outcome& outcome) {
    bool done = false;
    const Executor executor = near->executor();
    spawn(executor, serve(std::move(far), std::move(server_side), outcome, done));
    {
      auto stream =
          co_await tls_connect(std::move(near), std::move(client_side), host, &outcome.fault);
      if (stream) {
        outcome.client_sees = (*stream)->peer();
        auto sent = co_await (*stream)->write_all("ping");
        if (sent) co_await (*stream)->shutdown_write();
        outcome.client = co_await read_to_end(**stream);
      } else {
        outcome.client = "error: " + stream.error().message;
      }
    }
    while (!done) co_await asio::post(executor, asio::use_awaitable);
  }
};

TEST_F(Tls, TheServerIsVerifiedByNameAndByAddress) {
  for (const char* host : {"localhost", "localhost.", "127.0.0.1"}) {
    const Outcome outcome = converse(host);
    EXPECT_EQ(outcome.server, "ping");
    EXPECT_EQ(outcome.client, "pong");
    EXPECT_EQ(outcome.client_sees.certificate_subject, "CN=localhost");
    EXPECT_FALSE(outcome.server_sees.certificate_subject);
  }
}

TEST_F(Tls, AnotherHostsCertificateIsRefused) {
  EXPECT_EQ(converse("example.org").client, "error: TLS handshake: hostname mismatch");
  EXPECT_EQ(converse("127.0.0.2").client, "error: TLS handshake: IP address mismatch");
  EXPECT_EQ(converse("example.org").fault, ConnectFault::other_host);
  EXPECT_EQ(converse("127.0.0.2").fault, ConnectFault::other_host);
}

TEST_F(Tls, AnUnknownAuthorityIsRefused) {
  const testing::TestCertificates others;
  client_.ca_file = others.authority;
  const Outcome outcome = converse();
  EXPECT_TRUE(outcome.client.starts_with("error: TLS handshake: ")) << outcome.client;
  EXPECT_TRUE(outcome.server.starts_with("error: ")) << "the alert arrived: " << outcome.server;
  EXPECT_EQ(outcome.fault, ConnectFault::untrusted);
}

TEST_F(Tls, AClientCertificateIsAskedForAndNamed) {
  server_.client_ca_file = files_.authority;
  client_.certificate_file = files_.client_certificate;
  client_.key_file = files_.client_key;
  EXPECT_EQ(converse().server_sees.certificate_subject, "CN=client-7");
}

TEST_F(Tls, AMissingClientCertificateEndsTheHandshake) {
  server_.client_ca_file = files_.authority;
  EXPECT_EQ(converse().server, "error: TLS handshake: peer did not return a certificate");
}

TEST_F(Tls, FilesThatCannotBeLoadedAreNamed) {
  server_.certificate_file = "/nonexistent.pem";
  const auto missing = TlsContext::server(server_);
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().message.starts_with("cannot load the TLS certificate /nonexistent"));
  server_.certificate_file = files_.client_certificate;
  const auto mismatch = TlsContext::server(server_);
  ASSERT_FALSE(mismatch);
  client_.ca_file = files_.server_key;
  EXPECT_FALSE(TlsContext::client(client_));
}

TEST_F(Tls, OneByteAtATimeIsTheSameConversation) {
  PipeOptions options;
  options.chunk = 1;
  options.capacity = 4096;  // room for the session tickets that a server sends unasked
  const Outcome outcome = converse("localhost", options);
  EXPECT_EQ(outcome.server, "ping");
  EXPECT_EQ(outcome.client, "pong");
}

// The connection breaks after n bytes, for every n: each side ends with an error or with what it
// was told; nothing hangs, nothing is made up.
TEST_F(Tls, BreakingAtAnyByteEndsBothSides) {
  int complete = 0;
  for (std::size_t bytes = 0; bytes < 2500; bytes += 7) {
    PipeOptions options;
    options.breaks_after = bytes;
    const Outcome outcome = converse("localhost", options);
    const bool server_fine = outcome.server == "ping" || outcome.server.empty();
    const bool client_fine = outcome.client == "pong" || outcome.client.empty();
    EXPECT_TRUE(server_fine || outcome.server.starts_with("error: ")) << outcome.server;
    EXPECT_TRUE(client_fine || outcome.client.starts_with("error: ")) << outcome.client;
    if (outcome.client == "pong") ++complete;
  }
  EXPECT_GT(complete, 0) << "2500 bytes are enough for a whole conversation";
}

awaitable<void> answer_with_plain_text(std::unique_ptr<Stream> stream) {
  co_await stream->write_all("HTTP/1.1 400 Bad Request\r\n\r\n");
  co_await read_to_end(*stream);
}

TEST_F(Tls, AServerThatSpeaksPlainTextIsAnErrorNotAHang) {
  asio::io_context context{1};
  auto [near, far] = make_pipe(context.get_executor());
  spawn(context.get_executor(), answer_with_plain_text(std::move(far)));
  auto client = TlsContext::client(client_).value();
  const auto stream = run(context, tls_connect(std::move(near), client, "localhost"));
  EXPECT_EQ(stream.error().message, "TLS handshake: wrong version number");
}

TEST_F(Tls, TheInnerDeadlineCoversTheHandshake) {
  asio::io_context context{1};
  auto [near, far] = make_pipe(context.get_executor());
  near->expires_after(Duration(1));
  auto server = TlsContext::server(server_).value();
  const auto stream = run(context, tls_accept(std::move(near), server));
  EXPECT_TRUE(is_timeout(stream.error()));
}

}  // namespace
}  // namespace interline::net
