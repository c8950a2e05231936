#include "protocols/a2a/server/server.hpp"

#include <array>
#include <utility>

#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/versions.hpp"

namespace interline::protocols::a2a::server {
namespace {

using policy::RateClass;

using Handle = awaitable<Answer> (*)(Core&, const Asked&);
using Stream = awaitable<Streamed> (*)(Core&, const Asked&, Events&);

awaitable<Answer> no_push(Core& core, const Asked& /*asked*/) {
  co_return refuse(core, Fault::push_notification_not_supported,
                   "This agent sends no push notifications.");
}

awaitable<Answer> no_extended_card(Core& core, const Asked& /*asked*/) {
  co_return refuse(core, Fault::unsupported_operation, "This agent has no extended card.");
}

struct HandlerRow {
  Operation operation;
  RateClass rate;
  Handle handle;  ///< nullptr: it streams
  Stream stream;  ///< nullptr: it does not
};

constexpr std::array kHandlers = {
    HandlerRow{Operation::send_message, RateClass::invoke, send_message, nullptr},
    HandlerRow{Operation::send_streaming_message, RateClass::invoke, nullptr, stream_message},
    HandlerRow{Operation::get_task, RateClass::task, get_task, nullptr},
    HandlerRow{Operation::list_tasks, RateClass::task, list_tasks, nullptr},
    HandlerRow{Operation::cancel_task, RateClass::task, cancel_task, nullptr},
    HandlerRow{Operation::subscribe_to_task, RateClass::task, nullptr, subscribe},
    HandlerRow{Operation::create_push_config, RateClass::task, no_push, nullptr},
    HandlerRow{Operation::get_push_config, RateClass::task, no_push, nullptr},
    HandlerRow{Operation::list_push_configs, RateClass::task, no_push, nullptr},
    HandlerRow{Operation::delete_push_config, RateClass::task, no_push, nullptr},
    HandlerRow{Operation::get_extended_card, RateClass::metadata, no_extended_card, nullptr},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kHandlers.size(); ++i) {
    if (static_cast<std::size_t>(kHandlers[i].operation) != i) return false;
  }
  return kHandlers.size() == kOperations.size();
}
static_assert(in_order());

const HandlerRow& handler_of(const Asked& asked) {
  return kHandlers[static_cast<std::size_t>(asked.operation)];
}

/// What every operation is asked for first, in the order of the specification's own examples.
std::optional<ErrorAnswer> gate(Core& core, const Asked& asked) {
  const auto version =
      decide_version(asked.version_header, asked.version_query, core.settings.assume_version);
  if (!version.served) {
    const bool named = asked.version_header || asked.version_query;
    return fault(core.settings.edition, Fault::version_not_supported,
                 "A2A version " + version.requested + (named ? "" : " (no A2A-Version was given)") +
                     " is not offered; send A2A-Version: 1.0.",
                 {{"requested", version.requested}, {"supportedVersions", std::string(kVersion)}});
  }
  const auto charged = core.engine.charge(asked.who, handler_of(asked).rate);
  if (!charged) return to_answer(core.settings.edition, charged.error());
  return std::nullopt;
}

}  // namespace

Server::Server(engine::Engine& engine, const Clock& clock, Settings settings, Logger log)
    : core_(std::make_unique<Core>(engine, clock, std::move(settings), std::move(log))) {}
Server::~Server() = default;

Edition Server::edition() const {
  return core_->settings.edition;
}

awaitable<Answer> Server::handle(Asked asked) {
  if (auto wrong = gate(*core_, asked)) co_return refuse(*std::move(wrong));
  co_return co_await handler_of(asked).handle(*core_, asked);
}

awaitable<Answer> Server::card(Asked asked, std::string base) {
  const auto charged = core_->engine.charge(asked.who, RateClass::metadata);
  if (!charged) co_return refuse(*core_, charged.error());
  co_return co_await card_of(*core_, asked, base);
}

awaitable<Streamed> Server::stream(Asked asked, Events& events) {
  if (auto wrong = gate(*core_, asked)) co_return refuse(*std::move(wrong));
  co_return co_await handler_of(asked).stream(*core_, asked, events);
}

}  // namespace interline::protocols::a2a::server
