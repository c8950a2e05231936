#include "app/host_guard.hpp"

#include <array>
#include <string>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>

#include "base/ascii.hpp"
#include "net/host_port.hpp"

namespace interline::app {
namespace {

constexpr std::uint16_t kAnyPort = 80;

std::string own_name() {
  std::array<char, 256> name{};
  const bool told = ::gethostname(name.data(), name.size() - 1) == 0;
  return told ? lower_case(name.data()) : std::string();
}

}  // namespace

bool is_own_host(std::string_view host) {
  if (host.empty()) return true;
  const auto parsed = net::parse_host_port(host, kAnyPort);
  if (!parsed) return false;
  const std::string name = lower_case(parsed->host);
  boost::system::error_code no_address;
  boost::asio::ip::make_address(name, no_address);
  return !no_address || name == "localhost" || (!name.empty() && name == own_name());
}

}  // namespace interline::app
