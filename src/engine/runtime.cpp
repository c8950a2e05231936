#include "engine/runtime.hpp"

namespace interline::engine {
namespace {

Error nothing_of_this_kind() {
  return {ErrorKind::not_acceptable, "this agent has nothing of this kind"};
}

}  // namespace

awaitable<Result<Consulted>> Runtime::consult(Consultation, std::shared_ptr<Withdrawal>) {
  co_return std::unexpected(nothing_of_this_kind());
}

void Runtime::on_change(std::function<void(const AgentChange&)>) {}

awaitable<Result<void>> Runtime::follow_resource(std::string, bool) {
  co_return std::unexpected(nothing_of_this_kind());
}

}  // namespace interline::engine
