#include "protocols/mcp/server/server.hpp"

#include <algorithm>
#include <utility>

#include "policy/rate.hpp"
#include "protocols/mcp/server/core.hpp"

namespace interline::protocols::mcp::server {
namespace {

using policy::RateClass;

struct MethodRow {
  std::string_view name;
  RateClass rate;
  awaitable<Answer> (*answer)(Core&, const Asked&);
};

// Every request of methods.hpp that is no matter of a session.
constexpr MethodRow kMethods[] = {
    {"server/discover", RateClass::metadata, discover},
    {"tools/list", RateClass::directory, list_tools},
    {"tools/call", RateClass::invoke, call_tool},
    {"prompts/list", RateClass::directory, list_prompts},
    {"prompts/get", RateClass::metadata, get_prompt},
    {"resources/list", RateClass::directory, list_resources},
    {"resources/templates/list", RateClass::directory, list_resource_templates},
    {"resources/read", RateClass::metadata, read_resource},
    {"completion/complete", RateClass::metadata, complete},
    {"subscriptions/listen", RateClass::directory, listen},
    {"tasks/get", RateClass::task, get_task},
    {"tasks/update", RateClass::task, update_task},
    {"tasks/cancel", RateClass::task, cancel_task},
    {"ping", RateClass::metadata, ping},
};

awaitable<Answer> answer(Core& core, const Asked& asked) {
  const auto* const row = std::ranges::find(kMethods, asked.message.method, &MethodRow::name);
  if (row == std::end(kMethods)) co_return refuse(method_not_found());
  const Result<void> charged = core.engine.charge(asked.who, row->rate);
  if (!charged) co_return refuse(charged.error());
  co_return co_await row->answer(core, asked);
}

}  // namespace

awaitable<Answer> ping(Core& core, const Asked& asked) {
  co_return empty_result(core.envelope(asked));
}

awaitable<Reply> answer_request(Core& core, const Asked& asked) {
  const Answer answered = co_await answer(core, asked);
  co_return reply_to(asked, answered);
}

Reply reply_to(const Asked& asked, const Answer& answered) {
  if (answered) return {jsonrpc::result(asked.message.id, *answered), kInBand};
  const ErrorAnswer& error = answered.error();
  // Legacy bindings know no statuses of their own for what a method answers.
  const int status = is_modern(asked.revision) ? error.status : kInBand;
  return {error_line(asked.message.id, error), status};
}

Server::Server(engine::Engine& engine, const Clock& clock, Settings settings, Logger log)
    : core_(std::make_unique<Core>(engine, clock, std::move(settings), std::move(log))) {}

Server::~Server() = default;

awaitable<Result<Features>> Server::offered(Principal who, std::string endpoint) {
  return features_of(*core_, std::move(who), std::move(endpoint));
}

awaitable<Reply> Server::handle(Asked asked) {
  co_return co_await answer_request(*core_, asked);
}

void Server::end_subscriptions() {
  core_->changes->end();
}

std::size_t Server::subscriptions() const {
  return core_->changes->size();
}

}  // namespace interline::protocols::mcp::server
