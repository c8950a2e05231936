#include "cli/following.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "cli/form.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/question_text.hpp"
#include "cli/task_text.hpp"
#include "cli/terminal.hpp"
#include "json/parse.hpp"
#include "net/event.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

constexpr int kReconnects = 20;
constexpr std::chrono::milliseconds kReconnectAfter{500};

/// What can happen while a task is followed, in one line: from the gateway, the keyboard, Ctrl-C.
struct Happening {
  enum class Kind : std::uint8_t { snapshot, entry, ended, retry, line, no_line, interrupt };
  Happening(Kind what, std::string that) : kind(what), text(std::move(that)) {}

  Kind kind;
  std::string text;
};

/// Filled by coroutines beside the one that follows; lives as long as any of them.
class Happenings {
 public:
  explicit Happenings(const net::Executor& executor)
      : changed_(executor), typed(executor), interrupts(executor) {}

  void put(Happening::Kind kind, std::string text = {}) {
    waiting_.emplace_back(kind, std::move(text));
    changed_.notify_all();
  }
  net::awaitable<Happening> next() {
    while (waiting_.empty()) co_await changed_.wait();
    Happening first = std::move(waiting_.front());
    waiting_.pop_front();
    co_return first;
  }

 private:
  std::deque<Happening> waiting_;
  net::Event changed_;

 public:
  TypedLines typed;
  Interrupts interrupts;
  bool reading = false;  // a line is being waited for
};

net::awaitable<void> watch_interrupts(std::shared_ptr<Happenings> happenings) {
  for (;;) {
    co_await happenings->interrupts.next();
    happenings->put(Happening::Kind::interrupt);
  }
}

net::awaitable<void> read_line(std::shared_ptr<Happenings> happenings) {
  auto line = co_await happenings->typed.next();
  happenings->reading = false;
  if (line) {
    happenings->put(Happening::Kind::line, *std::move(line));
  } else {
    happenings->put(Happening::Kind::no_line);
  }
}

net::awaitable<void> read_events(std::shared_ptr<Happenings> happenings,
                                 std::shared_ptr<TaskEvents> events) {
  for (;;) {
    auto event = co_await events->next();
    if (!event || !*event) break;
    const bool first = (*event)->type == "snapshot";
    happenings->put(first ? Happening::Kind::snapshot : Happening::Kind::entry,
                    std::move((*event)->data));
  }
  happenings->put(Happening::Kind::ended);
}

net::awaitable<void> retry_soon(std::shared_ptr<Happenings> happenings) {
  net::asio::steady_timer timer(co_await net::asio::this_coro::executor);
  timer.expires_after(kReconnectAfter);
  co_await timer.async_wait(net::use_tuple);
  happenings->put(Happening::Kind::retry);
}

std::uint64_t sequence_of(const json::Value& object) {
  const json::Value* value = object.find("sequence");
  const auto read = value == nullptr ? std::nullopt : value->get_int64();
  return read && *read > 0 ? static_cast<std::uint64_t>(*read) : 0;
}

std::string member_text(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? "" : std::string(value->get_string().value_or(""));
}

class Following {
 public:
  Following(const ControlClient& gateway, Streams& io, std::string task, FollowOptions options,
            const net::Executor& executor)
      : gateway_(gateway),
        io_(io),
        task_(std::move(task)),
        options_(std::move(options)),
        executor_(executor),
        progress_(io, options_.quiet),
        happenings_(std::make_shared<Happenings>(executor)) {}

  net::awaitable<Result<Followed>> run() {
    net::asio::co_spawn(executor_, watch_interrupts(happenings_), net::asio::detached);
    auto connected = co_await connect();
    if (!connected) co_return std::unexpected(std::move(connected.error()));
    while (!result_) {
      const Happening happening = co_await happenings_->next();
      co_await take(happening);
    }
    progress_.clear();
    co_return *std::move(result_);
  }

 private:
  using Kind = Happening::Kind;

