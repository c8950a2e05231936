#include "net/host_port.hpp"

#include <algorithm>
#include <charconv>

namespace interline::net {
namespace {

constexpr std::size_t kLongestHost = 253;  // RFC 1035 section 2.3.4, as text

// Letters, digits and what names, addresses and scope ids need: no spaces, slashes or user parts.
bool is_host(std::string_view text) {
  if (text == "*") return true;
  return !text.empty() && text.size() <= kLongestHost && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

bool is_address6(std::string_view text) {
  if (text.size() > kLongestHost || text.find(':') == std::string_view::npos) return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == ':' || c == '%';
  });
}

// Digits only, 0 to 65535; 0 asks the system to choose.
bool parse_port(std::string_view text, std::uint16_t& port) {
  if (text.empty() || text.size() > 5 || text.front() == '+' || text.front() == '-') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<HostPort> parse_host_port(std::string_view text, std::uint16_t default_port) {
  std::string_view host = text;
  std::string_view rest;
  bool valid = false;
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) {
      return fail(ErrorKind::malformed, "an IPv6 address needs its closing bracket");
    }
    host = text.substr(1, bracket - 1);
    rest = text.substr(bracket + 1);
    valid = is_address6(host);
  } else {
    const std::size_t colon = text.find(':');
    host = text.substr(0, colon);
    if (colon != std::string_view::npos) rest = text.substr(colon);
    valid = is_host(host);
  }
  if (!valid) return fail(ErrorKind::malformed, "no host name or address (want host:port)");
  std::uint16_t port = default_port;
  if (rest.empty()) {
    if (default_port == 0) return fail(ErrorKind::malformed, "the port is missing");
  } else if (!rest.starts_with(':') || !parse_port(rest.substr(1), port)) {
    return fail(ErrorKind::malformed, "the port is not a number from 0 to 65535");
  }
  return HostPort(std::string(host), port);
}

std::string to_string(const HostPort& address) {
  std::string text;
  const bool brackets = address.host.find(':') != std::string::npos;
  if (brackets) text += '[';
  text += address.host;
  if (brackets) text += ']';
  text += ':';
  text += std::to_string(address.port);
  return text;
}

}  // namespace interline::net
