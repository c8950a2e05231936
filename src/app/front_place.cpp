#include "app/front_place.hpp"

#include <string>
#include <utility>

#include "base/sha256.hpp"

namespace interline::app {
namespace {

/// "https://gateway.example:8443/x" -> "gateway.example"
std::string host_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find('/'));
  const auto bracket = rest.rfind(']');
  const auto colon = rest.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return std::string(rest.substr(0, has_port ? colon : rest.size()));
}

}  // namespace

web::Options web_options(const Configuration& configuration,
                         protocols::oauth::TokenAuthority* tokens) {
  web::Options made;
  made.tokens = tokens;
  made.public_url = configuration.http.public_url;
  made.allowed_origins = configuration.http.allowed_origins;
  made.allowed_hosts = configuration.mcp.allowed_hosts;
  std::string host = host_of(made.public_url);
  if (!host.empty()) made.allowed_hosts.push_back(std::move(host));
  return made;
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address.starts_with("[::1]") ||
         address.starts_with("localhost:");
}

Secret derived_key(std::string_view purpose, std::string_view key) {
  const Digest digest = sha256(std::string(purpose).append(key));
  return Secret({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace interline::app
