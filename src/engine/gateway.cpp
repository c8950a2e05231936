#include "engine/gateway.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/base64.hpp"

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

/// 128 bits of a keyed hash: the same for the same text, and nothing else to be learnt from it.
std::string opaque(const std::string& key, std::string_view kind, std::string_view text) {
  const Digest digest = hmac_sha256(key, {kind, std::string_view("\0", 1), text});
  return encode_base64url(BytesView(digest).first(16));
}

}  // namespace

Gateway::Gateway(boost::asio::any_io_executor executor, store::Store& store, const Clock& clock,
                 Logger log, GatewayConfiguration configuration,
                 std::shared_ptr<const policy::Policy> policy, std::function<void()> on_uncertain)
    : executor_(executor),
      store_(store),
      clock_(clock),
      log_(std::move(log)),
      configuration_(std::move(configuration)),
      limiter_(configuration_.rates),
      directory_(configuration_.domain),
      manifests_(configuration_.manifests_cached),
      retention_clock_(clock, std::max(configuration_.retention, configuration_.replay_window)),
      in_flight_(configuration_.committer.waiting),
      open_tasks_(configuration_.open_tasks),
      workers_(configuration_.worker_threads),
      policy_(std::move(policy)),
      hub_(store, configuration_.followers),
      timers_(executor, store, clock,
              [this](const std::string& task) {
                auto again = [this, task](const Result<TaskWriter::Applied>& answer) {
                  if (!answer && answer.error().kind != ErrorKind::not_found) {
                    timers_.try_again(task);
                  }
                };
                if (!writer_->submit(task, tasks::Tick{}, {}, again)) timers_.try_again(task);
              }),
      purge_timer_(timers_.executor()),
      committer_(std::make_shared<Committer>(store, retention_clock_, configuration_.committer,
                                             std::move(on_uncertain))),
      writer_(std::make_shared<TaskWriter>(committer_, clock)),
      dispatcher_(DispatcherParts{
          executor, workers_.get_executor(), writer_, store.boot(), configuration_.output,
          [this](const tasks::Task& task, GivenManifest given) {
            give_pinned(task, std::move(given));
          },
          [key = configuration_.token_key](std::string_view kind, std::string_view text) {
            return opaque(key, kind, text);
          }}),
      run_deadlines_(std::make_shared<RunDeadlines>(executor, clock)),
      changes_(std::make_shared<ChangeHub>()),
      followed_(make_followed()) {
  writer_->observe(*this);
}

Gateway::~Gateway() {
  stop();
  workers_.join();
}

void Gateway::stop() {
  committer_->stop();  // nothing is called from its thread after that
  dispatcher_.abandon();
  run_deadlines_->stop();
  followed_->stop();
  hub_.close();
  timers_.stop();
}

std::shared_ptr<const policy::Policy> Gateway::policy() const {
  const std::lock_guard lock(mutex_);
  return policy_;
}

void Gateway::use_policy(std::shared_ptr<const policy::Policy> policy) {
  {
    const std::lock_guard lock(mutex_);
    policy_ = std::move(policy);
  }
  directory_.forget_classes();
  changes_->tell_all("");
}

Result<void> Gateway::charge(const Principal& who, policy::RateClass operation) {
  return limiter_.charge(who, operation, policy()->is_federated(who), clock_.steady());
}

bool Gateway::closed_lane_has_work(std::string_view endpoint) const {
  if (dispatcher_.runtime(endpoint)) return false;
  const Dispatcher::Load load = dispatcher_.load(endpoint);
  return load.running + load.waiting > 0;
}

Gateway::Statistics Gateway::statistics() const {
  Statistics statistics;
  statistics.committer = committer_->statistics();
  statistics.counts = counters_.read();
  statistics.discarded_reports = dispatcher_.discarded_reports();
  statistics.retention_hold = retention_clock_.hold();
  statistics.followers = hub_.count();
  return statistics;
}

// --- what follows a commit, on the committer's thread
// ---------------------------------------------

void Gateway::on_commit(std::string network, Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_[std::move(network)] = std::make_shared<const Listener>(std::move(listener));
}

void Gateway::on_result(std::string network, BodyGuard guard) {
  dispatcher_.guard(network, std::move(guard));
}

