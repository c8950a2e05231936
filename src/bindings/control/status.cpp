// /v1/status: what runs here, for `interline doctor`. /v1/clock/trust: an operator's word about
// time.
#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/requests.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {

awaitable<Answer> show_status(Services& services, Principal who, Request& /*request*/) {
  GatewayStatus status;
  if (services.options.status) status = services.options.status();
  const bool is_operator = services.engine.policy()->is_operator(who);
  co_return json_response(200, status_json(status, who.text(), is_operator));
}

awaitable<Answer> trust_clock(Services& services, Principal who, Request& request) {
  if (auto nothing = read_nothing(request.body); !nothing) {
    co_return std::unexpected(std::move(nothing.error()));
  }
  const auto ended = co_await services.engine.trust_clock(std::move(who));
  if (!ended) co_return std::unexpected(ended.error());
  std::string text;
  json::Writer writer(text);
  write_hold(writer, *ended);
  co_return json_response(200, std::move(text));
}

}  // namespace interline::control
