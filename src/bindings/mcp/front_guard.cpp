#include "bindings/mcp/front_guard.hpp"

#include <optional>
#include <string>
#include <utility>

#include "bindings/mcp/media_types.hpp"
#include "bindings/web/authentication.hpp"
#include "bindings/web/place.hpp"

namespace interline::mcp {
namespace {

using net::http::Method;
using net::http::Request;
using net::http::Response;

constexpr std::string_view kExposed = "Mcp-Session-Id, WWW-Authenticate";

std::string_view methods_of(const Services& services) {
  return services.options.legacy ? "POST, GET, DELETE" : "POST";
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
  auto who = co_await web::authenticate(services.access(), request);
  if (!who) co_return std::move(who.error());
  if (who->is_anonymous() && !open_to_strangers(services, request)) {
    co_return web::who_are_you(services.access(), request);
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
  const web::Access access = services->access();
  if (!web::place_allowed(access, request)) co_return net::http::plain_response(403);
  const bool from_page = request.fields.contains("Origin");
  if (request.method == Method::options && from_page) {
    co_return web::preflight(access, request, methods_of(*services), kExposed);
  }
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
  web::allow_origin(services.access(), request, kExposed, fields);
}

}  // namespace interline::mcp
