#include "engine/dispatcher.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartAfter = 20ms;      // architecture: running is committed at the latest then
constexpr auto kProgressEvery = 100ms;  // ten progress events a second and task
constexpr auto kRetryAfter = 200ms;

Error no_runtime() {
  return {ErrorKind::unavailable, "The agent behind this endpoint is not available now."};
}

}  // namespace

struct Dispatcher::State {
  struct Lane {
    std::shared_ptr<Runtime> runtime;
    LaneConfiguration configuration;
    std::size_t running = 0;   // slots taken, reserved ones included
    std::size_t reserved = 0;  // places in the line that no task stands in yet
    std::deque<std::string> line;
    bool open = true;
  };

  State(boost::asio::any_io_executor an_executor, TaskWriter& a_writer, std::uint64_t a_boot,
        const OutputLimits& limits, PinnedManifest a_manifests, OpaqueToken a_token)
      : executor(an_executor),
        writer(a_writer),
        boot(a_boot),
        manifests(std::move(a_manifests)),
        token(std::move(a_token)) {
    services.writer = &writer;
    services.limits = limits;
    services.executor = executor;
    services.start_line = std::make_shared<DelayLine<JobRun>>(
        executor, kStartAfter, [](const std::shared_ptr<JobRun>& job) { job->start_due(); });
    services.progress_line = std::make_shared<DelayLine<JobRun>>(
        executor, kProgressEvery, [](const std::shared_ptr<JobRun>& job) { job->progress_due(); });
    services.retry_line = std::make_shared<DelayLine<JobRun>>(
        executor, kRetryAfter, [](const std::shared_ptr<JobRun>& job) { job->retry_due(); });
    services.ended = [this](JobRun& job) { job_ended(job); };
  }

  void launch(const tasks::Task& task);
  void job_ended(JobRun& job);
  void free_slot(const std::string& endpoint);
  void take_next(const std::string& endpoint);
  void dispatched(const std::string& endpoint, Result<TaskWriter::Applied> answer);
  [[nodiscard]] std::shared_ptr<JobRun> job_of(const std::string& task) const;
  [[nodiscard]] JobInput job_input(const tasks::Task& task) const;

  const boost::asio::any_io_executor executor;
  TaskWriter& writer;
  const std::uint64_t boot;
  const PinnedManifest manifests;
  const OpaqueToken token;
  JobServices services;

  mutable std::mutex mutex;
  std::map<std::string, Lane, std::less<>> lanes;                 // guarded by mutex, as below
  std::unordered_map<std::string, std::shared_ptr<JobRun>> jobs;  // by task
  bool draining = false;
};

Dispatcher::Dispatcher(boost::asio::any_io_executor executor, TaskWriter& writer,
                       std::uint64_t boot, const OutputLimits& limits, PinnedManifest manifests,
                       OpaqueToken token)
    : state_(std::make_unique<State>(std::move(executor), writer, boot, limits,
                                     std::move(manifests), std::move(token))) {}

Dispatcher::~Dispatcher() {
  state_->services.start_line->stop();
  state_->services.progress_line->stop();
  state_->services.retry_line->stop();
}

std::uint64_t Dispatcher::boot() const {
  return state_->boot;
}

void Dispatcher::open_lane(const std::string& endpoint, std::shared_ptr<Runtime> runtime,
                           const LaneConfiguration& configuration) {
  const std::lock_guard lock(state_->mutex);
  State::Lane& lane = state_->lanes[endpoint];
  lane.runtime = std::move(runtime);
  lane.configuration = configuration;
  lane.open = true;
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
  if (state_->draining || found == state_->lanes.end() || !found->second.open) {
    return std::unexpected(no_runtime());
  }
  State::Lane& lane = found->second;
  if (!lane.configuration.cold_start && !lane.runtime->available()) {
    return std::unexpected(no_runtime());
  }
  if (lane.running < lane.configuration.concurrency && lane.line.empty()) {
    ++lane.running;
    return Place(*this, endpoint, true);
  }
  if (lane.line.size() + lane.reserved >= lane.configuration.queue) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "Too many tasks wait for this agent; try again later.");
  }
  ++lane.reserved;
  return Place(*this, endpoint, false);
}

