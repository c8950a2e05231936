#include "runtimes/exec/exec_runtime.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/event.hpp"
#include "runtimes/exec/worker.hpp"

namespace interline::runtimes::exec {
namespace {

tasks::Failure unavailable(std::string message) {
  return {std::string(tasks::failure_code::kUnavailable), std::move(message), true};
}

}  // namespace

/// All processes and waiting calls of one agent, on one strand.
class ExecRuntime::Pool : public std::enable_shared_from_this<Pool> {
 public:
  Pool(const net::Executor& executor, ExecConfiguration configuration, Logger log)
      : strand_(net::new_strand(executor)),
        configuration_(std::move(configuration)),
        log_(std::move(log)),
        backoff_(strand_),
        changed_(strand_),
        listed_(strand_) {}

  // From any thread:
  void start(std::shared_ptr<engine::Job> job) {
    boost::asio::post(strand_, [self = shared_from_this(), job = std::move(job)]() mutable {
      self->waiting_.push_back(std::move(job));
      self->advance();
    });
  }
  [[nodiscard]] bool available() const { return running_ > 0; }
  [[nodiscard]] net::Executor strand() const { return strand_; }

  // On the strand:
  net::awaitable<Result<engine::ImportedTools>> list_tools();
  net::awaitable<void> drain(std::chrono::milliseconds grace);
  void keep_running();
  void stop();

 private:
  void advance();
  [[nodiscard]] std::shared_ptr<Worker> free_worker() const;
  [[nodiscard]] std::size_t usable() const;
  [[nodiscard]] std::size_t per_worker() const;
  void spawn();
  void back_off();
  void gone(const std::shared_ptr<Worker>& worker, bool had_success);
  void fail_waiting(const std::string& message);

  const net::Executor strand_;
  const ExecConfiguration configuration_;
  const Logger log_;
  std::vector<std::shared_ptr<Worker>> workers_;
  std::deque<std::shared_ptr<engine::Job>> waiting_;
  boost::asio::steady_timer backoff_;
  std::chrono::milliseconds pause_{0};
  bool backing_off_ = false;
  bool stopping_ = false;
  bool listing_ = false;
  net::Event changed_;
  net::Event listed_;
  std::optional<ToolsMessage> tools_;
  std::atomic<std::size_t> running_{0};
};

std::size_t ExecRuntime::Pool::per_worker() const {
  const std::size_t processes = std::max<std::size_t>(configuration_.processes, 1);
  return std::max<std::size_t>((configuration_.concurrency + processes - 1) / processes, 1);
}

std::size_t ExecRuntime::Pool::usable() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(workers_, [](const auto& worker) { return !worker->retiring(); }));
}

std::shared_ptr<Worker> ExecRuntime::Pool::free_worker() const {
  std::shared_ptr<Worker> best;
  for (const auto& worker : workers_) {
    if (worker->retiring() || worker->calls() >= per_worker()) continue;
    if (!best || worker->calls() < best->calls()) best = worker;
  }
  return best;
}

/// Hands waiting calls to processes, and starts processes where some are missing for that.
void ExecRuntime::Pool::advance() {
  while (!waiting_.empty()) {
    const auto worker = free_worker();
    if (!worker) break;
    auto job = std::move(waiting_.front());
    waiting_.pop_front();
    worker->call(std::move(job));
  }
  const bool wanted = !waiting_.empty() || listing_ || !configuration_.cold_start;
  if (wanted && !stopping_ && !backing_off_ && usable() < configuration_.processes) {
    if (!waiting_.empty() || usable() == 0 || !configuration_.cold_start) spawn();
  }
  changed_.notify_all();
}

void ExecRuntime::Pool::spawn() {
  net::ProcessOptions options;
  options.program = configuration_.program;
  options.line_limit = configuration_.line_limit;
  options.on_error_line = [log = log_](std::string_view line) {
    log.info("an agent says", {{"line", line}});
  };
  auto process = net::Process::start(strand_, options);
  if (!process) {
    log_.error("an agent's process cannot be started", {{"error", process.error()}});
    fail_waiting("The agent's process cannot be started.");
    back_off();
    return;
  }
  // The worker's callbacks hold it weakly: it owns them.
  Worker::Callbacks callbacks;
  const std::weak_ptr<Pool> pool = weak_from_this();
  auto holder = std::make_shared<std::weak_ptr<Worker>>();
  callbacks.changed = [pool] {
    if (const auto self = pool.lock()) self->advance();
  };
  callbacks.gone = [pool, holder](bool had_success) {
    const auto self = pool.lock();
    const auto worker = holder->lock();
    if (self && worker) self->gone(worker, had_success);
  };
  callbacks.tools = [pool](ToolsMessage tools) {
    const auto self = pool.lock();
    if (!self) return;
    self->tools_ = std::move(tools);
    self->listed_.notify_all();
  };
  auto worker = std::make_shared<Worker>(strand_, *std::move(process), log_, std::move(callbacks));
  *holder = worker;
  workers_.push_back(worker);
  running_ = workers_.size();
  boost::asio::co_spawn(strand_, worker->run(), boost::asio::detached);
  if (listing_) worker->list();
  advance();
}

