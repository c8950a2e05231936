#include "protocols/mcp/server/running.hpp"

#include <memory>
#include <utility>
#include <variant>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "protocols/mcp/server/rounds.hpp"
#include "protocols/mcp/server/shown_links.hpp"

namespace interline::protocols::mcp::server {
namespace {

using End = Followed::End;

/// What ends the waiting before the task does. Everything on the request's strand.
struct Interruption {
  engine::Watch* watch = nullptr;  ///< nullptr: nobody waits any more
  std::optional<End> why;

  void interrupt(End reason) {
    if (watch == nullptr || why) return;
    why = reason;
    watch->stop();
  }
};

Followed ended(End end, tasks::Task task) {
  Followed followed;
  followed.end = end;
  followed.task = std::move(task);
  return followed;
}

class Follower {
 public:
  Follower(Core& core, const Asked& asked, Telling& telling, const Following& following,
           std::unique_ptr<engine::Watch> watch)
      : core_(core),
        asked_(asked),
        following_(following),
        watch_(std::move(watch)),
        telling_(telling),
        interruption_(std::make_shared<Interruption>()) {
    interruption_->watch = watch_.get();
  }
  ~Follower() { interruption_->watch = nullptr; }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  awaitable<Result<Followed>> run() {
    const tasks::Task& first = watch_->snapshot();
    const bool whole_log = following_.from_start && telling_.wanted();
    if (!whole_log && is_terminal(first.state)) co_return ended(End::settled, first);
    if (!whole_log && first.state == tasks::State::input_required) {
      co_return ended(End::asks, first);
    }
    const WhileReading reading(*asked_.sink,
                               [by = interruption_] { by->interrupt(End::reader_left); });
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    if (following_.grace) {
      timer.expires_after(*following_.grace);
      timer.async_wait([by = interruption_](const boost::system::error_code& error) {
        if (!error) by->interrupt(End::time_is_up);
      });
    }
    co_return co_await entries();
  }

 private:
  awaitable<Result<Followed>> entries() {
    for (;;) {
      auto entry = co_await watch_->next();
      if (interruption_->why) co_return ended(*interruption_->why, watch_->snapshot());
      if (!entry) co_return std::unexpected(std::move(entry.error()));
      if (!*entry) co_return ended(End::settled, watch_->snapshot());
      telling_.entry(**entry);
      if (is_terminal((*entry)->state) && has_revision((*entry)->type)) {
        tasks::Task task = watch_->snapshot();
        task.state = (*entry)->state;
        task.outcome = std::move((*entry)->body);
        task.updated = (*entry)->time;
        co_return ended(End::settled, std::move(task));
      }
      if ((*entry)->type != tasks::EntryType::input_required) continue;
      auto now = co_await core_.engine.state(asked_.who, following_.task);
      if (!now) co_return std::unexpected(std::move(now.error()));
      if (now->task.pending) co_return ended(End::asks, std::move(now->task));
    }
  }

