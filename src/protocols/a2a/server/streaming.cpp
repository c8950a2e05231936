// SendStreamingMessage and SubscribeToTask (A2A 1.0, sections 3.1.2, 3.1.6 and 3.5.2): the task as
// it is, then every later change, none lost and none twice, in the order in which they were made.
#include <memory>
#include <utility>

#include "protocols/a2a/server/artifact_fold.hpp"
#include "protocols/a2a/server/core.hpp"
#include "protocols/a2a/server/kept_messages.hpp"
#include "protocols/a2a/server/starting.hpp"
#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {
namespace {

using tasks::EntryType;

/// Stops the watch when the reader goes.
class WhileReading {
 public:
  WhileReading(Events& events, engine::Watch& watch) : events_(events) {
    events_.on_closed([&watch] { watch.stop(); });
  }
  ~WhileReading() { events_.on_closed(nullptr); }
  WhileReading(const WhileReading&) = delete;
  WhileReading& operator=(const WhileReading&) = delete;

 private:
  Events& events_;
};

struct Following {
  std::optional<std::int32_t> history_length;
  bool may_be_message = false;   ///< the agent may answer with a message alone
  bool ends_when_asked = false;  ///< at INPUT_REQUIRED, as SendStreamingMessage does
};

class Stream {
 public:
  Stream(Core& core, const Asked& asked, Events& events, Following following)
      : core_(core), asked_(asked), events_(events), following_(following) {}

  awaitable<Streamed> run(std::string task) {
    // From the first entry: what an agent has put out until now is told by the log alone, and so
    // the snapshot and what follows it are of one piece.
    auto watch = co_await core_.engine.watch(asked_.who, std::move(task), 0);
    if (!watch) co_return refuse(core_, watch.error());
    const WhileReading reading(events_, **watch);
    task_ = (*watch)->snapshot();
    const tasks::Sequence covered = task_.sequence;
    // Where the work has begun its first word is near, and may be the whole answer.
    bool shown = false;
    if (covered == 0 && task_.dispatched_boot == 0) {
      shown = true;
      const bool sent = co_await show();
      if (!sent) co_return Streamed();
    }
    for (;;) {
      auto entry = co_await (*watch)->next();
      if (!entry) co_return refuse(core_, entry.error());
      if (!*entry) break;
      if ((*entry)->sequence <= covered) {
        artifacts_.add(**entry);
        if ((*entry)->sequence < covered || waits_for_more()) continue;
      } else if (!shown && is_lone(**entry)) {
        co_return co_await say_message(**entry);
      }
      if (!shown) {
        shown = true;
        const bool sent = co_await show();
        if (!sent) co_return Streamed();
      }
      if ((*entry)->sequence <= covered) continue;
      const bool goes_on = co_await tell(**entry);
      if (!goes_on) co_return Streamed();
    }
    if (!shown) {
      const bool sent = co_await show();
      (void)sent;  // the end of the stream, either way
    }
    co_return Streamed();
  }

 private:
  /// The snapshot is of a task that has only just begun.
  [[nodiscard]] bool waits_for_more() const {
    return following_.may_be_message && task_.state <= tasks::State::running;
  }

  [[nodiscard]] bool is_lone(const tasks::LogEntry& entry) const {
    return following_.may_be_message && !lone_message(after(entry)).empty();
  }

  [[nodiscard]] tasks::Task after(const tasks::LogEntry& entry) const {
    tasks::Task task = task_;
    task.state = entry.state;
    task.outcome = entry.body;
    return task;
  }

  awaitable<Streamed> say_message(const tasks::LogEntry& entry) {
    const bool sent = co_await events_.send(enveloped("message", lone_message(after(entry))));
    (void)sent;
    co_return Streamed();
  }

  awaitable<bool> show() {
    auto history = co_await history_of(core_, asked_.who, task_, following_.history_length);
    const auto shown = artifacts_.shown();
    const std::string text =
        task_text(task_, Artifacts::any, shown, std::move(history), following_.history_length);
    const bool sent = co_await events_.send(enveloped("task", text));
    co_return sent && !rests(status_of(task_).state);
  }

  /// Whether this state ends the stream.
  [[nodiscard]] bool rests(TaskState state) const {
    return is_terminal(state) || (following_.ends_when_asked && state == TaskState::input_required);
  }

  awaitable<bool> tell(const tasks::LogEntry& entry) {
    if (entry.type == EntryType::output) {
      co_return co_await events_.send(artifact_update(task_, entry));
    }
    if (entry.type == EntryType::input_required) {
      auto now = co_await core_.engine.state(asked_.who, task_.id());
      if (now) task_ = std::move(now->task);
    }
    if (entry.type == EntryType::completed) {
      std::string result = result_update(task_, entry);
      if (!result.empty()) {
        const bool sent = co_await events_.send(std::move(result));
        if (!sent) co_return false;
      }
    }
    const auto status = status_of(task_, entry);
    if (!status) co_return true;
    const bool sent = co_await events_.send(status_update(task_, *status));
    co_return sent && !rests(status->state);
  }

  Core& core_;
  const Asked& asked_;
  Events& events_;
  const Following following_;
  tasks::Task task_;
  ArtifactFold artifacts_;
};

}  // namespace

awaitable<Streamed> stream_message(Core& core, const Asked& asked, Events& events) {
  const auto request = read_send(asked.params);
  if (!request) co_return refuse(request.error());
  const auto started = co_await start(core, asked, *request);
  if (!started) co_return refuse(started.error());
  Following following;
  following.history_length = request->history_length;
  following.may_be_message = started->is_new;
  following.ends_when_asked = true;
  Stream stream(core, asked, events, following);
  co_return co_await stream.run(started->task);
}

awaitable<Streamed> subscribe(Core& core, const Asked& asked, Events& events) {
  const auto request = read_task(asked.params);
  if (!request) co_return refuse(request.error());
  const auto task = co_await find_task(core, asked, std::string(request->id));
  if (!task) co_return refuse(task.error());
  if (tasks::is_terminal(task->state)) {
    co_return refuse(core, Fault::unsupported_operation,
                     "This task has ended; GetTask shows it as it is.");
  }
  Stream stream(core, asked, events, Following());
  co_return co_await stream.run(std::string(request->id));
}

}  // namespace interline::protocols::a2a::server
