#include "net/tcp_stream.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "net/errors.hpp"
#include "net/test_support.hpp"

namespace interline::net {
namespace {

using testing::run;

const HostPort kAnyPort("127.0.0.1", 0);

TEST(TcpListen, NamesAreRefusedAndStarIsEveryAddress) {
  asio::io_context context;
  const HostPort name("localhost", 0);
  EXPECT_EQ(listen_tcp(context.get_executor(), name).error().kind, ErrorKind::malformed);
  const HostPort all("*", 0);
  const auto listener = listen_tcp(context.get_executor(), all);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_NE((*listener)->port(), 0);
}

TEST(TcpListen, AnAddressInUseIsNamedInTheError) {
  asio::io_context context;
  const auto first = listen_tcp(context.get_executor(), kAnyPort);
  const HostPort same("127.0.0.1", (*first)->port());
  const auto second = listen_tcp(context.get_executor(), same);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "listen on " + to_string(same) + ": Address already in use");
  (*first)->close();
  EXPECT_TRUE(listen_tcp(context.get_executor(), same));
}

awaitable<Result<std::unique_ptr<Stream>>> accept_one(Listener& listener) {
  co_return co_await listener.accept();
}

TEST(TcpListen, CloseEndsAPendingAccept) {
  asio::io_context context;
  const auto listener = listen_tcp(context.get_executor(), kAnyPort);
  asio::post(context, [&] { (*listener)->close(); });
  const auto accepted = run(context, accept_one(**listener));
  EXPECT_EQ(accepted.error().kind, ErrorKind::unavailable);
}

TEST(TcpConnect, RefusedIsUnavailableAndNotATimeout) {
  asio::io_context context;
  std::uint16_t port = 0;
  {
    const auto listener = listen_tcp(context.get_executor(), kAnyPort);
    port = (*listener)->port();
  }
  const HostPort nobody("127.0.0.1", port);
  const auto stream = run(context, connect_tcp(nobody, ConnectOptions{}));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().message, "connect: Connection refused");
  EXPECT_FALSE(is_timeout(stream.error()));
}

TEST(TcpConnect, ANameIsResolvedAndTheSecondAddressServesWhenTheFirstDoesNot) {
  asio::io_context context;
  const auto listener = listen_tcp(context.get_executor(), kAnyPort);  // IPv4 only
  const HostPort name("localhost", (*listener)->port());
  const auto stream = run(context, connect_tcp(name, ConnectOptions{}));
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ((*stream)->peer().address, asio::ip::make_address("127.0.0.1"));
}

TEST(TcpConnect, TheGuardSeesTheAddressAndItsRefusalIsTheAnswer) {
  asio::io_context context;
  const auto listener = listen_tcp(context.get_executor(), kAnyPort);
  const HostPort name("localhost", (*listener)->port());
  std::vector<std::string> seen;
  ConnectOptions options;
  options.guard = [&](std::string_view host, const asio::ip::address& address) -> Result<void> {
    EXPECT_EQ(host, "localhost");
    seen.push_back(address.to_string());
    return fail(ErrorKind::forbidden, "private addresses are not allowed");
  };
  const auto stream = run(context, connect_tcp(name, options));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().kind, ErrorKind::forbidden);
  EXPECT_FALSE(seen.empty());
}

TEST(TcpConnect, TheGuardSeesAMappedAddressAsTheIpv4AddressItIs) {
  asio::io_context context;
  const HostPort mapped("::ffff:127.0.0.1", 1);
  ConnectOptions options;
  std::string seen;
  options.guard = [&](std::string_view, const asio::ip::address& address) -> Result<void> {
    seen = address.to_string();
    return fail(ErrorKind::forbidden, "no");
  };
  EXPECT_FALSE(run(context, connect_tcp(mapped, options)));
  EXPECT_EQ(seen, "127.0.0.1");
}

TEST(TcpConnect, AHostThatDoesNotAnswerExpires) {
  // A listener whose backlog is full drops further handshakes: the connect hangs, without a
  // network.
  asio::io_context context;
  ListenOptions small;
  small.backlog = 0;
  const auto listener = listen_tcp(context.get_executor(), kAnyPort, small);
  const HostPort target("127.0.0.1", (*listener)->port());
  ConnectOptions options;
  options.connect_timeout = Duration(50);
  std::vector<std::unique_ptr<Stream>> waiting;
  Result<std::unique_ptr<Stream>> stream;
  for (int i = 0; i < 8; ++i) {
    stream = run(context, connect_tcp(target, options));
    if (!stream) break;
    waiting.push_back(std::move(*stream));
  }
  ASSERT_FALSE(stream);
  EXPECT_TRUE(is_timeout(stream.error())) << stream.error().message;
}

// Every descriptor this process has for a TCP connection to the port.
std::vector<int> sockets_to(std::uint16_t port) {
  std::vector<int> found;
  for (int fd = 3; fd < 256; ++fd) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) found.push_back(fd);
  }
  return found;
}

TEST(TcpOptions, KeepaliveUserTimeoutAndCloseOnExecAreSet) {
  asio::io_context context;
  const auto listener = listen_tcp(context.get_executor(), kAnyPort);
  const HostPort target("127.0.0.1", (*listener)->port());
  ConnectOptions options;
  options.tcp.user_timeout = Duration(1234);
  const auto stream = run(context, connect_tcp(target, options));
  const std::vector<int> sockets = sockets_to(target.port);
  ASSERT_EQ(sockets.size(), 1U);
  const auto option = [&](int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    ::getsockopt(sockets[0], level, name, &value, &size);
    return value;
  };
  EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(option(IPPROTO_TCP, TCP_KEEPIDLE), 60);
  EXPECT_EQ(option(IPPROTO_TCP, TCP_KEEPINTVL), 15);
  EXPECT_EQ(option(IPPROTO_TCP, TCP_KEEPCNT), 4);
  EXPECT_EQ(option(IPPROTO_TCP, TCP_USER_TIMEOUT), 1234);
  EXPECT_EQ(option(IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_TRUE(::fcntl(sockets[0], F_GETFD) & FD_CLOEXEC);
}

awaitable<std::string> peer_of_accepted(Listener& listener, HostPort target) {
  const ConnectOptions options;
  auto client = co_await connect_tcp(target, options);
  EXPECT_TRUE(client);
  auto server = co_await listener.accept();
  EXPECT_TRUE(server);
  co_return (*server)->peer().description;
}

TEST(TcpPeer, Ipv4OnADualStackListenerIsDescribedAsIpv4) {
  asio::io_context context;
  const HostPort all("*", 0);
  const auto listener = listen_tcp(context.get_executor(), all);
  const HostPort target("127.0.0.1", (*listener)->port());
  EXPECT_TRUE(run(context, peer_of_accepted(**listener, target)).starts_with("127.0.0.1:"));
}

}  // namespace
}  // namespace interline::net
