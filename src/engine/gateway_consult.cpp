// Outside of tasks: what agents are asked, calls that are no tasks, and who hears of changes.
#include "engine/gateway.hpp"

namespace interline::engine {

namespace {

Error not_here_yet() {
  return {ErrorKind::not_acceptable, "this agent has nothing of this kind"};
}

}  // namespace

awaitable<Result<Consulted>> Gateway::consult(Principal, std::string, Consultation,
                                              std::shared_ptr<Withdrawal>) {
  co_return std::unexpected(not_here_yet());
}

awaitable<Result<RunOutcome>> Gateway::run(Principal, Invocation, RunListener,
                                           std::shared_ptr<Withdrawal>) {
  co_return std::unexpected(not_here_yet());
}

std::unique_ptr<Subscription> Gateway::on_change(ChangeListener) {
  return std::make_unique<Subscription>();
}

awaitable<Result<std::unique_ptr<Subscription>>> Gateway::follow_resource(Principal, std::string,
                                                                          std::string) {
  co_return std::unexpected(not_here_yet());
}

}  // namespace interline::engine
