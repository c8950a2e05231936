#include "bindings/xmpp/handlers/guards.hpp"

#include "bindings/xmpp/handlers/task_syntax.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {

awaitable<Result<void>> for_anybody(Services&, const Call&) {
  co_return Result<void>();
}

awaitable<Result<void>> for_acquaintances(Services& services, const Call& call) {
  const auto policy = services.engine.policy();
  const bool known = services.config.federated_info_for_all || policy->is_local(call.who) ||
                     policy->is_known(call.who) || policy->is_admin(call.who);
  if (known) co_return Result<void>();
  co_return not_served();
}

awaitable<Result<void>> for_registrants(Services& services, const Call& call) {
  const auto policy = services.engine.policy();
  const bool self = services.config.self_registration && policy->is_local(call.who) &&
                    call.request.from.has_localpart();
  if (self) co_return Result<void>();
  const bool admin = policy->may_administer(call.who, call.payload().name(), std::string_view());
  if (admin && services.config.admin) co_return Result<void>();
  co_return no_authority();
}

awaitable<Result<void>> for_administrators(Services& services, const Call& call) {
  const auto policy = services.engine.policy();
  const bool admin = policy->may_administer(call.who, call.payload().name(), std::string_view());
  if (admin) co_return Result<void>();
  co_return no_authority();
}

awaitable<Result<void>> for_viewers(Services& services, const Call& call) {
  const auto view = co_await services.engine.describe(call.who, call.endpoint(), std::string());
  if (view) co_return Result<void>();
  co_return std::unexpected(view.error());
}

awaitable<Result<void>> for_invokers(Services& services, const Call& call) {
  co_return services.engine.invocable(call.who, call.endpoint());
}

awaitable<Result<void>> for_owners(Services& services, const Call& call) {
  const auto view = co_await read_own_task(
      services, call, std::string(call.payload().attribute(attribute::kTaskId).value_or("")));
  if (view) co_return Result<void>();
  co_return std::unexpected(view.error());
}

}  // namespace interline::xmpp