void ExecRuntime::Pool::gone(const std::shared_ptr<Worker>& worker, bool had_success) {
  std::erase(workers_, worker);
  running_ = workers_.size();
  if (had_success) pause_ = {};
  if (!stopping_) back_off();
  changed_.notify_all();
  if (listing_ && workers_.empty()) listed_.notify_all();
}

/// The next start waits, longer each time until something was answered.
void ExecRuntime::Pool::back_off() {
  if (backing_off_) return;
  backing_off_ = true;
  pause_ = pause_.count() == 0 ? configuration_.backoff_min
                               : std::min(pause_ * 2, configuration_.backoff_max);
  backoff_.expires_after(pause_);
  backoff_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->backing_off_ = false;
    self->advance();
  });
}

void ExecRuntime::Pool::fail_waiting(const std::string& message) {
  for (const auto& job : std::exchange(waiting_, {})) job->fail(unavailable(message));
}

net::awaitable<Result<engine::ImportedTools>> ExecRuntime::Pool::list_tools() {
  const auto self = shared_from_this();
  tools_.reset();
  listing_ = true;
  const auto asked =
      std::ranges::find_if(workers_, [](const auto& worker) { return !worker->retiring(); });
  if (asked != workers_.end()) (*asked)->list();
  advance();
  boost::asio::steady_timer limit(strand_, configuration_.list_timeout);
  bool timed_out = false;
  limit.async_wait([this, self, &timed_out](const boost::system::error_code& error) {
    if (error) return;
    timed_out = true;
    listed_.notify_all();
  });
  while (!tools_ && !timed_out && !stopping_) {
    if (workers_.empty()) break;  // it could not be started, or ended without an answer
    co_await listed_.wait();
  }
  if (!timed_out) limit.cancel();
  listing_ = false;
  if (!tools_) {
    co_return fail(ErrorKind::unavailable,
                   timed_out ? "The agent did not list its tools in time."
                             : "The agent's process ended or could not be started.");
  }
  engine::ImportedTools imported;
  imported.definitions = std::move(tools_->definitions);
  co_return imported;
}

void ExecRuntime::Pool::keep_running() {
  if (!configuration_.cold_start) advance();
}

net::awaitable<void> ExecRuntime::Pool::drain(std::chrono::milliseconds grace) {
  const auto self = shared_from_this();
  boost::asio::steady_timer limit(strand_, grace);
  bool over = false;
  limit.async_wait([this, self, &over](const boost::system::error_code& error) {
    if (error) return;
    over = true;
    changed_.notify_all();
  });
  const auto busy = [this] {
    return !waiting_.empty() ||
           std::ranges::any_of(workers_, [](const auto& worker) { return worker->calls() > 0; });
  };
  while (busy() && !over) co_await changed_.wait();
  if (!over) limit.cancel();
  stop();
  while (!workers_.empty()) co_await changed_.wait();
}

void ExecRuntime::Pool::stop() {
  stopping_ = true;
  backoff_.cancel();
  fail_waiting("The gateway is shutting down.");
  for (const auto& worker : workers_) worker->end();
}

ExecRuntime::ExecRuntime(const net::Executor& executor, ExecConfiguration configuration, Logger log)
    : pool_(std::make_shared<Pool>(executor, std::move(configuration), std::move(log))) {
  boost::asio::post(pool_->strand(), [pool = pool_] { pool->keep_running(); });
}

ExecRuntime::~ExecRuntime() {
  boost::asio::post(pool_->strand(), [pool = pool_] { pool->stop(); });
}

engine::RuntimeFeatures ExecRuntime::features() const {
  engine::RuntimeFeatures features;
  features.progress = true;
  features.cancel = true;
  features.input = true;
  return features;
}

bool ExecRuntime::available() const {
  return pool_->available();
}

engine::awaitable<Result<engine::ImportedTools>> ExecRuntime::list_tools() {
  co_return co_await boost::asio::co_spawn(pool_->strand(), pool_->list_tools(),
                                           boost::asio::use_awaitable);
}

void ExecRuntime::start(std::shared_ptr<engine::Job> job) {
  pool_->start(std::move(job));
}

engine::awaitable<void> ExecRuntime::drain(std::chrono::milliseconds grace) {
  co_await boost::asio::co_spawn(pool_->strand(), pool_->drain(grace), boost::asio::use_awaitable);
}

}  // namespace interline::runtimes::exec
