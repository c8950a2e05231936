#include "protocols/a2a/server/following.hpp"

#include <memory>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "protocols/a2a/server/kept_messages.hpp"

namespace interline::protocols::a2a::server {
namespace {

using tasks::State;

bool is_there(Until until, State state) {
  return tasks::is_terminal(state) || (until == Until::rest && state == State::input_required);
}

/// Stops the watch when the time is up; on the request's strand, as the watch is.
class TimeLimit {
 public:
  TimeLimit(const boost::asio::any_io_executor& executor, engine::Watch& watch,
            std::chrono::milliseconds most)
      : watch_(std::make_shared<engine::Watch*>(&watch)), timer_(executor, most) {
    timer_.async_wait([stopped = watch_](const boost::system::error_code& error) {
      if (!error && *stopped != nullptr) (*stopped)->stop();
    });
  }
  ~TimeLimit() { *watch_ = nullptr; }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::shared_ptr<engine::Watch*> watch_;
  boost::asio::steady_timer timer_;
};

/// The task as a terminal entry leaves it, without asking the store again.
tasks::Task settled(const tasks::Task& before, tasks::LogEntry entry) {
  tasks::Task task = before;
  task.state = entry.state;
  task.pending.reset();
  task.outcome = std::move(entry.body);
  task.updated = entry.time;
  task.sequence = entry.sequence;
  return task;
}

}  // namespace

awaitable<Result<tasks::Task>> await_task(Core& core, Principal who, std::string task, Until until,
                                          std::chrono::milliseconds most) {
  auto watch = co_await core.engine.watch(who, task, engine::kFromSnapshot);
  if (!watch) co_return std::unexpected(std::move(watch.error()));
  if (is_there(until, (*watch)->snapshot().state)) co_return (*watch)->snapshot();
  {
    const TimeLimit limit(co_await boost::asio::this_coro::executor, **watch, most);
    for (;;) {
      auto entry = co_await (*watch)->next();
      if (!entry) co_return std::unexpected(std::move(entry.error()));
      if (!*entry) break;
      if (!has_revision((*entry)->type) || !is_there(until, (*entry)->state)) continue;
      if (!tasks::is_terminal((*entry)->state)) break;
      co_return settled((*watch)->snapshot(), **std::move(entry));
    }
  }
  auto now = co_await core.engine.state(std::move(who), std::move(task));
  if (!now) co_return std::unexpected(std::move(now.error()));
  co_return std::move(now->task);
}

awaitable<Answer> show_task(Core& core, const Principal& who, const tasks::Task& task,
                            std::optional<std::int32_t> history_length, Artifacts which) {
  std::vector<store::Artifact> kept;
  std::vector<ShownArtifact> shown;
  if (which != Artifacts::left_out) {
    auto artifacts = co_await core.engine.artifacts(who, task.id());
    if (!artifacts) co_return refuse(core, artifacts.error());
    kept = *std::move(artifacts);
    for (const store::Artifact& artifact : kept) shown.push_back({artifact.id, artifact.parts});
  }
  auto history = co_await history_of(core, who, task, history_length);
  const auto most = static_cast<std::int32_t>(core.settings.history);
  co_return task_text(task, which, shown, std::move(history),
                      std::min(history_length.value_or(most), most));
}

}  // namespace interline::protocols::a2a::server
