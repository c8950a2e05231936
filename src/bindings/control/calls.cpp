// POST /v1/calls: a call becomes a task, once per request key.
#include "bindings/control/errors.hpp"
#include "bindings/control/handlers.hpp"
#include "bindings/control/requests.hpp"
#include "bindings/control/views.hpp"

namespace interline::control {

awaitable<Answer> post_call(Services& services, Principal who, Request& request) {
  auto invocation = read_call(request.body, services.options.limits);
  if (!invocation) co_return std::unexpected(std::move(invocation.error()));
  const std::string endpoint = invocation->endpoint;
  auto admission = co_await services.engine.admit(who, *std::move(invocation));
  if (!admission) {
    co_return std::unexpected(
        explain_absence(services, who, endpoint, std::move(admission.error())));
  }
  Response response = json_response(admission->replayed ? 200 : 201, admission_json(*admission));
  response.fields.add("Location", "/v1/tasks/" + admission->task);
  co_return response;
}

}  // namespace interline::control
