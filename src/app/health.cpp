#include "app/health.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "app/host_guard.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;
using net::http::Request;
using net::http::Responder;
using net::http::Response;

constexpr auto kLongestWait = 60s;
constexpr auto kLookEvery = 50ms;

std::chrono::seconds wait_of(const Request& request) {
  const auto text = request.query_value("wait").value_or("0");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0) return 0s;
  return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), kLongestWait);
}

Response readiness_response(Readiness readiness) {
  Response response(readiness.ready ? 200 : 503, "application/json",
                    std::move(readiness.details) + "\n");
  response.fields.set("Cache-Control", "no-store");
  return response;
}

/// A request that a proxy passed on comes from anywhere, whether we know that proxy or not.
bool is_passed_on(const Request& request) {
  return request.fields.get("X-Forwarded-For").has_value() ||
         request.fields.get("Forwarded").has_value();
}

bool is_of_this_machine(const Request& request) {
  return request.client && request.client->is_loopback() && !is_passed_on(request) &&
         is_own_host(request.host);
}

/// The details name endpoints that a caller may not see: others hear only whether.
void leave_out_details(Readiness& readiness, const Request& request) {
  const bool local = request.peer != nullptr && request.peer->user.has_value();
  if (local || is_of_this_machine(request)) return;
  readiness.details = readiness.ready ? R"({"ready":true})" : R"({"ready":false})";
}

net::awaitable<void> answer_ready(std::function<Readiness()> source, Request& request,
                                  Responder& responder) {
  const auto until = std::chrono::steady_clock::now() + wait_of(request);
  Readiness now = source();
  if (!now.ready && until > std::chrono::steady_clock::now()) {
    const net::Executor executor = co_await boost::asio::this_coro::executor;
    // The responder keeps its callback until this handler has returned.
    const auto pause = std::make_shared<boost::asio::steady_timer>(executor);
    responder.on_disconnect([pause] { pause->cancel(); });
    while (!now.ready && std::chrono::steady_clock::now() < until && !responder.disconnected()) {
      pause->expires_after(kLookEvery);
      co_await pause->async_wait(net::use_tuple);
      now = source();
    }
  }
  leave_out_details(now, request);
  Response response = readiness_response(std::move(now));
  const Result<void> sent = co_await responder.send(std::move(response));
  (void)sent;
}

bool may_read_metrics(const Request& request, const HealthSources& sources) {
  if (request.peer->user) return sources.is_operator(*request.peer->user);
  return is_of_this_machine(request);
}

}  // namespace

void add_health_routes(net::http::Router& router, const HealthSources& sources,
                       const net::http::Guard& guard) {
  net::http::RouteOptions options;
  options.body_limit = 0;
  options.guard = guard;
  router.add(
      net::http::Method::get, "/healthz",
      [](Request&, Responder& responder) -> net::awaitable<void> {
        Response response(200, "text/plain; charset=utf-8", "ok\n");
        const Result<void> sent = co_await responder.send(std::move(response));
        (void)sent;
      },
      options);
  router.add(
      net::http::Method::get, "/readyz",
      [source = sources.readiness](Request& request, Responder& responder) {
        return answer_ready(source, request, responder);
      },
      options);
  router.add(
      net::http::Method::get, "/metrics",
      [sources](Request& request, Responder& responder) -> net::awaitable<void> {
        Response response = net::http::plain_response(404);
        if (may_read_metrics(request, sources)) {
          response = Response(200, "text/plain; version=0.0.4; charset=utf-8", sources.metrics());
        }
        const Result<void> sent = co_await responder.send(std::move(response));
        (void)sent;
      },
      options);
}

}  // namespace interline::app
