#include "bindings/xmpp/dispatch.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bindings/xmpp/handlers/handlers.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {
namespace {

using policy::RateClass;
constexpr auto G = Addressee::gateway;
constexpr auto E = Addressee::endpoint;

// clang-format off
constexpr std::array kRows = {
    DispatchRow{G, ns::kDiscoInfo,  element::kQuery,              IqType::get,    RateClass::metadata,     for_acquaintances,  gateway_info},
    DispatchRow{G, ns::kDiscoItems, element::kQuery,              IqType::get,    RateClass::directory,    for_anybody,        directory},
    DispatchRow{G, ns::kSearch,     element::kQuery,              IqType::either, RateClass::directory,    for_anybody,        search},
    DispatchRow{G, ns::kAgentApi,   element::kRegister,           IqType::set,    RateClass::registration, for_registrants,    register_manifest},
    DispatchRow{G, ns::kAgentApi,   element::kActivate,           IqType::set,    RateClass::registration, for_administrators, activate},
    DispatchRow{G, ns::kAgentApi,   element::kDeactivate,         IqType::set,    RateClass::registration, for_administrators, deactivate},
    DispatchRow{G, ns::kAgentApi,   element::kRegistrationStatus, IqType::either, RateClass::registration, for_administrators, registration_status},
    DispatchRow{G, ns::kAgentApi,   element::kRemoveVersion,      IqType::set,    RateClass::registration, for_administrators, remove_version},
    DispatchRow{G, ns::kAgentApi,   element::kRemoveEndpoint,     IqType::set,    RateClass::registration, for_administrators, remove_endpoint},
    DispatchRow{G, ns::kPing,       element::kPing,               IqType::get,    RateClass::metadata,     for_anybody,        gateway_ping},
    DispatchRow{E, ns::kDiscoInfo,  element::kQuery,              IqType::get,    RateClass::metadata,     for_viewers,        endpoint_info},
    DispatchRow{E, ns::kDiscoItems, element::kQuery,              IqType::get,    RateClass::directory,    for_viewers,        endpoint_items},
    DispatchRow{E, ns::kAgentApi,   element::kManifestRequest,    IqType::get,    RateClass::metadata,     for_viewers,        manifest},
    DispatchRow{E, ns::kAgentApi,   element::kSchemaRequest,      IqType::get,    RateClass::metadata,     for_viewers,        tool_schema},
    DispatchRow{E, ns::kPing,       element::kPing,               IqType::get,    RateClass::metadata,     for_viewers,        endpoint_ping},
    DispatchRow{E, ns::kVcardTemp,  element::kVcardTemp,          IqType::either, RateClass::metadata,     for_viewers,        vcard_temp},
    DispatchRow{E, ns::kVcard4,     element::kVcard4,             IqType::get,    RateClass::metadata,     for_viewers,        vcard4},
    DispatchRow{E, ns::kPubsub,     element::kPubsub,             IqType::get,    RateClass::metadata,     for_viewers,        vcard4_pubsub},
    DispatchRow{E, ns::kAgentTask,  element::kInvoke,             IqType::set,    RateClass::invoke,       for_invokers,       invoke},
    DispatchRow{E, ns::kAgentTask,  element::kTaskStateRequest,   IqType::get,    RateClass::task,         for_owners,         task_state},
    DispatchRow{E, ns::kAgentTask,  element::kTaskResultRequest,  IqType::get,    RateClass::task,         for_owners,         task_result},
    DispatchRow{E, ns::kAgentTask,  element::kProvideInput,       IqType::set,    RateClass::task,         for_answerers,      provide_input},
    DispatchRow{E, ns::kAgentTask,  element::kCancel,             IqType::set,    RateClass::task,         for_cancellers,     cancel_task},
};
// clang-format on

/// Payloads of a profile that is off are unknown, and so is anything but items in a pubsub request.
bool is_on(const Services& services, const DispatchRow& row, Element payload) {
  const BindingConfig& config = services.config;
  if (row.handle == search) return config.search;
  if (row.handle == register_manifest) return config.admin || config.self_registration;
  const bool administration = row.rate == RateClass::registration;
  if (administration) return config.admin;
  if (row.handle == vcard4_pubsub && !is_vcard4_request(payload)) return false;
  const bool profile =
      row.handle == vcard_temp || row.handle == vcard4 || row.handle == vcard4_pubsub;
  return !profile || config.vcards;
}

awaitable<Answer> decide(Services& services, const Call& call) {
  const Jid& to = call.request.to;
  if (!to.is_bare()) co_return not_served();  // endpoints and gateway have no resources
  const Addressee addressee = to.has_localpart() ? Addressee::endpoint : Addressee::gateway;
  const DispatchRow* row = find_row(addressee, call.payload());
  if (row == nullptr || !is_on(services, *row, call.payload())) co_return not_served();
  if (!takes(*row, call.request.set)) {
    co_return fail(ErrorKind::malformed, "the wrong type of iq for this payload");
  }
  if (auto charged = services.engine.charge(call.who, row->rate); !charged) {
    co_return std::unexpected(std::move(charged.error()));
  }
  if (call.request.oversized) {
    auto known = co_await row->guard(services, call);
    if (!known) co_return std::unexpected(std::move(known.error()));
    co_return fail(
        ErrorKind::resource_constraint, ErrorReason::too_large,
        "the request is larger than " + std::to_string(services.config.stanza_in) + " bytes");
  }
  co_return co_await row->handle(services, call);
}

}  // namespace

const DispatchRow* find_row(Addressee addressee, Element payload) {
  const auto* row = std::ranges::find_if(kRows, [addressee, payload](const DispatchRow& candidate) {
    return candidate.addressee == addressee && payload.is(candidate.ns, candidate.name);
  });
  return row == kRows.end() ? nullptr : row;
}

awaitable<OutgoingStanza> answer(Services& services, Call call) {
  Answer decided = co_await decide(services, call);
  if (!decided) co_return OutgoingStanza::error(call.request.route, decided.error());
  decided->finish();
  if (decided->wire_size() > services.config.stanza_out) {
    const Error error(ErrorKind::resource_constraint, ErrorReason::too_large,
                      "the answer is larger than a stanza may be");
    co_return OutgoingStanza::error(call.request.route, error);
  }
  co_return *std::move(decided);
}

}  // namespace interline::xmpp