Dispatcher::Place::Place(Place&& other) noexcept
    : dispatcher_(std::exchange(other.dispatcher_, nullptr)),
      endpoint_(std::move(other.endpoint_)),
      immediate_(other.immediate_) {}

Dispatcher::Place::~Place() {
  if (dispatcher_ == nullptr) return;
  if (immediate_) {
    dispatcher_->state_->free_slot(endpoint_);
    return;
  }
  const std::lock_guard lock(dispatcher_->state_->mutex);
  --dispatcher_->state_->lanes.find(endpoint_)->second.reserved;
}

void Dispatcher::Place::use(const tasks::Task& task) {
  State& state = *std::exchange(dispatcher_, nullptr)->state_;
  if (immediate_) {
    state.launch(task);
    return;
  }
  {
    const std::lock_guard lock(state.mutex);
    State::Lane& lane = state.lanes.find(endpoint_)->second;
    --lane.reserved;
    lane.line.push_back(task.id());
  }
  state.take_next(endpoint_);
}

// --- work ---------------------------------------------------------------------------------------

JobInput Dispatcher::State::job_input(const tasks::Task& task) const {
  const tasks::Admission& admission = *task.admission;
  JobInput input;
  input.handle = token(
      "handle", admission.id + '/' + std::to_string(boot) + '/' + std::to_string(task.sequence));
  input.tool = admission.tool;
  input.arguments = admission.arguments;
  if (admission.deadline) input.deadline = admission.deadline->at;
  input.caller = token("caller", admission.tenant + '/' + admission.owner);
  if (!admission.context.empty()) {
    input.context = token("context", admission.tenant + '/' + admission.context);
  }
  input.metadata = admission.metadata;
  input.answerable = admission.answerable;
  input.state = task.suspended;
  if (task.suspended) {
    input.answers.assign(task.answers.begin() + static_cast<std::ptrdiff_t>(task.resume_from),
                         task.answers.end());
  }
  input.memory = task.memory;
  return input;
}

void Dispatcher::State::launch(const tasks::Task& task) {
  const std::string& endpoint = task.admission->endpoint;
  auto manifest = manifests(task);
  std::shared_ptr<Runtime> worker;
  std::shared_ptr<JobRun> job;
  {
    const std::lock_guard lock(mutex);
    const auto lane = lanes.find(endpoint);
    worker = lane->second.runtime;
    if (manifest && worker) {
      job = std::make_shared<JobRun>(services, job_input(task), task.id(), endpoint,
                                     std::move(manifest), task.state);
      jobs[task.id()] = job;
    }
  }
  if (!job) {
    const Result<void> queued =
        writer.submit(task.id(),
                      tasks::Fail{tasks::Failure(std::string(tasks::failure_code::kUnavailable),
                                                 "The agent behind this endpoint is gone.", true)},
                      {}, [](const Result<TaskWriter::Applied>&) {});
    (void)queued;  // where even that has no place, recovery settles it
    free_slot(endpoint);
    return;
  }
  services.start_line->add(job);
  boost::asio::post(executor,
                    [worker = std::move(worker), job = std::move(job)] { worker->start(job); });
}

void Dispatcher::State::job_ended(JobRun& job) {
  {
    const std::lock_guard lock(mutex);
    const auto found = jobs.find(job.task());
    if (found != jobs.end() && found->second.get() == &job) jobs.erase(found);
  }
  free_slot(job.endpoint());
}

void Dispatcher::State::free_slot(const std::string& endpoint) {
  {
    const std::lock_guard lock(mutex);
    --lanes.find(endpoint)->second.running;
  }
  take_next(endpoint);
}

