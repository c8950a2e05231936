#include "bindings/mcp/binding.hpp"

#include <utility>

#include "bindings/mcp/front_guard.hpp"
#include "bindings/mcp/post.hpp"
#include "bindings/mcp/resource_metadata.hpp"

namespace interline::mcp {
namespace {

using net::http::Method;
using net::http::Request;
using net::http::Responder;

class HttpBinding final : public Binding {
 public:
  explicit HttpBinding(std::shared_ptr<Services> services) : services_(std::move(services)) {}
  void end_streams() override { services_->mcp.end_subscriptions(); }

 private:
  const std::shared_ptr<Services> services_;
};

/// What the guard answers by itself never comes here.
awaitable<void> nothing(Request& /*request*/, Responder& responder) {
  const auto sent = co_await responder.send(net::http::plain_response(405));
  (void)sent;
}

constexpr Method kOthers[] = {Method::get, Method::put, Method::patch, Method::delete_,
                              Method::options};
constexpr std::string_view kPaths[] = {"/mcp", "/mcp/{name}"};

}  // namespace

std::shared_ptr<Binding> add_routes(net::http::Router& router, engine::Engine& engine,
                                    server::Server& server, const Clock& clock, Options options,
                                    Logger log) {
  auto services =
      std::make_shared<Services>(engine, server, clock, std::move(options), std::move(log));
  net::http::RouteOptions of_route;
  of_route.body_limit = services->options.body_limit;
  of_route.guard = front_guard(services);
  for (const std::string_view path : kPaths) {
    router.add(
        Method::post, path,
        [services](Request& request, Responder& responder) {
          return post(services, request, responder);
        },
        of_route);
    for (const Method method : kOthers) router.add(method, path, nothing, of_route);
  }
  add_resource_metadata(router, services);
  return std::make_shared<HttpBinding>(std::move(services));
}

}  // namespace interline::mcp
