// What an agent is asked outside of tasks. Policy comes first: what a principal may not use is not
// asked for, and answers like what is not there. The runtime answers, or the time is over, or the
// caller is gone, or the gateway ends: whatever comes first.
#include <algorithm>
#include <utility>

#include "engine/ask_runtime.hpp"
#include "engine/gateway.hpp"
#include "engine/gateway_prepared.hpp"
#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

std::unexpected<Error> unknown(ConsultationKind kind) {
  const bool call = kind == ConsultationKind::prepare;  // as the call itself would be answered
  return fail(ErrorKind::not_found, call ? "No such endpoint, version or tool."
                                         : "No such endpoint, prompt or resource.");
}

bool is_list(const ConsultationRow& row) {
  return !row.named_by.empty();
}

}  // namespace

ConsultationLimits Gateway::consultation_limits() const {
  ConsultationLimits limits;
  limits.params_bytes = configuration_.arguments_bytes;
  limits.answer_bytes = configuration_.input_bytes;
  limits.json_depth = configuration_.json_depth;
  limits.output = configuration_.output;
  return limits;
}

/// Whether it may be asked, and whether it is asked as it has to be: decided on names alone, in the
/// same work whether they name something or not. Makes prepare's arguments canonical.
awaitable<Result<void>> Gateway::permit(const Principal& who, const std::string& endpoint,
                                        Consultation& asked) {
  const ConsultationLimits limits = consultation_limits();
  if (Result<void> fits = check_sizes(asked, limits); !fits) co_return fits;
  if (asked.kind == ConsultationKind::prepare) {
    Invocation call;
    call.endpoint = endpoint;
    call.tool = asked.subject;
    call.arguments = std::move(asked.params);
    Result<Prepared> prepared = co_await prepare_call(who, call);
    if (!prepared) co_return std::unexpected(std::move(prepared.error()));
    asked.params = std::move(prepared->arguments);
    co_return Result<void>();
  }
  const ConsultationRow& row = row_of(asked.kind);
  const auto rules = policy();
  const bool active = !active_version(endpoint).empty();
  if (is_list(row)) {
    const bool visible = rules->may_see(who, endpoint);
    if (!visible || !active) co_return unknown(asked.kind);
    co_return Result<void>();
  }
  CompletionReference of{row.offering.value_or(policy::Offering::prompt), asked.subject};
  if (asked.kind == ConsultationKind::complete) {
    auto reference = read_reference(asked.params, limits);
    if (!reference) co_return std::unexpected(std::move(reference.error()));
    of = *std::move(reference);
    asked.subject = of.name;
  }
  const bool usable = rules->may_use(who, endpoint, of.offering, of.name);
  if (!usable || !active) co_return unknown(asked.kind);
  if (asked.kind == ConsultationKind::get_prompt) {
    co_return check_prompt_arguments(asked.params, limits);
  }
  co_return Result<void>();
}

awaitable<Result<Consulted>> Gateway::consult(Principal who, std::string endpoint,
                                              Consultation asked,
                                              std::shared_ptr<Withdrawal> withdrawal) {
  const ConsultationRow& row = row_of(asked.kind);
  if (const Result<void> charged = charge(who, row.rate); !charged) {
    co_return std::unexpected(charged.error());
  }
  if (const Result<void> permitted = co_await permit(who, endpoint, asked); !permitted) {
    co_return std::unexpected(permitted.error());
  }
  if (is_list(row) && !policy()->any_usable(who, endpoint, *row.offering)) {
    Consulted nothing;
    nothing.result = "[]";
    co_return nothing;
  }
  asked.caller = dispatcher_.caller_token(policy()->party(who).tenant, who.text());
  auto asking = dispatcher_.reserve_asking(endpoint);
  if (!asking) co_return std::unexpected(std::move(asking.error()));
  asked.timeout = std::min(asked.timeout, configuration_.consultation);
  const auto timeout = asked.timeout;
  auto ask = [asked = std::move(asked)](Runtime& runtime,
                                        std::shared_ptr<Withdrawal> until) mutable {
    return runtime.consult(std::move(asked), std::move(until));
  };
  Result<Consulted> answer = co_await ask_runtime<Consulted>(*asking, executor_, timeout,
                                                             std::move(withdrawal), std::move(ask));
  if (!answer) {
    // What the agent does not have and what may not be used are one answer.
    if (answer.error().kind == ErrorKind::not_found) co_return unknown(row.kind);
    co_return answer;
  }
  const bool costly = is_costly(*answer);
  auto check = [&]() -> Result<Consulted> {
    Result<Consulted> checked = check_answer(*std::move(answer), row, consultation_limits());
    if (checked && is_list(row)) {
      const auto rules = policy();
      checked->result = only_usable(
          checked->result, row, consultation_limits(),
          [&](std::string_view name) { return rules->usable(who, endpoint, *row.offering, name); });
    }
    return checked;
  };
  if (!costly) co_return check();
  co_return co_await run_on<Result<Consulted>>(workers_.get_executor(), std::move(check));
}

}  // namespace interline::engine
