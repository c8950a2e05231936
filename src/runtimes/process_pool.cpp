#include "runtimes/process_pool.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "base/disclosure.hpp"
#include "base/random.hpp"
#include "net/deadline.hpp"

namespace interline::runtimes {

ProcessPool::ProcessPool(const net::Executor& executor, ProcessConfiguration configuration,
                         Logger log, MakeWorker make_worker)
    : strand_(net::new_strand(executor)),
      configuration_(std::move(configuration)),
      log_(std::move(log)),
      make_worker_(std::move(make_worker)),
      pauses_(configuration_.backoff_min, configuration_.backoff_max),
      backoff_(strand_),
      changed_(strand_) {}

void ProcessPool::open() {
  boost::asio::post(strand_, [self = shared_from_this()] { self->advance(); });
}

void ProcessPool::start(std::shared_ptr<engine::Job> job) {
  boost::asio::post(strand_,
                    [self = shared_from_this(), job = std::move(job)] { self->accept(job); });
}

void ProcessPool::close() {
  boost::asio::post(strand_, [self = shared_from_this()] { self->shut(); });
}

net::awaitable<Result<engine::ImportedTools>> ProcessPool::list_tools() {
  co_return co_await boost::asio::co_spawn(strand_, list_on_strand(), boost::asio::use_awaitable);
}

net::awaitable<void> ProcessPool::drain(std::chrono::milliseconds grace) {
  co_await boost::asio::co_spawn(strand_, drain_on_strand(grace), boost::asio::use_awaitable);
}

// --- calls -------------------------------------------------------------------------------------

void ProcessPool::accept(const std::shared_ptr<engine::Job>& job) {
  if (stopping_) {
    job->fail(unavailable("The gateway is shutting down."));
    return;
  }
  waiting_.push_back(job);
  job->listen(callbacks_for(job->input().handle));
  advance();
}

engine::JobCallbacks ProcessPool::callbacks_for(const std::string& handle) {
  const auto on_strand = [weak = weak_from_this(), strand = strand_](auto act) {
    boost::asio::post(strand, [weak, act = std::move(act)] {
      if (const auto self = weak.lock()) act(*self);
    });
  };
  engine::JobCallbacks callbacks;
  callbacks.on_input = [on_strand, handle](const tasks::Answer& answer) {
    on_strand([handle, answer](ProcessPool& pool) {
      if (const Worker worker = pool.worker_with(handle)) worker->answer(handle, answer);
    });
  };
  callbacks.on_cancel = [on_strand, handle](const std::optional<std::string>&) {
    on_strand([handle](ProcessPool& pool) { pool.cancel(handle); });
  };
  callbacks.on_stop = [on_strand, handle] {
    on_strand([handle](ProcessPool& pool) { pool.stop(handle); });
  };
  return callbacks;
}

void ProcessPool::cancel(const std::string& handle) {
  if (const auto job = take_waiting(handle)) {
    job->cancelled(std::nullopt);
  } else if (const Worker worker = worker_with(handle)) {
    worker->cancel(handle);
  }
}

void ProcessPool::stop(const std::string& handle) {
  if (take_waiting(handle)) return;
  if (const Worker worker = worker_with(handle)) worker->stop(handle);
}

std::shared_ptr<engine::Job> ProcessPool::take_waiting(const std::string& handle) {
  const auto found = std::ranges::find_if(
      waiting_, [&handle](const auto& job) { return job->input().handle == handle; });
  if (found == waiting_.end()) return nullptr;
  auto job = std::move(*found);
  waiting_.erase(found);
  changed_.notify_all();
  return job;
}

ProcessPool::Worker ProcessPool::worker_with(const std::string& handle) const {
  const auto found = std::ranges::find_if(
      workers_, [&handle](const Worker& worker) { return worker->has(handle); });
  return found == workers_.end() ? nullptr : *found;
}

void ProcessPool::fail_waiting(const std::string& message) {
  for (const auto& job : std::exchange(waiting_, {})) job->fail(unavailable(message));
}

// --- who works ---------------------------------------------------------------------------------

std::size_t ProcessPool::live() const {
  std::size_t sum = 0;
  for (const Worker& worker : workers_) sum += worker->live();
  return sum;
}

std::size_t ProcessPool::per_worker() const {
  const std::size_t processes = std::max<std::size_t>(configuration_.processes, 1);
  return std::max<std::size_t>((configuration_.concurrency + processes - 1) / processes, 1);
}

ProcessPool::Worker ProcessPool::free_worker() const {
  Worker best;
  for (const Worker& worker : workers_) {
    const bool takes =
        worker->ready() && !worker->retiring() && !worker->settling() && !worker->occupied();
    if (!takes || worker->live() >= per_worker()) continue;
    if (!best || worker->live() < best->live()) best = worker;
  }
  return best;
}

/// Hands waiting calls to processes, and starts processes where some are missing for that.
void ProcessPool::advance() {
  if (std::exchange(advancing_, true)) return;  // what follows comes here again
  hand_out();
  start_missing();
  hand_out();
  advancing_ = false;
  ready_ = static_cast<std::size_t>(std::ranges::count_if(
      workers_, [](const Worker& worker) { return worker->ready() && !worker->retiring(); }));
  changed_.notify_all();
}

void ProcessPool::hand_out() {
  const std::size_t most = std::max<std::size_t>(configuration_.concurrency, 1);
  while (!waiting_.empty() && live() < most) {
    const Worker worker = free_worker();
    if (!worker) return;
    const auto job = std::move(waiting_.front());
    waiting_.pop_front();
    worker->call(job);
  }
}

/// Whether another process would be of use now: one on its way out counts for nothing, one that is
/// being started will take its share of what waits.
bool ProcessPool::wants_another() const {
  std::size_t usable = 0;
  std::size_t room = 0;
  for (const Worker& worker : workers_) {
    if (worker->retiring()) continue;
    ++usable;
    if (!worker->ready() || worker->settling() || worker->occupied()) room += per_worker();
  }
  const std::size_t wanted = std::max<std::size_t>(configuration_.processes, 1);
  // Those on their way out are as many as there are calls which keep them, and bounded like them.
  if (usable >= wanted || workers_.size() >= wanted + configuration_.concurrency) return false;
  const bool full = live() >= std::max<std::size_t>(configuration_.concurrency, 1);
  return !configuration_.cold_start || (waiting_.size() > room && !full);
}

void ProcessPool::start_missing() {
  while (!stopping_ && !backing_off_ && wants_another()) {
    const Result<Worker> spawned = spawn();
    if (!spawned) {
      fail_waiting("The agent's process cannot be started.");
      back_off();
      return;
    }
    hand_out();
  }
}

Result<ProcessPool::Worker> ProcessPool::spawn() {
  net::ProcessOptions options;
  options.program = configuration_.program;
  options.line_limit = configuration_.line_limit;
  options.error_lines_per_second = configuration_.error_lines_per_second;
  options.on_error_line = [log = log_](std::string_view line) {
    log.info("an agent says", {{"line", without_secrets(line)}});
  };
  auto process = net::Process::start(strand_, options);
  if (!process) {
    ++configuration_.counters->failed_starts;
    log_.error("an agent's process cannot be started", {{"error", process.error()}});
    return std::unexpected(std::move(process.error()));
  }
  ++configuration_.counters->starts;
  log_.debug("an agent's process was started", {{"pid", (*process)->pid()}});
  ProcessWorker::Setup setup{strand_, *std::move(process), configuration_, log_, weak_from_this()};
  auto worker = make_worker_(std::move(setup));
  workers_.push_back(worker);
  boost::asio::co_spawn(strand_, worker->run(), boost::asio::detached);
  return worker;
}

/// The pause begins before anybody learns of the end: a call that comes at once waits like others.
void ProcessPool::worker_ending(ProcessWorker& worker) {
  if (worker.was_useful()) pauses_.reset();
  if (worker.ended_by_us() || worker.to_be_opened_anew()) return;
  ++configuration_.counters->deaths;
  back_off();
}

void ProcessPool::worker_gone(ProcessWorker& worker) {
  const bool was_ready = worker.was_ready();
  std::erase_if(workers_, [&worker](const Worker& one) { return one.get() == &worker; });
  const bool others =
      std::ranges::any_of(workers_, [](const Worker& one) { return !one->retiring(); });
  if (!was_ready && !others && !worker.to_be_opened_anew()) {
    fail_waiting("The agent's process ended before it could take calls.");
  }
  advance();
}

void ProcessPool::back_off() {
  if (backing_off_ || stopping_) return;
  backing_off_ = true;
  backoff_.expires_after(pauses_.next(random_uint64()));
  backoff_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->backing_off_ = false;
    self->advance();
  });
}

