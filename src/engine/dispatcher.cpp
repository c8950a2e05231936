#include "engine/dispatcher.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "engine/dispatcher_state.hpp"

namespace interline::engine {
namespace {

Error no_runtime() {
  return {ErrorKind::unavailable, "The agent behind this endpoint is not available now."};
}

Error ending() {
  return {ErrorKind::unavailable, "The gateway is ending and takes no new calls."};
}

}  // namespace

Dispatcher::Dispatcher(DispatcherParts parts) : state_(std::make_shared<State>(std::move(parts))) {
  state_->services->ended = [weak = std::weak_ptr(state_)](JobRun& job) {
    if (const auto state = weak.lock()) state->job_ended(job);
  };
}

Dispatcher::~Dispatcher() {
  abandon();
}

std::uint64_t Dispatcher::boot() const {
  return state_->parts.boot;
}

std::uint64_t Dispatcher::discarded_reports() const {
  return state_->services->discarded;
}

// --- lanes --------------------------------------------------------------------------------------

void Dispatcher::open_lane(const std::string& endpoint, std::shared_ptr<Runtime> runtime,
                           const LaneConfiguration& configuration) {
  {
    const std::lock_guard lock(state_->mutex);
    State::Lane& lane = state_->lanes[endpoint];
    lane.runtime = std::move(runtime);
    lane.configuration = configuration;
    lane.open = true;
  }
  state_->fill_slots(endpoint);
}

void Dispatcher::close_lane(const std::string& endpoint) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(endpoint);
  if (found != state_->lanes.end()) found->second.open = false;
}

std::shared_ptr<Runtime> Dispatcher::runtime(std::string_view endpoint) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(endpoint);
  return found == state_->lanes.end() || !found->second.open ? nullptr : found->second.runtime;
}

std::optional<LaneConfiguration> Dispatcher::configuration(std::string_view endpoint) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(endpoint);
  if (found == state_->lanes.end() || !found->second.open) return std::nullopt;
  return found->second.configuration;
}

void Dispatcher::guard(const std::string& network, BodyGuard guard) {
  const std::lock_guard lock(state_->mutex);
  state_->guards[network] = std::move(guard);
}

Dispatcher::Load Dispatcher::load(std::string_view endpoint) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(endpoint);
  if (found == state_->lanes.end()) return {};
  return {found->second.running, found->second.line.size() + found->second.reserved};
}

// --- places -------------------------------------------------------------------------------------

Result<Dispatcher::Place> Dispatcher::reserve(const std::string& endpoint) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(endpoint);
  if (state_->draining) return std::unexpected(ending());
  if (found == state_->lanes.end()) return std::unexpected(no_runtime());
  State::Lane& lane = found->second;
  if (!lane.serves()) return std::unexpected(no_runtime());
  const bool immediate = lane.running < lane.configuration.concurrency && lane.line.empty();
  if (!immediate && lane.line.size() + lane.reserved >= lane.configuration.queue) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "Too many tasks wait for this agent; try again later.");
  }
  ++(immediate ? lane.running : lane.reserved);
  if (immediate) ++state_->taken;
  Place place(state_, endpoint, immediate);
  place.features_ = lane.runtime->features();
  place.durable_ = lane.configuration.durable;
  place.rerun_on_restart_ = lane.configuration.rerun_on_restart;
  return place;
}

Dispatcher::Place::Place(Place&&) noexcept = default;

Dispatcher::Place::~Place() {
  if (!state_) return;
  if (immediate_) {
    state_->free_slot(endpoint_);
  } else {
    state_->take_back_place(endpoint_);
  }
}

void Dispatcher::Place::use(const tasks::Task& task) {
  const std::shared_ptr<State> state = std::exchange(state_, nullptr);
  if (immediate_) {
    state->launch(task);
    return;
  }
  {
    const std::lock_guard lock(state->mutex);
    State::Lane& lane = state->lanes.find(endpoint_)->second;
    --lane.reserved;
    lane.line.push_back({task.id(), nullptr});
  }
  state->fill_slots(endpoint_);
}

Dispatcher::Running Dispatcher::Place::use(std::shared_ptr<TransientRun> run) {
  const std::shared_ptr<State> state = std::exchange(state_, nullptr);
  run->in_line = !immediate_;
  if (!immediate_) {
    const std::lock_guard lock(state->mutex);
    State::Lane& lane = state->lanes.find(endpoint_)->second;
    --lane.reserved;
    lane.line.push_back({{}, run});
  }
  return {state, std::move(endpoint_), std::move(run)};
}

Dispatcher::Running::Running(std::shared_ptr<State> state, std::string endpoint,
                             std::shared_ptr<TransientRun> run)
    : state_(std::move(state)),
      endpoint_(std::move(endpoint)),
      run_(std::move(run)),
      attendance_(state_, run_) {}

