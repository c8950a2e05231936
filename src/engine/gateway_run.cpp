// Calls without a task: the checks of an admission, then the work, and nothing on the disk.
#include <utility>

#include "engine/gateway.hpp"
#include "engine/gateway_prepared.hpp"
#include "engine/suspend.hpp"
#include "engine/transient_run.hpp"

namespace interline::engine {
namespace {

/// Ends a withdrawal's hold on the run when the run has ended.
class Heard {
 public:
  Heard(std::shared_ptr<Withdrawal> withdrawal, const std::shared_ptr<TransientRun>& run)
      : withdrawal_(std::move(withdrawal)) {
    if (!withdrawal_) return;
    withdrawal_->on_withdraw([weak = std::weak_ptr(run)] {
      if (const auto listening = weak.lock()) listening->withdraw();
    });
  }
  Heard(const Heard&) = delete;
  Heard& operator=(const Heard&) = delete;
  ~Heard() {
    if (withdrawal_) withdrawal_->on_withdraw(nullptr);
  }

 private:
  const std::shared_ptr<Withdrawal> withdrawal_;
};

}  // namespace

awaitable<Result<RunOutcome>> Gateway::run(Principal who, Invocation invocation,
                                           RunListener listener,
                                           std::shared_ptr<Withdrawal> withdrawal) {
  const std::string network = invocation.network;
  auto outcome = co_await run_uncounted(std::move(who), std::move(invocation), std::move(listener),
                                        std::move(withdrawal));
  if (outcome) {
    counters_.accepted(network, false);
  } else {
    counters_.refused(network, outcome.error().kind);
  }
  co_return outcome;
}

awaitable<Result<RunOutcome>> Gateway::run_uncounted(Principal who, Invocation invocation,
                                                     RunListener listener,
                                                     std::shared_ptr<Withdrawal> withdrawal) {
  Result<Prepared> prepared = co_await prepare_call(who, invocation);
  if (!prepared) co_return std::unexpected(std::move(prepared.error()));
  const auto counted = open_tasks_.reserve(who.text());
  if (!counted) co_return std::unexpected(counted.error());
  auto place = dispatcher_.reserve(invocation.endpoint);
  if (!place) co_return std::unexpected(std::move(place.error()));
  if (place->durable()) {
    co_return fail(ErrorKind::not_acceptable, "Calls of this endpoint are tasks.");
  }
  const RuntimeFeatures features = place->features();
  const catalog::Tool& tool = *prepared->tool;
  const std::string tenant = policy()->party(who).tenant;

  TransientRun::Parts parts;
  parts.services = dispatcher_.services();
  parts.input.handle = writer_->fresh_id();
  parts.input.tool = tool.name;
  parts.input.arguments = std::move(prepared->arguments);
  parts.input.deadline = prepared->deadline->at;
  parts.input.caller = dispatcher_.caller_token(tenant, who.text());
  parts.input.context = dispatcher_.context_token(tenant, invocation.context);
  parts.input.metadata = std::move(invocation.metadata);
  parts.input.state = std::move(invocation.prepared);
  parts.input.answers = std::move(invocation.answers);
  parts.guard = dispatcher_.guard(invocation.network);
  parts.listener = std::move(listener);
  parts.clock = &clock_;
  parts.due = prepared->deadline->at.ceil();
  parts.deadline_source = prepared->deadline->source;
  parts.cancellable = tool.supports_cancellation && features.cancel;
  parts.reports_progress = tool.supports_progress && features.progress;
  parts.manifest = prepared->manifest;

  auto run = std::make_shared<TransientRun>(std::move(parts));
  const auto due = run_deadlines_->add(prepared->deadline->at.ceil(), run);
  Dispatcher::Running running = place->use(run);
  const Heard heard(std::move(withdrawal), run);
  running.start();
  if (auto ended = run->ended()) co_return *std::move(ended);
  auto start = [run](TransientRun::Resume resume) { run->wait(std::move(resume)); };
  co_return co_await suspend<Result<RunOutcome>>(std::move(start));
}

}  // namespace interline::engine