// --- the rest ----------------------------------------------------------------------------------

Result<ProcessPool::Worker> ProcessPool::somebody() {
  Worker worker;
  for (const Worker& one : workers_) {
    if (one->retiring()) continue;
    if (!worker || one->live() < worker->live()) worker = one;
  }
  if (worker) return worker;
  // Somebody asks: that is worth a start, whatever happened before.
  if (stopping_) return fail(ErrorKind::unavailable, "the gateway is shutting down");
  return spawn();
}

net::awaitable<Result<engine::ImportedTools>> ProcessPool::list_on_strand() {
  const auto self = shared_from_this();
  struct Answer {
    explicit Answer(const net::Executor& strand) : there(strand) {}
    net::Event there;
    std::optional<Result<engine::ImportedTools>> tools;
  };
  const auto answer = std::make_shared<Answer>(strand_);
  net::Deadline limit(strand_, [answer] { answer->there.notify_all(); });
  limit.expires_after(configuration_.list_timeout);
  for (bool again = true; again;) {
    auto worker = somebody();
    if (!worker) co_return std::unexpected(std::move(worker.error()));
    answer->tools.reset();
    (*worker)->list([answer](Result<engine::ImportedTools> tools) {
      answer->tools = std::move(tools);
      answer->there.notify_all();
    });
    advance();
    while (!answer->tools && !limit.expired()) co_await answer->there.wait();
    again = answer->tools && !*answer->tools && (*worker)->to_be_opened_anew();
  }
  if (!answer->tools) {
    co_return fail(ErrorKind::unavailable, "the agent did not list its tools in time");
  }
  co_return *std::move(answer->tools);
}

net::awaitable<void> ProcessPool::drain_on_strand(std::chrono::milliseconds grace) {
  const auto self = shared_from_this();
  net::Deadline limit(strand_, [this] { changed_.notify_all(); });
  limit.expires_after(grace);
  while ((!waiting_.empty() || live() > 0) && !limit.expired()) co_await changed_.wait();
  limit.stop();
  shut();
  while (!workers_.empty()) co_await changed_.wait();
}

void ProcessPool::shut() {
  stopping_ = true;
  backoff_.cancel();
  fail_waiting("The gateway is shutting down.");
  for (const Worker& worker : std::vector<Worker>(workers_)) worker->end();
}

}  // namespace interline::runtimes
