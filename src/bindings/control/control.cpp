#include "bindings/control/control.hpp"

#include <any>
#include <utility>

#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"

namespace interline::control {
namespace {

using net::http::Method;
using policy::RateClass;

// What else than the JSON text that the limit is about a body holds: names, keys, braces.
constexpr std::size_t kAround = 8'192;

enum class Body : std::uint8_t { none, small, arguments, input, manifest };

std::size_t body_limit(Body body, const Limits& limits) {
  switch (body) {
    case Body::none:
      return 0;
    case Body::small:
      return kAround;
    case Body::arguments:
      return limits.arguments_bytes + kAround;
    case Body::input:
      return limits.input_bytes + kAround;
    case Body::manifest:
      return limits.manifest_bytes;
  }
  return 0;
}

struct RouteRow {
  Method method;
  std::string_view pattern;
  RateClass rate;
  Body body;
  awaitable<Answer> (*answer)(Services&, Principal, Request&);
};

constexpr RouteRow kRoutes[] = {
    {Method::get, "/v1/status", RateClass::metadata, Body::none, show_status},
    {Method::post, "/v1/clock/trust", RateClass::registration, Body::small, trust_clock},
    {Method::post, "/v1/calls", RateClass::invoke, Body::arguments, post_call},
    {Method::get, "/v1/tasks", RateClass::task, Body::none, list_tasks},
    {Method::get, "/v1/tasks/{id}", RateClass::task, Body::none, show_task},
    {Method::post, "/v1/tasks/{id}/answer", RateClass::task, Body::input, answer_task},
    {Method::post, "/v1/tasks/{id}/cancel", RateClass::task, Body::small, cancel_task},
    {Method::post, "/v1/tasks/{id}/approve", RateClass::task, Body::small, approve_task},
    {Method::get, "/v1/endpoints", RateClass::directory, Body::none, list_endpoints},
    {Method::post, "/v1/endpoints", RateClass::registration, Body::manifest, register_endpoint},
    {Method::get, "/v1/endpoints/{name}", RateClass::metadata, Body::none, show_endpoint},
    {Method::delete_, "/v1/endpoints/{name}", RateClass::registration, Body::none, remove_endpoint},
    {Method::post, "/v1/endpoints/{name}/activate", RateClass::registration, Body::small,
     activate_endpoint},
    {Method::post, "/v1/endpoints/{name}/deactivate", RateClass::registration, Body::small,
     deactivate_endpoint},
    {Method::get, "/v1/keys", RateClass::metadata, Body::none, list_keys},
    {Method::post, "/v1/keys", RateClass::registration, Body::small, create_key},
    {Method::delete_, "/v1/keys/{name}", RateClass::registration, Body::none, revoke_key},
};

/// Who asks, before a byte of the body is read. Elsewhere than on a Unix socket there is nothing.
awaitable<std::optional<Response>> authenticate(std::shared_ptr<Services> services,
                                                Request& request, RateClass rate) {
  if (request.peer == nullptr || !request.peer->user) co_return refusal(404, &request);
  Principal who = local_principal(*request.peer->user);
  const Result<void> charged = services->engine.charge(who, rate);
  if (!charged) co_return error_response(charged.error());
  request.context = std::move(who);
  co_return std::nullopt;
}

awaitable<void> serve(std::shared_ptr<Services> services, const RouteRow& row, Request& request,
                      net::http::Responder& responder) {
  Principal who = std::any_cast<Principal>(request.context);
  Answer answer = co_await row.answer(*services, std::move(who), request);
  Response response = answer ? *std::move(answer) : error_response(answer.error());
  const Result<void> sent = co_await responder.send(std::move(response));
  (void)sent;  // the peer is gone: nobody to tell
}

net::http::RouteOptions options_of(const std::shared_ptr<Services>& services, RateClass rate,
                                   Body body) {
  net::http::RouteOptions options;
  options.body_limit = body_limit(body, services->options.limits);
  options.guard = [services, rate](Request& request) {
    return authenticate(services, request, rate);
  };
  return options;
}

}  // namespace

std::shared_ptr<EventStreams> add_routes(net::http::Router& router, engine::Engine& engine,
                                         const Clock& clock, Options options) {
  auto services = std::make_shared<Services>(engine, clock, std::move(options));
  for (const RouteRow& row : kRoutes) {
    router.add(
        row.method, row.pattern,
        [services, &row](Request& request, net::http::Responder& responder) {
          return serve(services, row, request, responder);
        },
        options_of(services, row.rate, row.body));
  }
  router.add(
      Method::get, "/v1/tasks/{id}/events",
      [services](Request& request, net::http::Responder& responder) {
        Principal who = std::any_cast<Principal>(request.context);
        return follow_task(services, std::move(who), request, responder);
      },
      options_of(services, RateClass::task, Body::none));
  if (services->options.mcp.serve) {
    router.add(
        Method::get, "/v1/mcp",
        [services](Request& request, net::http::Responder& responder) {
          Principal who = std::any_cast<Principal>(request.context);
          return speak_mcp(services, std::move(who), request, responder);
        },
        options_of(services, RateClass::metadata, Body::none));
  }
  return services->streams;
}

}  // namespace interline::control