/// Moves the first of the line to a free slot: commits the dispatch, then starts the work.
void Dispatcher::State::take_next(const std::string& endpoint) {
  std::string task;
  {
    const std::lock_guard lock(mutex);
    const auto found = lanes.find(endpoint);
    if (found == lanes.end()) return;
    Lane& lane = found->second;
    const bool free = lane.runtime && lane.running < lane.configuration.concurrency;
    if (draining || !free || lane.line.empty()) return;
    task = std::move(lane.line.front());
    lane.line.pop_front();
    ++lane.running;
  }
  const Result<void> queued = writer.submit(task, tasks::Dispatch{boot}, {},
                                            [this, endpoint](Result<TaskWriter::Applied> answer) {
                                              dispatched(endpoint, std::move(answer));
                                            });
  if (queued) return;
  const std::lock_guard lock(mutex);  // no place in the committer: stay first in line
  Lane& lane = lanes.find(endpoint)->second;
  --lane.running;
  lane.line.push_front(std::move(task));
}

void Dispatcher::State::dispatched(const std::string& endpoint,
                                   Result<TaskWriter::Applied> answer) {
  if (answer && answer->outcome.reply.kind == tasks::Reply::Kind::accepted) {
    launch(answer->task);
    return;
  }
  boost::asio::post(executor, [this, endpoint] { free_slot(endpoint); });
}

std::shared_ptr<JobRun> Dispatcher::State::job_of(const std::string& task) const {
  const std::lock_guard lock(mutex);
  const auto found = jobs.find(task);
  return found == jobs.end() ? nullptr : found->second;
}

// --- effects ------------------------------------------------------------------------------------

void Dispatcher::wait_in_line(const tasks::Task& task) {
  const std::string& endpoint = task.admission->endpoint;
  {
    const std::lock_guard lock(state_->mutex);
    State::Lane& lane = state_->lanes[endpoint];  // an endpoint without a runtime keeps its line
    lane.line.push_back(task.id());
  }
  boost::asio::post(state_->executor,
                    [state = state_.get(), endpoint] { state->take_next(endpoint); });
}

void Dispatcher::deliver_answers(const tasks::Task& task, std::size_t how_many) {
  const auto job = state_->job_of(task.id());
  if (!job) return;
  job->deliver({task.answers.end() - static_cast<std::ptrdiff_t>(how_many), task.answers.end()});
  if (task.state != tasks::State::input_required) job->resumed();
}

void Dispatcher::tell_cancel(const tasks::Task& task) {
  if (const auto job = state_->job_of(task.id())) {
    job->deliver_cancel(task.cancel ? task.cancel->reason : std::nullopt);
    return;
  }
  // Nobody works on it: it is cancelled as soon as that is committed.
  const Result<void> queued = state_->writer.submit(task.id(), tasks::ConfirmCancelled{}, {},
                                                    [](const Result<TaskWriter::Applied>&) {});
  (void)queued;  // without a place now, recovery settles it
}

void Dispatcher::stop_work(const tasks::Task& task) {
  if (const auto job = state_->job_of(task.id())) job->stop();
}

void Dispatcher::leave_line(const tasks::Task& task) {
  const std::lock_guard lock(state_->mutex);
  const auto found = state_->lanes.find(task.admission->endpoint);
  if (found == state_->lanes.end()) return;
  std::erase(found->second.line, task.id());
}

boost::asio::awaitable<void> Dispatcher::drain(std::chrono::milliseconds grace) {
  std::vector<std::shared_ptr<Runtime>> runtimes;
  {
    const std::lock_guard lock(state_->mutex);
    state_->draining = true;
    for (auto& [name, lane] : state_->lanes) {
      if (lane.runtime) runtimes.push_back(lane.runtime);
    }
  }
  for (const auto& runtime : runtimes) co_await runtime->drain(grace);
}

}  // namespace interline::engine
