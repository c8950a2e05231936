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
  if (auto any = services.engine.invocable(call.who, call.endpoint()); !any) co_return any;
  const Element payload = call.payload();
  engine::Invocation invocation;
  invocation.network = "xmpp";
  invocation.endpoint = call.endpoint();
  invocation.tool = std::string(payload.attribute(attribute::kTool).value_or(""));
  invocation.version = std::string(payload.attribute(attribute::kApiVersion).value_or(""));
  // Without arguments it is never admitted: they are looked at after what is authorised and pinned.
  auto refused = co_await services.engine.admit(call.who, std::move(invocation));
  const bool closed = !refused && (refused.error().kind == ErrorKind::not_found ||
                                   refused.error().kind == ErrorKind::conflict);
  if (closed) co_return std::unexpected(std::move(refused.error()));
  co_return Result<void>();
}

awaitable<Result<void>> for_owners(Services& services, const Call& call) {
  const auto view = co_await read_own_task(
      services, call, std::string(call.payload().attribute(attribute::kTaskId).value_or("")));
  if (view) co_return Result<void>();
  co_return std::unexpected(view.error());
}

awaitable<Result<void>> for_answerers(Services& services, const Call& call) {
  const Element payload = call.payload();
  const auto view = co_await read_own_task(
      services, call, std::string(payload.attribute(attribute::kTaskId).value_or("")));
  if (!view) co_return std::unexpected(view.error());
  if (!was_asked(view->task, payload.attribute(attribute::kRequestId).value_or(""))) {
    co_return absent();
  }
  co_return Result<void>();
}

awaitable<Result<void>> for_cancellers(Services& services, const Call& call) {
  const auto view = co_await read_own_task(
      services, call, std::string(call.payload().attribute(attribute::kTaskId).value_or("")));
  if (!view) co_return std::unexpected(view.error());
  if (!view->task.admission->cancellable) co_return not_served();
  co_return Result<void>();
}

}  // namespace interline::xmpp