  Core& core_;
  const Asked& asked_;
  const Following& following_;
  const std::unique_ptr<engine::Watch> watch_;
  Telling& telling_;
  const std::shared_ptr<Interruption> interruption_;
};

}  // namespace

awaitable<Result<Followed>> follow(Core& core, const Asked& asked, Telling& telling,
                                   Following following) {
  const bool whole_log = following.from_start && telling.wanted();
  const tasks::Sequence from = whole_log ? 0 : engine::kFromSnapshot;
  auto watch = co_await core.engine.watch(asked.who, following.task, from);
  if (!watch) co_return std::unexpected(std::move(watch.error()));
  Follower follower(core, asked, telling, following, *std::move(watch));
  co_return co_await follower.run();
}

awaitable<Result<tasks::Task>> shown_task(Core& core, const Asked& asked, std::string id) {
  auto now = co_await core.engine.state(asked.who, std::move(id));
  if (!now) co_return std::unexpected(std::move(now.error()));
  if (!asked.endpoint.empty() && now->task.admission->endpoint != asked.endpoint) {
    co_return fail(ErrorKind::not_found, "There is no such task.");
  }
  co_return std::move(now->task);
}

TaskTelling telling_of(const Core& core, const Asked& asked) {
  TaskTelling telling;
  telling.poll_interval = core.settings.poll_interval;
  telling.capabilities = asked.meta.capabilities;
  return telling;
}

namespace {

Answer settled(Core& core, const Asked& asked, tasks::Task task) {
  show_links(asked, task);
  auto answer = settled_answer(core.envelope(asked), task);
  if (auto* error = std::get_if<ErrorAnswer>(&answer)) return refuse(std::move(*error));
  return std::get<std::string>(std::move(answer));
}

/// The id leaves with the answer, and so the task outlives the request: committed before.
awaitable<Answer> hand_out(Core& core, const Asked& asked, std::string id) {
  const Result<void> detached = co_await core.engine.detach(asked.who, id);
  if (!detached) co_return refuse(detached.error());
  auto now = co_await core.engine.state(asked.who, std::move(id));
  if (!now) co_return refuse(now.error());
  if (is_terminal(now->task.state)) co_return settled(core, asked, std::move(now->task));
  co_return create_task_result(core.envelope(asked), now->task, telling_of(core, asked));
}

/// Nobody waits for it any more, and nobody was told its id.
awaitable<void> cancel(Core& core, const Asked& asked, const std::string& id) {
  engine::Cancellation cancellation;
  cancellation.task = id;
  const auto cancelled = co_await core.engine.cancel(asked.who, std::move(cancellation));
  (void)cancelled;  // it has settled by itself
}

/// Asks the client of a session itself, and gives the task the answers.
awaitable<std::optional<ErrorAnswer>> ask_client(Core& core, const Asked& asked,
                                                 const tasks::Task& task, std::uint32_t round) {
  if (round >= core.settings.max_rounds) {
    Error error(ErrorKind::resource_constraint, ErrorReason::too_many,
                "The client was asked too often.");
    co_return to_answer(error);
  }
  if (asked.link == nullptr) {
    const ClientCapabilities none;
    co_return missing_capability(missing_for(task_questions(task), none));
  }
  auto answers = co_await asked.link->ask(task_questions(task));
  if (!answers) co_return to_answer(answers.error());
  auto wrong = co_await give_answers(core, asked, task, *std::move(answers));
  // The answer's fault is none of the params of the call.
  if (wrong) co_return to_answer(Error(ErrorKind::unavailable, std::move(wrong->message)));
  co_return std::nullopt;
}

}  // namespace

awaitable<Answer> await_task(Core& core, const Asked& asked, Following following, bool attached) {
  Telling telling(asked);
  for (std::uint32_t round = 0;; ++round) {
    auto followed = co_await follow(core, asked, telling, following);
    if (!followed) {
      if (attached) co_await cancel(core, asked, following.task);
      co_return refuse(followed.error());
    }
    switch (followed->end) {
      case End::settled:
        co_return settled(core, asked, std::move(followed->task));
      case End::time_is_up:
        co_return co_await hand_out(core, asked, following.task);
      case End::reader_left:
        if (attached && asked.leaving_cancels) co_await cancel(core, asked, following.task);
        co_return empty_result(core.envelope(asked));
      case End::asks:
        break;
    }
    if (following.as_task) co_return co_await hand_out(core, asked, following.task);
    if (is_modern(asked.revision)) {
      co_return co_await ask_by_result(core, asked, followed->task);
    }
    if (auto wrong = co_await ask_client(core, asked, followed->task, round)) {
      if (attached) co_await cancel(core, asked, following.task);
      co_return refuse(*std::move(wrong));
    }
    following.from_start = false;
  }
}

}  // namespace interline::protocols::mcp::server