void Gateway::admitted(const tasks::Task& task) {
  counters_.opened(task.state);
  timers_.consider(task);
}

void Gateway::committed(const tasks::Task& task, const tasks::Outcome& outcome) {
  counters_.moved(outcome.before, task.state);
  if (tasks::is_terminal(task.state) && !tasks::is_terminal(outcome.before)) {
    open_tasks_.ended(task.admission->owner);
  }
  timers_.consider(task);
  for (const tasks::Effect effect : outcome.effects) {
    switch (effect) {
      case tasks::Effect::deliver_answers: {
        const auto fresh = std::ranges::count_if(
            task.answers,
            [&task](const tasks::Answer& answer) { return answer.revision == task.revision; });
        dispatcher_.deliver_answers(task, static_cast<std::size_t>(fresh));
        break;
      }
      case tasks::Effect::redispatch:
      case tasks::Effect::dispatchable:
        dispatcher_.wait_in_line(task);
        break;
      case tasks::Effect::tell_cancel:
        dispatcher_.tell_cancel(task);
        break;
      case tasks::Effect::stop_work:
        dispatcher_.stop_work(task);
        break;
      case tasks::Effect::settled:
        if (task.dispatched_boot == 0) dispatcher_.leave_line(task);
        break;
    }
  }
  if (!outcome.entry) return;
  if (outcome.entry->type == tasks::EntryType::held) dispatcher_.leave_line(task);
  hub_.committed(task);
  std::shared_ptr<const Listener> listener;
  {
    const std::lock_guard lock(mutex_);
    const auto found = listeners_.find(task.admission->network);
    if (found != listeners_.end()) listener = found->second;
  }
  if (listener) (*listener)(task, *outcome.entry);
}

// --- start and end ------------------------------------------------------------------------------

awaitable<Result<void>> Gateway::start() {
  if (Result<void> resumed = resume_hold(); !resumed) co_return resumed;
  if (Result<void> loaded = load_directory(); !loaded) co_return loaded;
  if (Result<void> recovered = co_await recover(); !recovered) co_return recovered;
  if (Result<void> timers = timers_.load(); !timers) co_return timers;
  boost::asio::co_spawn(timers_.executor(), timers_.run(), boost::asio::detached);
  boost::asio::co_spawn(timers_.executor(), purge_regularly(), boost::asio::detached);
  co_return Result<void>();
}

awaitable<void> Gateway::drain(std::chrono::milliseconds grace) {
  co_await dispatcher_.drain(grace);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  timers_.stop();
  boost::asio::post(purge_timer_.get_executor(), [this] { purge_timer_.cancel(); });
}

// --- records ------------------------------------------------------------------------------------

awaitable<Result<void>> Gateway::change_records(std::vector<store::RecordChange> changes) {
  store::ChangeRecords change;
  change.records = std::move(changes);
  std::vector<std::pair<std::string, std::string>> cached;
  for (const store::RecordChange& one : change.records) {
    const store::Record& record = one.record;
    if (keys_.keeps({record.binding, record.kind, record.key})) {
      cached.emplace_back(record.kind, record.key);
    }
  }
  store::Work work = std::move(change);
  auto done = co_await writer_->perform(std::move(work), Urgency::essential);
  for (const auto& [kind, key] : cached) keys_.forget(kind, key);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::get<store::ChangeRecords>(*done).answer;
}

awaitable<Result<std::optional<store::Record>>> Gateway::record(store::RecordKey key) {
  if (!keys_.keeps(key)) co_return store_.record(key);
  if (auto kept = keys_.find(key)) co_return kept;
  const RecordCache::Ticket ticket = keys_.ticket();
  auto record = store_.record(key);
  if (record && *record) keys_.put(ticket, **record);
  co_return record;
}

awaitable<Result<std::vector<store::Record>>> Gateway::records(std::string binding,
                                                               std::string kind, std::string after,
                                                               std::size_t limit) {
  co_return store_.records(binding, kind, after, limit);
}

void Gateway::audit(std::string tenant, std::string type, std::string body_json) {
  store::Audit audit;
  audit.tenant = std::move(tenant);
  audit.type = std::move(type);
  audit.body = std::move(body_json);
  writer_->perform_unattended(std::move(audit));
}

}  // namespace interline::engine