void Dispatcher::Running::start() {
  bool has_slot = false;
  bool draining = false;
  {
    const std::lock_guard lock(state_->mutex);
    has_slot = !run_->in_line;
    draining = state_->draining;
  }
  if (has_slot) {
    state_->launch(endpoint_, run_);
  } else if (draining) {
    run_->interrupt();  // its place was reserved before the drain, which did not see it in the line
  } else {
    state_->fill_slots(endpoint_);
  }
}

Dispatcher::Running::~Running() {
  if (!state_) return;  // moved from
  run_->release();
  {
    const std::lock_guard lock(state_->mutex);
    if (run_->in_line) {
      std::erase_if(state_->lanes.find(endpoint_)->second.line,
                    [this](const Waiting& waiting) { return waiting.run == run_; });
      return;
    }
  }
  state_->free_slot(endpoint_);
}

void Dispatcher::State::take_back_place(const std::string& endpoint) {
  const std::lock_guard lock(mutex);
  --lanes.find(endpoint)->second.reserved;
}

// --- outside of tasks ---------------------------------------------------------------------------

Result<Dispatcher::Asking> Dispatcher::reserve_asking(const std::string& endpoint) {
  std::shared_ptr<Runtime> runtime;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->lanes.find(endpoint);
    if (state_->draining) return std::unexpected(ending());
    if (found == state_->lanes.end() || !found->second.serves()) {
      return std::unexpected(no_runtime());
    }
    State::Lane& lane = found->second;
    if (lane.asked >= lane.configuration.consultations) {
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "This agent is asked too much at once; try again later.");
    }
    ++lane.asked;
    ++state_->taken;
    runtime = lane.runtime;
  }
  return Asking(state_, endpoint, std::move(runtime));
}

const std::shared_ptr<JobServices>& Dispatcher::services() const {
  return state_->services;
}

BodyGuard Dispatcher::guard(std::string_view network) const {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->guards.find(network);
  return found == state_->guards.end() ? BodyGuard() : found->second;
}

std::string Dispatcher::context_token(std::string_view tenant, std::string_view context) const {
  return state_->context_token(tenant, context);
}

std::string Dispatcher::caller_token(std::string_view tenant, std::string_view owner) const {
  return state_->caller_token(tenant, owner);
}

Dispatcher::Asking::Asking(std::shared_ptr<State> state, std::string endpoint,
                           std::shared_ptr<Runtime> runtime)
    : state_(std::move(state)),
      runtime_(std::move(runtime)),
      place_(nullptr, [state = state_, endpoint = std::move(endpoint)](std::nullptr_t) {
        const std::lock_guard lock(state->mutex);
        --state->lanes.find(endpoint)->second.asked;
      }) {}

Dispatcher::Asking::~Asking() {
  if (!state_) return;  // moved from
  const std::lock_guard lock(state_->mutex);
  state_->give_back();
}

Dispatcher::Attendance::Attendance(std::shared_ptr<State> state, std::shared_ptr<Attended> what)
    : state_(std::move(state)), what_(std::move(what)) {
  State::End end{};
  {
    const std::lock_guard lock(state_->mutex);
    state_->attended.insert(what_);
    end = state_->end;
  }
  if (end == State::End::interrupted) what_->interrupt();
  if (end == State::End::abandoned) what_->abandon();
}

Dispatcher::Attendance::~Attendance() {
  if (!state_) return;  // moved from
  const std::lock_guard lock(state_->mutex);
  state_->attended.erase(what_);
}

// --- effects ------------------------------------------------------------------------------------

void Dispatcher::wait_in_line(const tasks::Task& task) {
  const std::string& endpoint = task.admission->endpoint;
  {
    const std::lock_guard lock(state_->mutex);
    State::Lane& lane = state_->lanes[endpoint];  // an endpoint without a runtime keeps its line
    lane.line.push_back({task.id(), nullptr});
  }
  // Posted: the effects of one commit end before the next begins.
  boost::asio::post(state_->parts.executor,
                    [state = state_, endpoint] { state->fill_slots(endpoint); });
}

void Dispatcher::deliver_answers(const tasks::Task& task, std::size_t how_many) {
  const auto job = state_->job_of(task.id());
  if (!job) return;
  job->deliver({task.answers.end() - static_cast<std::ptrdiff_t>(how_many), task.answers.end()});
  if (task.state != tasks::State::input_required) job->resumed();
}

void Dispatcher::tell_cancel(const tasks::Task& task) {
  const auto job = state_->job_of(task.id());
  if (job && job->deliver_cancel(task.cancel ? task.cancel->reason : std::nullopt)) return;
  if (state_->goes_on(task)) return;
  // Nobody works on it: it is cancelled as soon as that is committed.
  state_->followups->send(task.id(), tasks::ConfirmCancelled{});
}

void Dispatcher::stop_work(const tasks::Task& task) {
  if (const auto job = state_->job_of(task.id())) job->stop();
}

void Dispatcher::leave_line(const tasks::Task& task) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(task.admission->endpoint);
  if (found == state_->lanes.end()) return;
  std::erase_if(found->second.line,
                [&task](const Waiting& waiting) { return waiting.task == task.id(); });
}

}  // namespace interline::engine
