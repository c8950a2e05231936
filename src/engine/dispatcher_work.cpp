// From a free slot to a piece of work, and from its end to the next one; and the end of all.
#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include "engine/dispatcher_state.hpp"

namespace interline::engine {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartAfter = 20ms;      // architecture: running is committed at the latest then
constexpr auto kProgressEvery = 100ms;  // ten progress events a second and task
constexpr auto kRetryAfter = 200ms;
constexpr auto kPatience = 5s;  // for work without a task to end once it was told to cancel
// How long drain() waits for the commits of what it interrupts; the next start settles the rest.
constexpr std::chrono::milliseconds kLastCommits = 5s;

tasks::Failure gone() {
  return {std::string(tasks::failure_code::kUnavailable), "The agent behind this endpoint is gone.",
          true};
}

std::shared_ptr<JobServices> services_of(const DispatcherParts& parts) {
  auto services = std::make_shared<JobServices>();
  services->writer = parts.writer;
  services->boot = parts.boot;
  services->limits = parts.limits;
  services->executor = parts.executor;
  services->workers = parts.workers;
  services->start_line = std::make_shared<DelayLine<JobRun>>(
      parts.executor, kStartAfter, [](const std::shared_ptr<JobRun>& job) { job->start_due(); });
  services->progress_line = std::make_shared<DelayLine<JobRun>>(
      parts.executor, kProgressEvery,
      [](const std::shared_ptr<JobRun>& job) { job->progress_due(); });
  services->ask_line = std::make_shared<DelayLine<JobRun>>(
      parts.executor, parts.limits.ask_every,
      [](const std::shared_ptr<JobRun>& job) { job->ask_due(); });
  services->retry_line = std::make_shared<DelayLine<JobRun>>(
      parts.executor, kRetryAfter, [](const std::shared_ptr<JobRun>& job) { job->retry_due(); });
  services->patience_line = std::make_shared<DelayLine<TransientRun>>(
      parts.executor, kPatience,
      [](const std::shared_ptr<TransientRun>& run) { run->out_of_patience(); });
  return services;
}

}  // namespace

Dispatcher::State::State(DispatcherParts some_parts)
    : parts(std::move(some_parts)),
      services(services_of(parts)),
      followups(std::make_shared<Followups>(parts.executor, parts.writer)) {}

std::string Dispatcher::State::caller_token(std::string_view tenant, std::string_view owner) const {
  return parts.token("caller", std::string(tenant).append("/").append(owner));
}

std::string Dispatcher::State::context_token(std::string_view tenant,
                                             std::string_view context) const {
  if (context.empty()) return {};
  return parts.token("context", std::string(tenant).append("/").append(context));
}

JobInput Dispatcher::State::job_input(const tasks::Task& task, bool remembers) const {
  const tasks::Admission& admission = *task.admission;
  JobInput input;
  input.handle = parts.token("handle", admission.id + '/' + std::to_string(parts.boot) + '/' +
                                           std::to_string(task.sequence));
  input.tool = admission.tool;
  input.arguments = admission.arguments;
  if (admission.deadline) input.deadline = admission.deadline->at;
  input.caller = caller_token(admission.tenant, admission.owner);
  input.context = context_token(admission.tenant, admission.context);
  input.metadata = admission.metadata;
  input.answerable = admission.answerable;
  input.state = task.suspended;
  if (task.suspended) {
    input.answers.assign(task.answers.begin() + static_cast<std::ptrdiff_t>(task.resume_from),
                         task.answers.end());
  } else if (!task.memory.empty()) {  // whether its worker had got them nobody knows
    input.answers = task.answers;
  }
  input.memory = task.memory;
  input.repeat_key = parts.token("task", admission.id);
  if (task.pending && !task.suspended && remembers) {
    for (const tasks::Question& open : task.pending->questions) {
      input.open_questions.push_back(open.key);
    }
  }
  return input;
}

bool Dispatcher::State::goes_on(const tasks::Task& task) const {
  if (task.memory.empty() || task.suspended) return false;
  const std::lock_guard lock(mutex);
  const auto lane = lanes.find(task.admission->endpoint);
  return lane != lanes.end() && lane->second.runtime &&
         lane->second.runtime->features().resumable &&
         std::ranges::any_of(lane->second.line,
                             [&task](const Waiting& waiting) { return waiting.task == task.id(); });
}

void Dispatcher::State::launch(const tasks::Task& task) {
  const tasks::Admission& admission = *task.admission;
  std::shared_ptr<Runtime> worker;
  std::shared_ptr<JobRun> job;
  bool late = false;
  {
    const std::lock_guard lock(mutex);
    const auto guard = guards.find(admission.network);
    worker = lanes.find(admission.endpoint)->second.runtime;
    const bool remembers = !task.memory.empty() && worker && worker->features().resumable;
    job = std::make_shared<JobRun>(services, job_input(task, remembers), task,
                                   guard == guards.end() ? BodyGuard() : guard->second);
    jobs[admission.id] = job;
    late = draining;
  }
  if (task.state == tasks::State::cancelling) {  // said while nobody worked on it
    (void)job->deliver_cancel(task.cancel ? task.cancel->reason : std::nullopt);
  }
  if (late) {  // its commit was under way when the end began
    job->interrupt();
    return;
  }
  if (!worker) {
    job->fail(gone());
    return;
  }
  services->start_line->add(job);
  parts.manifests(task, [executor = parts.executor, worker = std::move(worker),
                         job](std::shared_ptr<const catalog::Manifest> manifest) mutable {
    if (!manifest) {
      job->fail(gone());
      return;
    }
    job->use_manifest(std::move(manifest));
    boost::asio::post(executor, [worker = std::move(worker), job = std::move(job)] {
      if (job->begin()) worker->start(job);
    });
  });
}

