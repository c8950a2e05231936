#include "http_exchange.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

namespace interline::testing {
namespace {

int connected(int socket, const sockaddr* address, socklen_t size) {
  if (socket >= 0 && ::connect(socket, address, size) == 0) return socket;
  if (socket >= 0) ::close(socket);
  return -1;
}

}  // namespace

int open_socket(const std::string& address) {
  if (address.starts_with("unix:")) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    const std::string path = address.substr(5);
    if (path.size() >= sizeof to.sun_path) return -1;
    std::memcpy(to.sun_path, path.data(), path.size());
    return connected(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                     reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }
  const auto colon = address.rfind(':');
  std::uint16_t port = 0;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
  return connected(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                   reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

bool exchange(const std::string& address, const std::string& request,
              const std::function<bool(const std::string& all)>& more) {
  const int socket = open_socket(address);
  if (socket < 0) return false;
  const timeval stuck_after{120, 0};  // a test that would hang fails instead
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &stuck_after, sizeof stuck_after);
  std::string all;
  std::array<char, 4'096> buffer{};
  const bool sent = ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) ==
                    static_cast<ssize_t>(request.size());
  while (sent) {
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    all.append(buffer.data(), static_cast<std::size_t>(got));
    if (!more(all)) break;
  }
  ::close(socket);
  return true;
}

}  // namespace interline::testing