  net::awaitable<Result<void>> connect() {
    std::optional<std::uint64_t> after;
    if (options_.entries_as_json) after = seen_;
    auto events = co_await gateway_.follow(task_, after);
    if (!events) co_return std::unexpected(std::move(events.error()));
    std::shared_ptr<TaskEvents> shared = *std::move(events);
    net::asio::co_spawn(executor_, read_events(happenings_, std::move(shared)),
                        net::asio::detached);
    co_return Result<void>();
  }

  net::awaitable<void> take(const Happening& happening) {
    switch (happening.kind) {
      case Kind::snapshot:
        reconnects_ = 0;
        co_return co_await take_snapshot(happening.text);
      case Kind::entry:
        co_return co_await take_entry(happening.text);
      case Kind::ended:
        if (held_) co_return co_await take_task(*std::exchange(held_, std::nullopt));
        progress_.show("the gateway went away; waiting for it to come back");
        co_return come_back();
      case Kind::retry:
        co_return co_await try_again();
      case Kind::line:
        co_return co_await take_line(happening.text);
      case Kind::no_line:
        if (form_) leave_question();
        co_return;
      case Kind::interrupt:
        co_return co_await take_interrupt();
    }
  }

  void end(Followed::End how, std::string task = {}) {
    result_.emplace();
    result_->end = how;
    result_->task = std::move(task);
  }

  /// Where entries are printed, those from before the snapshot come behind it, and it counts when
  /// they are through.
  net::awaitable<void> take_snapshot(const std::string& text) {
    const auto parsed = parse_gateway_json(text);
    const std::uint64_t until = parsed ? sequence_of(parsed->root()) : 0;
    if (!options_.entries_as_json || until <= seen_) co_return co_await take_task(text);
    held_ = text;
    held_until_ = until;
  }

  /// The task as it stands, as the gateway says it now.
  net::awaitable<void> look() {
    auto answer =
        co_await gateway_.repeatable_request(Method::get, "/v1/tasks/" + path_segment(task_));
    if (!answer) {
      progress_.say("interline: " + schema::printable(answer.error().message));
      end(Followed::End::left);
      co_return;
    }
    co_await take_task(*answer);
  }

  net::awaitable<void> take_task(const std::string& text) {
    const auto parsed = parse_gateway_json(text);
    if (!parsed) {
      progress_.say("interline: the gateway's answer cannot be read");
      end(Followed::End::left);
      co_return;
    }
    const json::Value& task = parsed->root();
    if (is_terminal_state(member_text(task, "state"))) {
      if (!looked_at_end_) {  // artifacts are shown with the task, not with the snapshot
        looked_at_end_ = true;
        co_return co_await look();
      }
      end(Followed::End::settled, text);
      co_return;
    }
    const json::Value* pending = task.find("pending");
    if (pending == nullptr) {
      drop_form();
      progress_.show(state_line(task));
      co_return;
    }
    take_question(task, *pending);
  }

  net::awaitable<void> take_entry(const std::string& text) {
    const auto parsed = parse_gateway_json(text);
    if (!parsed) co_return;
    const json::Value& entry = parsed->root();
    if (options_.entries_as_json) {
      io_.out(text + "\n");
      const bool written = io_.flush();
      if (!written) end(Followed::End::left);
      seen_ = sequence_of(entry);
    }
    if (held_) {
      if (seen_ >= held_until_) co_await take_task(*std::exchange(held_, std::nullopt));
      co_return;
    }
    const std::string state = member_text(entry, "state");
    if (is_terminal_state(state)) {
      looked_at_end_ = true;
      drop_form();
      co_return co_await look();
    }
    if (state == "input_required") {
      if (member_text(entry, "type") == "input_required") co_await look();
      co_return;
    }
    drop_form();
    if (!options_.entries_as_json) progress_.show(entry_line(entry));
  }

  void take_question(const json::Value& task, const json::Value& pending) {
    const json::Value* body = pending.find("body");
    const json::Value* questions = pending.find("questions");
    if (body == nullptr || questions == nullptr) return;
    std::string request = member_text(*body, "requestId");
    if (request == request_) return;  // is being asked already
    drop_form();
    request_ = std::move(request);
    if (options_.answer && may_answer(pending)) {
      form_.emplace(*questions);
      show_prompt();
      return;
    }
    tell_question(task, *body);
    if (!options_.stay) end(Followed::End::waits);
  }

