#include "bindings/mcp/front_guard.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "bindings/mcp/authentication.hpp"
#include "bindings/mcp/media_types.hpp"

namespace interline::mcp {
namespace {

using net::http::Method;
using net::http::Request;
using net::http::Response;

constexpr std::array<std::string_view, 3> kThisMachine = {"localhost", "127.0.0.1", "[::1]"};
constexpr std::string_view kExposed = "Mcp-Session-Id, WWW-Authenticate";

/// "127.0.0.1:8080" without its port; "[::1]:8080" as well.
std::string host_name(std::string_view host) {
  const auto bracket = host.rfind(']');
  const auto colon = host.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return lower_case(host.substr(0, has_port ? colon : host.size()));
}

bool is_this_machine(const Services& services, std::string_view host) {
  const std::string name = host_name(host);
  const auto& allowed = services.options.allowed_hosts;
  return std::ranges::find(kThisMachine, name) != kThisMachine.end() ||
         std::ranges::find(allowed, name) != allowed.end();
}

/// "http://localhost:3000" -> "localhost:3000"
std::string_view origin_host(std::string_view origin) {
  const auto scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

bool origin_allowed(const Services& services, const Request& request) {
  const auto count = request.fields.count("Origin");
  if (count == 0) return true;
  if (count > 1) return false;
  const std::string_view origin = *request.fields.get("Origin");
  const auto& allowed = services.options.allowed_origins;
  if (std::ranges::find(allowed, origin) != allowed.end()) return true;
  const std::string_view host = origin_host(origin);
  return services.options.loopback && !host.empty() && is_this_machine(services, host);
}

bool place_allowed(const Services& services, const Request& request) {
  if (!origin_allowed(services, request)) return false;
  return !services.options.loopback || is_this_machine(services, request.host);
}

/// A page's browser asks whether the page may ask.
Response preflight(const Services& services, const Request& request) {
  Response response(204);
  allow_origin(services, request, response.fields);
  response.fields.add("Access-Control-Allow-Methods",
                      services.options.legacy ? "POST, GET, DELETE" : "POST");
  if (const auto wanted = request.fields.get("Access-Control-Request-Headers")) {
    response.fields.add("Access-Control-Allow-Headers", *wanted);
  }
  response.fields.add("Access-Control-Max-Age", "600");
  return response;
}

Response not_allowed(const Services& services) {
  Response response = net::http::plain_response(405);
  response.fields.set("Allow", services.options.legacy ? "POST, GET, DELETE, OPTIONS" : "POST");
  return response;
}

bool served_method(const Services& services, Method method) {
  if (method == Method::post) return true;
  return services.options.legacy && (method == Method::get || method == Method::delete_);
}

/// Strangers get as far as something is granted to them.
bool open_to_strangers(const Services& services, const Request& request) {
  const auto rules = services.engine.policy();
  const policy::Principal stranger = policy::Principal::anonymous();
  const std::string_view name = request.parameter("name");
  return name.empty() ? rules->is_known(stranger) : rules->visible(stranger, name);
}

awaitable<std::optional<Response>> who_asks(const Services& services, Request& request,
                                            Arrived& arrived) {
  auto who = co_await authenticate(services, request);
  if (!who) co_return std::move(who.error());
  if (who->is_anonymous() && !open_to_strangers(services, request)) {
    co_return who_are_you(services, request);
  }
  arrived.who = *std::move(who);
  co_return std::nullopt;
}

/// For whoever tries it by hand.
Response told(unsigned status, std::string_view what) {
  return {status, "text/plain; charset=utf-8",
          std::to_string(status) + " " + std::string(net::http::reason_phrase(status)) + ": " +
              std::string(what) + "\n"};
}

std::optional<Response> check_media(const Request& request, Arrived& arrived) {
  const Accepted accepted = accepted_types(request.fields);
  arrived.takes_json = accepted.json;
  arrived.takes_events = accepted.events;
  if (request.method == Method::delete_) return std::nullopt;
  if (request.method == Method::get) {
    if (!accepted.events) return told(406, "Accept has to take text/event-stream here.");
    return std::nullopt;
  }
  if (const std::string_view why = why_not_json(request.fields); !why.empty()) {
    Response response = net::http::plain_response(415);
    response.body = why;
    response.fields.set("Accept-Encoding", "identity");  // RFC 9110, 15.5.16
    return response;
  }
  if (!accepted.json && !accepted.events) {
    return told(406, "Accept has to take application/json, text/event-stream, or both.");
  }
  return std::nullopt;
}

awaitable<std::optional<Response>> guard(std::shared_ptr<Services> services, Request& request) {
  if (!place_allowed(*services, request)) co_return net::http::plain_response(403);
  const bool from_page = request.fields.contains("Origin");
  if (request.method == Method::options && from_page) co_return preflight(*services, request);
  if (!served_method(*services, request.method)) co_return not_allowed(*services);
  Arrived arrived;
  std::optional<Response> stopped = co_await who_asks(*services, request, arrived);
  if (!stopped) stopped = check_media(request, arrived);
  if (stopped) {
    allow_origin(*services, request, stopped->fields);
    co_return stopped;
  }
  request.context = std::move(arrived);
  co_return std::nullopt;
}

}  // namespace

net::http::Guard front_guard(std::shared_ptr<Services> services) {
  return [services = std::move(services)](Request& request) { return guard(services, request); };
}

void allow_origin(const Services& services, const Request& request, net::http::Fields& fields) {
  const auto origin = request.fields.get("Origin");
  if (!origin || !origin_allowed(services, request)) return;
  fields.set("Access-Control-Allow-Origin", *origin);
  fields.set("Access-Control-Expose-Headers", kExposed);
  fields.set("Vary", "Origin");
}

}  // namespace interline::mcp
