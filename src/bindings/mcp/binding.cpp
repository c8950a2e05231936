#include "bindings/mcp/binding.hpp"

#include <utility>

#include "bindings/mcp/front_guard.hpp"
#include "bindings/mcp/legacy_post.hpp"
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
  void end_streams() override {
    services_->mcp.end_subscriptions();
    services_->sessions->end_streams();
  }

 private:
  const std::shared_ptr<Services> services_;
};

/// What the guard answers by itself never comes here.
awaitable<void> nothing(std::shared_ptr<Services> /*services*/, Request& /*request*/,
                        Responder& responder) {
  const auto sent = co_await responder.send(net::http::plain_response(405));
  (void)sent;
}

using Handle = awaitable<void> (*)(std::shared_ptr<Services>, Request&, Responder&);
struct RouteRow {
  Method method;
  Handle handle;
};
constexpr RouteRow kRoutes[] = {
    {Method::post, post},   {Method::get, get_stream}, {Method::delete_, delete_session},
    {Method::put, nothing}, {Method::patch, nothing},  {Method::options, nothing}};
constexpr std::string_view kPaths[] = {"/mcp", "/mcp/{name}"};

}  // namespace

std::shared_ptr<Binding> add_routes(net::http::Router& router, const net::Executor& executor,
                                    engine::Engine& engine, server::Server& server,
                                    const Clock& clock, Options options, Logger log) {
  auto services = std::make_shared<Services>(executor, engine, server, clock, std::move(options),
                                             std::move(log));
  net::http::RouteOptions of_route;
  of_route.body_limit = services->options.body_limit;
  of_route.guard = front_guard(services);
  for (const std::string_view path : kPaths) {
    for (const RouteRow& row : kRoutes) {
      router.add(
          row.method, path,
          [services, handle = row.handle](Request& request, Responder& responder) {
            return handle(services, request, responder);
          },
          of_route);
    }
  }
  add_resource_metadata(router, services);
  return std::make_shared<HttpBinding>(std::move(services));
}

}  // namespace interline::mcp
