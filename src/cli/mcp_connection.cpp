#include "cli/mcp_connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "bindings/control/control.hpp"
#include "net/http/head.hpp"

namespace interline::cli {
namespace {

constexpr time_t kAnswerSeconds = 60;
constexpr std::size_t kLargestRefusal = 65'536;

std::string text_of(int error) {
  return std::generic_category().message(error);
}

/// 0: as long as it takes.
void wait_at_most(int descriptor, time_t seconds) {
  const timeval limit{seconds, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

Error broken(int error) {
  const bool late = error == EAGAIN || error == EWOULDBLOCK;
  return {ErrorKind::unavailable,
          "the gateway did not answer: " + (late ? std::string("timeout") : text_of(error))};
}

}  // namespace

McpConnection::~McpConnection() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

McpConnection::McpConnection(McpConnection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      read_ahead_(std::move(other.read_ahead_)) {}

Result<McpConnection> McpConnection::open(const ControlClient& gateway, std::string_view endpoint) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& path = gateway.socket();
  if (path.size() >= sizeof address.sun_path) {
    return fail(ErrorKind::unavailable, "the socket's path is longer than 107 bytes");
  }
  path.copy(address.sun_path, path.size());
  McpConnection connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto* const target = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(connection.descriptor_, target, sizeof address) != 0) {
    const Error why(ErrorKind::unavailable, text_of(errno));
    return std::unexpected(gateway.nobody(why));
  }
  wait_at_most(connection.descriptor_, kAnswerSeconds);
  Result<void> done = connection.ask(endpoint);
  if (done) done = connection.read_answer();
  if (!done) return std::unexpected(std::move(done.error()));
  wait_at_most(connection.descriptor_, 0);
  return connection;
}

Result<void> McpConnection::ask(std::string_view endpoint) {
  std::string request = "GET /v1/mcp";
  if (!endpoint.empty()) request += "?endpoint=" + path_segment(endpoint);
  request += " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ";
  request.append(control::kMcpProtocol).append("\r\n\r\n");
  const ssize_t sent = ::send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL);
  if (sent < 0) return std::unexpected(broken(errno));
  if (static_cast<std::size_t>(sent) != request.size()) return std::unexpected(broken(EAGAIN));
  return {};
}

Result<void> McpConnection::read_more() {
  std::array<char, 4096> buffer{};
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return std::unexpected(broken(errno));
  if (got == 0) return std::unexpected(broken(ECONNRESET));
  read_ahead_.append(buffer.data(), static_cast<std::size_t>(got));
  return {};
}

Result<void> McpConnection::read_answer() {
  const net::http::HeadLimits limits;
  net::http::HeadScanner scanner(limits);
  for (;;) {
    const auto size = scanner.scan(read_ahead_);
    if (!size) return std::unexpected(read_error(0, ""));
    if (!*size) {
      if (Result<void> more = read_more(); !more) return more;
      continue;
    }
    const auto head =
        net::http::parse_response_head(std::string_view(read_ahead_).substr(0, **size), limits);
    read_ahead_.erase(0, **size);
    if (!head) return std::unexpected(read_error(0, ""));
    if (head->status == 101) return {};
    std::size_t body = 0;
    const std::string_view length = head->fields.get("Content-Length").value_or("");
    std::from_chars(length.data(), length.data() + length.size(), body);
    return std::unexpected(refusal(head->status, body));
  }
}

Error McpConnection::refusal(unsigned status, std::size_t body_bytes) {
  while (read_ahead_.size() < std::min(body_bytes, kLargestRefusal)) {
    if (const Result<void> more = read_more(); !more) break;
  }
  return read_error(status, read_ahead_);
}

}  // namespace interline::cli
