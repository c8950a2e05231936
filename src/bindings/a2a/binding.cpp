#include "bindings/a2a/binding.hpp"

#include <memory>
#include <string>
#include <utility>

#include "bindings/a2a/card_routes.hpp"
#include "bindings/a2a/front_guard.hpp"
#include "bindings/a2a/http_json.hpp"
#include "bindings/a2a/json_rpc.hpp"
#include "protocols/a2a/card.hpp"

namespace interline::a2a {
namespace {

using net::http::Method;
using net::http::Request;
using net::http::Responder;

// Both forms of an interface's URL: a client's library may add a slash.
constexpr std::string_view kJsonRpcPaths[] = {
    "/a2a", "/a2a/", "/a2a/{name}", "/a2a/{name}/", "/a2a/{name}/{tool}", "/a2a/{name}/{tool}/"};

// A tenant is of the host's interface alone: the others have none.
constexpr std::string_view kHttpJsonRoots[] = {"/a2a/v1", "/a2a/v1/{tenant}", "/a2a/{name}/v1",
                                               "/a2a/{name}/{tool}/v1"};

constexpr std::string_view kCardRoots[] = {"", "/a2a", "/a2a/{name}", "/a2a/{name}/{tool}"};

net::http::RouteOptions route_options(const std::shared_ptr<Services>& services, Door door) {
  net::http::RouteOptions made;
  made.body_limit = services->options.body_limit;
  made.guard = front_guard(services, door);
  return made;
}

/// What the guard answers by itself never comes here.
awaitable<void> nothing(Responder& responder) {
  const auto sent = co_await responder.send(net::http::plain_response(405));
  (void)sent;
}

void add_preflight(net::http::Router& router, const std::shared_ptr<Services>& services, Door door,
                   std::string_view path) {
  router.add(
      Method::options, path,
      [](Request& /*request*/, Responder& responder) { return nothing(responder); },
      route_options(services, door));
}

}  // namespace

void add_routes(net::http::Router& router, engine::Engine& engine, server::Server& server,
                const Clock& clock, Options options, Logger log) {
  auto services =
      std::make_shared<Services>(engine, server, clock, std::move(options), std::move(log));
  for (const std::string_view path : kJsonRpcPaths) {
    router.add(
        Method::post, path,
        [services](Request& request, Responder& responder) {
          return json_rpc(services, request, responder);
        },
        route_options(services, Door::json_rpc));
    add_preflight(router, services, Door::json_rpc, path);
  }
  for (const std::string_view root : kHttpJsonRoots) {
    for (const HttpJsonRoute& route : kHttpJsonRoutes) {
      router.add(
          route.method, std::string(root).append(route.path),
          [services, &route](Request& request, Responder& responder) {
            return http_json(services, route, request, responder);
          },
          route_options(services, Door::http_json));
    }
  }
  for (const std::string_view root : kCardRoots) {
    router.add(
        Method::get, std::string(root).append(rules::kCardPath),
        [services](Request& request, Responder& responder) {
          return card(services, request, responder);
        },
        route_options(services, Door::card));
  }
}

}  // namespace interline::a2a