void Dispatcher::State::launch(const std::string& endpoint,
                               const std::shared_ptr<TransientRun>& run) {
  std::shared_ptr<Runtime> worker;
  {
    const std::lock_guard lock(mutex);
    worker = lanes.find(endpoint)->second.runtime;
  }
  if (!run->begin()) return;
  if (!worker) return run->fail(gone());
  worker->start(run);
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
    give_back();
  }
  fill_slots(endpoint);
}

void Dispatcher::State::fill_slots(const std::string& endpoint) {
  for (;;) {
    Waiting next;
    {
      const std::lock_guard lock(mutex);
      const auto found = lanes.find(endpoint);
      if (found == lanes.end() || draining) return;
      Lane& lane = found->second;
      const bool free = lane.runtime && lane.running < lane.configuration.concurrency;
      if (!free || lane.line.empty()) return;
      next = std::move(lane.line.front());
      lane.line.pop_front();
      ++taken;
      ++lane.running;  // held until the dispatch is committed, however often that is tried
      if (next.run) next.run->in_line = false;
    }
    if (next.run) {
      // Posted: it may end at once, and the next one begin.
      boost::asio::post(parts.executor,
                        [self = shared_from_this(), endpoint, run = std::move(next.run)] {
                          self->launch(endpoint, run);
                        });
      continue;
    }
    followups->send(
        std::move(next.task), tasks::Dispatch{parts.boot},
        [self = shared_from_this(), endpoint](const Result<TaskWriter::Applied>& answer) {
          self->dispatched(endpoint, answer);
        });
  }
}

void Dispatcher::State::dispatched(const std::string& endpoint,
                                   const Result<TaskWriter::Applied>& answer) {
  if (answer && answer->outcome.reply.kind == tasks::Reply::Kind::accepted) {
    launch(answer->task);
    return;
  }
  // Settled, cancelled, held or gone meanwhile. Posted: no recursion through the whole line.
  boost::asio::post(parts.executor,
                    [self = shared_from_this(), endpoint] { self->free_slot(endpoint); });
}

std::shared_ptr<JobRun> Dispatcher::State::job_of(const std::string& task) const {
  const std::lock_guard lock(mutex);
  const auto found = jobs.find(task);
  return found == jobs.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<JobRun>> Dispatcher::State::all_jobs() const {
  const std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<JobRun>> all;
  all.reserve(jobs.size());
  for (const auto& [task, job] : jobs) all.push_back(job);
  return all;
}

// --- the end ------------------------------------------------------------------------------------

boost::asio::awaitable<void> Dispatcher::State::quiet(std::chrono::milliseconds longest) {
  std::shared_ptr<Countdown> last;
  {
    const std::lock_guard lock(mutex);
    if (taken == 0) co_return;
    last = std::make_shared<Countdown>(parts.executor, 1);
    last_slot = last;
  }
  co_await last->wait(longest);
}

void Dispatcher::State::end_attended(End how) {
  std::vector<std::shared_ptr<Attended>> all;
  {
    const std::lock_guard lock(mutex);
    end = std::max(end, how);
    all.assign(attended.begin(), attended.end());
  }
  for (const auto& one : all) how == End::abandoned ? one->abandon() : one->interrupt();
}

void Dispatcher::close() {
  const std::lock_guard lock(state_->mutex);
  state_->draining = true;
}

boost::asio::awaitable<void> Dispatcher::drain(std::chrono::milliseconds grace) {
  const std::shared_ptr<State> state = state_;
  std::vector<std::shared_ptr<Runtime>> runtimes;
  std::vector<std::shared_ptr<TransientRun>> in_line;  // no next start knows them
  {
    const std::lock_guard lock(state->mutex);
    state->draining = true;
    for (auto& [name, lane] : state->lanes) {
      if (lane.runtime) runtimes.push_back(lane.runtime);
      for (const Waiting& waiting : lane.line) {
        if (waiting.run) in_line.push_back(waiting.run);
      }
    }
  }
  for (const auto& run : in_line) run->interrupt();
  auto drained = std::make_shared<Countdown>(state->parts.executor, runtimes.size());
  for (const auto& runtime : runtimes) {
    auto arrive = [runtime, drained](const std::exception_ptr&) { drained->arrive(); };
    boost::asio::co_spawn(state->parts.executor, runtime->drain(grace), std::move(arrive));
  }
  co_await state->quiet(grace);
  for (const auto& job : state->all_jobs()) job->interrupt();
  state->end_attended(State::End::interrupted);
  co_await state->quiet(kLastCommits);
  co_await drained->wait(kLastCommits);
}

void Dispatcher::abandon() {
  state_->followups->stop();
  state_->services->start_line->stop();
  state_->services->progress_line->stop();
  state_->services->ask_line->stop();
  state_->services->retry_line->stop();
  state_->services->patience_line->stop();
  std::vector<std::shared_ptr<Runtime>> runtimes;  // ended without the lock
  {
    const std::lock_guard lock(state_->mutex);
    state_->draining = true;
    for (auto& [name, lane] : state_->lanes) runtimes.push_back(std::move(lane.runtime));
  }
  for (const auto& job : state_->all_jobs()) job->abandon();
  state_->end_attended(State::End::abandoned);
}

}  // namespace interline::engine
