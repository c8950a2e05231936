#include "bindings/a2a/http_json.hpp"

#include <string>
#include <utility>

#include "bindings/a2a/exchange.hpp"
#include "bindings/a2a/http_params.hpp"

namespace interline::a2a {
namespace {

using net::http::Request;
using net::http::Responder;
using net::http::Response;

Framing framing_of(std::shared_ptr<Services> services, const Request& request) {
  Framing framing;
  framing.event = [](std::string_view event) { return std::string(event); };
  framing.error = [](const rules::ErrorAnswer& answer) { return rules::http_error(answer); };
  framing.refusal = [services, &request](const rules::ErrorAnswer& answer) {
    return error_response(*services, Door::http_json, request, answer);
  };
  return framing;
}

Response answer_response(const Services& services, const HttpJsonRoute& route,
                         const Request& request, const server::Answer& answered) {
  if (!answered) return error_response(services, Door::http_json, request, answered.error());
  if (route.operation == rules::Operation::delete_push_config) return Response(204);
  return {200, answer_type(services, request), *answered};
}

}  // namespace

awaitable<void> http_json(std::shared_ptr<Services> services, const HttpJsonRoute& route,
                          Request& request, Responder& responder) {
  auto read = params_of(route, request, services->options.body_limit);
  if (!read) {
    co_return co_await send(*services, request, responder,
                            error_response(*services, Door::http_json, request, read.error()));
  }
  const auto params = std::make_shared<const json::Document>(*std::move(read));
  server::Asked asked = asked_of(request);
  asked.operation = route.operation;
  asked.params = params->root();
  if (rules::row_of(route.operation).streams) {
    co_return co_await stream_events(services, request, responder, std::move(asked),
                                     framing_of(services, request), params);
  }
  const server::Answer answered = co_await services->a2a.handle(std::move(asked));
  co_await send(*services, request, responder,
                answer_response(*services, route, request, answered));
}

}  // namespace interline::a2a
