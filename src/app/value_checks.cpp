#include "app/value_checks.hpp"

#include <algorithm>
#include <string>

#include <boost/asio/ip/address.hpp>

#include "bindings/xmpp/jid.hpp"
#include "catalog/version.hpp"
#include "net/asio.hpp"
#include "net/host_port.hpp"
#include "net/http/proxy.hpp"

namespace interline::app {
namespace {

Result<void> unless(bool right, const char* expected) {
  if (right) return {};
  return fail(ErrorKind::malformed, expected);
}

bool is_address(const std::string& host) {
  boost::system::error_code error;
  boost::asio::ip::make_address(host, error);
  return !error;
}

/// "https://host[:port]", and what stands behind it.
struct WebUrl {
  bool understood = false;
  std::string_view rest;
};
WebUrl read_web_url(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    text.remove_prefix(scheme.size());
    const auto end = std::min(text.find_first_of("/?#"), text.size());
    const auto authority = net::parse_host_port(text.substr(0, end), 443);
    return {authority.has_value(), text.substr(end)};
  }
  return {};
}

}  // namespace

Result<void> check_host_port(std::string_view text) {
  return unless(net::parse_host_port(text).has_value(),
                "host:port, for example \"127.0.0.1:8080\"");
}

Result<void> check_listen(std::string_view text) {
  if (text.empty() || text == "off") return {};
  const auto read = net::parse_host_port(text);
  return unless(read && (read->host == "*" || is_address(read->host)),
                "an address and a port, for example \"127.0.0.1:8080\" or \"*:443\", or \"off\"");
}

Result<void> check_xmpp_server(std::string_view text) {
  if (text.starts_with("unix:/")) return {};
  const auto target = net::parse_host_port(text);
  return unless(target && target->port != 0,
                "the server's component port as host:port, for example \"127.0.0.1:5347\"");
}

bool stays_on_this_machine(std::string_view server) {
  if (server.starts_with("unix:/")) return true;
  const auto target = net::parse_host_port(server);
  if (!target) return true;  // said already
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(target->host, error);
  return error ? target->host == "localhost" : address.is_loopback();
}

Result<void> check_version(std::string_view text) {
  return unless(catalog::is_version(text), "1 to 64 of A-Z a-z 0-9 . _ ~ -");
}

Result<void> check_web_url(std::string_view text) {
  const WebUrl url = read_web_url(text);
  return unless(url.understood && url.rest.find_first_of("?# ") == std::string_view::npos,
                "a URL, for example \"https://gateway.example\"");
}

Result<void> check_origin(std::string_view text) {
  const WebUrl url = read_web_url(text);
  return unless(url.understood && url.rest.empty(),
                "an origin as browsers send it, for example \"https://app.example\"");
}

Result<void> check_network(std::string_view text) {
  return unless(net::http::Network::parse(text).has_value(),
                "an address or a range, for example \"10.0.0.0/8\"");
}

Result<void> check_domain(std::string_view text) {
  const auto jid = xmpp::Jid::parse(text);
  return unless(jid && !jid->has_localpart() && jid->is_bare() && jid->text() == text,
                "a domain in lower case, for example \"agents.example.org\"");
}

Result<void> check_bare_jid(std::string_view text) {
  const auto jid = xmpp::Jid::parse(text);
  return unless(jid && jid->has_localpart() && jid->is_bare() && jid->text() == text,
                "an address without a resource, for example \"admin@example.org\"");
}

Result<void> check_agent_jid(std::string_view text) {
  const auto jid = xmpp::parse_endpoint_jid(text);
  return unless(jid && jid->text() == text,
                "an agent's address in lower case, without a resource, for example "
                "\"weather@agents.example.org\"");
}

Result<void> check_endpoint_name(std::string_view text) {
  return unless(xmpp::is_endpoint_localpart(text),
                "a-z and 0-9, and behind the first character also . _ -, at most 64 of them");
}

Result<void> check_variable_name(std::string_view text) {
  const bool right =
      !text.empty() && text.find_first_of(std::string_view("=\0", 2)) == std::string_view::npos;
  return unless(right, "the name of an environment variable");
}

Result<void> check_not_empty(std::string_view text) {
  return unless(!text.empty(), "a text that is not empty");
}

}  // namespace interline::app