  /// What to do about a question that is not answered here.
  void tell_question(const json::Value& task, const json::Value& body) {
    progress_.say("task " + task_ + " waits for an answer:");
    progress_.say(printable_lines(schema::bounded(member_text(body, "question"), 2'000)));
    progress_.say(answer_line(task, options_.answer_command, options_.options));
  }

  void leave_question() {
    progress_.say("");
    progress_.say("task " + task_ + " still waits for its answer; answer with: " +
                  options_.answer_command + " JSON" + options_.options);
    end(Followed::End::waits);
  }

  void drop_form() {
    if (form_) progress_.say("\n(the question is no longer open)");
    form_.reset();
    request_.clear();
  }

  void show_prompt() {
    progress_.clear();
    io_.err(form_->prompt());
    if (happenings_->reading) return;
    happenings_->reading = true;
    net::asio::co_spawn(executor_, read_line(happenings_), net::asio::detached);
  }

  net::awaitable<void> take_line(const std::string& line) {
    if (!form_) co_return;  // typed after the question was over
    const std::string wrong = form_->feed(line);
    if (!wrong.empty()) io_.err("  " + wrong + "\n");
    if (!form_->finished()) {
      show_prompt();
      co_return;
    }
    std::string body = form_->answer(request_);
    form_.reset();
    auto answered = co_await gateway_.repeatable_request(
        Method::post, "/v1/tasks/" + path_segment(task_) + "/answer", std::move(body));
    if (answered) co_return;  // the events go on
    progress_.say("interline: " + schema::printable(answered.error().message));
    request_.clear();
    co_await look();
  }

  net::awaitable<void> take_interrupt() {
    if (!options_.cancel || cancelled_) {
      progress_.say("");
      progress_.say("task " + task_ + " goes on; follow it with: " + options_.watch_command +
                    options_.options);
      end(Followed::End::left);
      co_return;
    }
    cancelled_ = true;
    form_.reset();
    progress_.say("");
    progress_.say("cancelling the task; Ctrl-C again leaves it as it is");
    auto cancelled = co_await gateway_.repeatable_request(
        Method::post, "/v1/tasks/" + path_segment(task_) + "/cancel", "{}");
    if (!cancelled && cancelled.error().reason != ErrorReason::terminal) {
      progress_.say("interline: " + schema::printable(cancelled.error().message));
    }
  }

  /// The stream ended before the task did: the gateway stops, or starts again.
  void come_back() {
    if (reconnects_++ < kReconnects) {
      net::asio::co_spawn(executor_, retry_soon(happenings_), net::asio::detached);
      return;
    }
    progress_.say("interline: the gateway went away; the task is kept. When it runs again: " +
                  options_.watch_command + options_.options);
    end(Followed::End::left);
  }

  net::awaitable<void> try_again() {
    auto connected = co_await connect();
    if (connected) co_return;
    if (connected.error().kind == ErrorKind::unavailable) co_return come_back();
    progress_.say("interline: " + schema::printable(connected.error().message));
    end(Followed::End::left);
  }

  const ControlClient& gateway_;
  Streams& io_;
  const std::string task_;
  const FollowOptions options_;
  const net::Executor executor_;
  ProgressLine progress_;
  const std::shared_ptr<Happenings> happenings_;

  std::optional<Followed> result_;
  std::optional<Form> form_;
  std::string request_;  // shown, or being answered
  bool cancelled_ = false;
  bool looked_at_end_ = false;
  std::uint64_t seen_ = 0;           // of the entries that were printed
  std::optional<std::string> held_;  // a snapshot, until the entries before it are through
  std::uint64_t held_until_ = 0;
  int reconnects_ = 0;
};

}  // namespace

net::awaitable<Result<Followed>> follow_task(const ControlClient& gateway, Streams& io,
                                             std::string task, FollowOptions options) {
  const net::Executor executor = co_await net::asio::this_coro::executor;
  Following following(gateway, io, std::move(task), std::move(options), executor);
  co_return co_await following.run();
}

}  // namespace interline::cli
