#include "bindings/xmpp/connector.hpp"

#include <memory>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/xmpp/tables.hpp"
#include "net/host_port.hpp"
#include "net/tcp_stream.hpp"
#include "net/test_support.hpp"
#include "net/tls_stream.hpp"
#include "net/unix_stream.hpp"

namespace interline::xmpp {
namespace {

using net::awaitable;
using ::testing::HasSubstr;

// Checklist 14.
TEST(Checklist14_Confidentiality, PlainTextOnlyToThisMachine) {
  for (const char* loopback : {"127.0.0.1:5347", "127.8.9.10:1", "[::1]:5347", "localhost:5347",
                               "[::ffff:127.0.0.1]:5347", "xmpp.example.test:5347", "unix:/x"}) {
    EXPECT_TRUE(make_connector({.server = loopback, .tls = nullptr})) << loopback;
  }
  for (const char* remote : {"192.0.2.1:5347", "10.0.0.1:5347", "[2001:db8::1]:5347",
                             "0.0.0.0:5347", "[::ffff:192.0.2.1]:5347"}) {
    const auto refused = make_connector({.server = remote, .tls = nullptr});
    ASSERT_FALSE(refused) << remote;
    EXPECT_THAT(refused.error().message, HasSubstr("plain text"));
  }
  for (const char* bad : {"", "127.0.0.1", ":5347", "[::1"}) {
    EXPECT_FALSE(make_connector({.server = bad, .tls = nullptr})) << bad;
  }
}

/// Accepts one connection, over TLS if there is a context, and says "hello".
awaitable<void> greet(net::Listener& listener, std::shared_ptr<const net::TlsContext> tls) {
  auto accepted = co_await listener.accept();
  if (!accepted) co_return;
  std::unique_ptr<net::Stream> stream = *std::move(accepted);
  if (tls) {
    auto secure = co_await net::tls_accept(std::move(stream), std::move(tls));
    if (!secure) co_return;
    stream = *std::move(secure);
  }
  (void)co_await stream->write_all("hello");
  (void)co_await stream->shutdown_write();
}

awaitable<std::string> hear(Connector connector) {
  auto stream = co_await connector();
  if (!stream) co_return "error: " + stream.error().message + "; " + stream.error().remedy;
  const bool encrypted = (*stream)->peer().encrypted;
  std::string text = co_await net::testing::read_to_end(**stream);
  co_return (encrypted ? "encrypted " : "plain ") + text;
}

class ConnectorOverTcp : public ::testing::Test {
 protected:
  std::string hear_from(const std::string& host, std::shared_ptr<const net::TlsContext> server,
                        std::shared_ptr<const net::TlsContext> client) {
    net::asio::io_context context{1};
    auto listener = net::listen_tcp(context.get_executor(), net::HostPort("127.0.0.1", 0)).value();
    net::testing::spawn(context.get_executor(), greet(*listener, std::move(server)));
    const ConnectorConfig config{.server = host + ":" + std::to_string(listener->port()),
                                 .tls = std::move(client)};
    return net::testing::run(context, hear(make_connector(config).value()));
  }

  net::testing::TestCertificates files_;
};

TEST_F(ConnectorOverTcp, PlainOverLoopback) {
  EXPECT_EQ(hear_from("127.0.0.1", nullptr, nullptr), "plain hello");
}

TEST_F(ConnectorOverTcp, TlsVerifiesTheConfiguredHost) {
  const auto server = net::TlsContext::server({.certificate_file = files_.server_certificate,
                                               .key_file = files_.server_key,
                                               .client_ca_file = {}})
                          .value();
  net::TlsClientOptions options;
  options.ca_file = files_.authority;
  const auto client = net::TlsContext::client(options).value();
  EXPECT_EQ(hear_from("localhost", server, client), "encrypted hello");
  EXPECT_EQ(hear_from("127.0.0.1", server, client), "encrypted hello");
  const auto remedy = [](net::ConnectFault fault) {
    return HasSubstr("; " + std::string(connect_remedy(fault)));
  };
  EXPECT_THAT(hear_from("127.0.0.2", server, client), HasSubstr("error: "));
  const auto stranger = net::TlsContext::client({}).value();
  EXPECT_THAT(hear_from("localhost", server, stranger), HasSubstr("error: "));
  EXPECT_THAT(hear_from("localhost", server, stranger), remedy(net::ConnectFault::untrusted));
  EXPECT_THAT(hear_from("localhost", nullptr, client), remedy(net::ConnectFault::no_tls));
}

TEST(Connector, EachWayToFailHasItsRemedy) {
  const auto heard = [](const std::string& server) {
    net::asio::io_context context{1};
    return net::testing::run(context,
                             hear(make_connector({.server = server, .tls = nullptr}).value()));
  };
  EXPECT_THAT(heard("127.0.0.1:1"), HasSubstr(connect_remedy(net::ConnectFault::refused)));
  EXPECT_THAT(heard("no-such-host.invalid:5347"),
              HasSubstr(connect_remedy(net::ConnectFault::name)));
  for (const ConnectAdviceRow& row : kConnectAdvice) {
    EXPECT_EQ(row.remedy.empty(), row.fault == net::ConnectFault::other);
  }
}

TEST_F(ConnectorOverTcp, MutualTlsShowsOurCertificate) {
  const auto server = net::TlsContext::server({.certificate_file = files_.server_certificate,
                                               .key_file = files_.server_key,
                                               .client_ca_file = files_.authority})
                          .value();
  net::TlsClientOptions options;
  options.ca_file = files_.authority;
  options.certificate_file = files_.client_certificate;
  options.key_file = files_.client_key;
  EXPECT_EQ(hear_from("localhost", server, net::TlsContext::client(options).value()),
            "encrypted hello");
}

TEST(Connector, UnixSocket) {
  net::asio::io_context context{1};
  net::testing::TemporaryFolder folder;
  const std::string path = folder.file("component");
  auto listener = net::listen_unix(context.get_executor(), path).value();
  net::testing::spawn(context.get_executor(), greet(*listener, nullptr));
  const auto connector = make_connector({.server = "unix:" + path, .tls = nullptr}).value();
  EXPECT_EQ(net::testing::run(context, hear(connector)), "plain hello");
}

}  // namespace
}  // namespace interline::xmpp
