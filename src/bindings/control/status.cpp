// GET /v1/status: what runs here, for `interline doctor`.
#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {

awaitable<Answer> show_status(Services& services, Principal who, Request& /*request*/) {
  GatewayStatus status;
  if (services.options.status) status = services.options.status();
  const bool is_operator = services.engine.policy()->is_operator(who);
  co_return json_response(200, status_json(status, who.text(), is_operator));
}

}  // namespace interline::control
