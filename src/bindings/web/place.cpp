#include "bindings/web/place.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.hpp"

namespace interline::web {
namespace {

using net::http::Request;
using net::http::Response;

constexpr std::array<std::string_view, 3> kThisMachine = {"localhost", "127.0.0.1", "[::1]"};
/// "127.0.0.1:8080" without its port; "[::1]:8080" as well.
std::string host_name(std::string_view host) {
  const auto bracket = host.rfind(']');
  const auto colon = host.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return lower_case(host.substr(0, has_port ? colon : host.size()));
}

bool is_this_machine(const Access& access, std::string_view host) {
  const std::string name = host_name(host);
  const auto& allowed = access.options.allowed_hosts;
  return std::ranges::find(kThisMachine, name) != kThisMachine.end() ||
         std::ranges::find(allowed, name) != allowed.end();
}

/// "http://localhost:3000" -> "localhost:3000"
std::string_view origin_host(std::string_view origin) {
  const auto scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

}  // namespace

bool origin_allowed(const Access& access, const Request& request) {
  const auto count = request.fields.count("Origin");
  if (count == 0) return true;
  if (count > 1) return false;
  const std::string_view origin = *request.fields.get("Origin");
  const auto& allowed = access.options.allowed_origins;
  if (std::ranges::find(allowed, origin) != allowed.end()) return true;
  const std::string_view host = origin_host(origin);
  return access.options.loopback && !host.empty() && is_this_machine(access, host);
}

bool place_allowed(const Access& access, const Request& request) {
  if (!origin_allowed(access, request)) return false;
  return !access.options.loopback || is_this_machine(access, request.host);
}

void allow_origin(const Access& access, const Request& request, std::string_view exposed,
                  net::http::Fields& fields) {
  const auto origin = request.fields.get("Origin");
  if (!origin || !origin_allowed(access, request)) return;
  fields.set("Access-Control-Allow-Origin", *origin);
  fields.set("Access-Control-Expose-Headers", exposed);
  fields.set("Vary", "Origin");
}

Response preflight(const Access& access, const Request& request, std::string_view methods,
                   std::string_view exposed) {
  Response response(204);
  allow_origin(access, request, exposed, response.fields);
  response.fields.add("Access-Control-Allow-Methods", methods);
  if (const auto wanted = request.fields.get("Access-Control-Request-Headers")) {
    response.fields.add("Access-Control-Allow-Headers", *wanted);
  }
  response.fields.add("Access-Control-Max-Age", "600");
  return response;
}

}  // namespace interline::web
