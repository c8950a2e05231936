#include "runtimes/process_worker.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "base/disclosure.hpp"
#include "net/deadline.hpp"

namespace interline::runtimes {
namespace {

constexpr std::size_t kComplaintsPerSecond = 10;

}  // namespace

tasks::Failure unavailable(std::string message) {
  return {std::string(tasks::failure_code::kUnavailable), std::move(message), true};
}

ProcessWorker::ProcessWorker(Setup setup)
    : setup_(std::move(setup)),
      complaints_(kComplaintsPerSecond, std::chrono::steady_clock::now()),
      output_(setup_.configuration.error_lines_per_second, std::chrono::steady_clock::now()) {}

// --- the process -----------------------------------------------------------------------------

net::awaitable<void> ProcessWorker::run() {
  const auto self = shared_from_this();
  net::Deadline opening(setup_.strand, [this] {
    if (was_ready_) return;
    complain("an agent's process is not ready in time and is ended", "");
    end_as_failed();
  });
  opening.expires_after(setup_.configuration.open_timeout);
  boost::asio::co_spawn(setup_.strand, watch_input(), boost::asio::detached);
  open();
  co_await read_all();
  opening.stop();
  // It has ended, or closed its output and so cannot end a call any more.
  ending_ = true;
  ready_ = false;
  closed();
  if (const auto owner = setup_.owner.lock()) owner->worker_ending(*this);
  for (auto& [handle, call] : std::exchange(calls_, {})) {
    if (!call.job) continue;
    const bool by_cancelling = call.stage == Call::Stage::kept && ended_by_us_;
    if (by_cancelling) {
      call.job->cancelled(std::nullopt);
    } else {
      call.job->fail(unavailable("The agent's process ended before the call did."));
    }
  }
  live_ = kept_ = 0;
  setup_.process->close_input();
  const net::ExitStatus status =
      co_await setup_.process->terminate(setup_.configuration.kill_grace);
  setup_.log.info("an agent's process has ended", {{"status", net::to_string(status)}});
  ended_ = "the agent's process ended (" + net::to_string(status) + ")";
  listed(interline::fail(ErrorKind::unavailable, *ended_));
  if (const auto owner = setup_.owner.lock()) owner->worker_gone(*this);
}

net::awaitable<void> ProcessWorker::read_all() {
  for (;;) {
    const auto line = co_await setup_.process->read_line();
    if (line && !*line) co_return;
    if (line) {
      co_await take_line((*line)->text);
    } else if (line.error().reason == ErrorReason::too_large) {
      take_long_line(setup_.process->refused_line());
    } else {
      complain("an agent's output cannot be read", line.error().message);
      co_return;
    }
  }
}

/// A process that has closed its input may end what it has, soon, and gets nothing new.
net::awaitable<void> ProcessWorker::watch_input() {
  const auto self = shared_from_this();
  co_await setup_.process->wait_unwritable();
  if (ending_ || setup_.process->exited()) co_return;
  deaf_ = true;
  complain("it has closed its input", "its process gets no new calls");
  end_if_only_kept();
  changed();
  net::Deadline patience(setup_.strand, [this] { end_as_failed(); });
  patience.expires_after(setup_.configuration.cancel_grace);
  (void)co_await setup_.process->wait();
}

tasks::Failure ProcessWorker::too_large() {
  return {std::string(tasks::failure_code::kResultTooLarge),
          "The agent wrote more for this call than the gateway reads.", false};
}

void ProcessWorker::take_long_line(const net::Line& line) {
  if (!std::exchange(long_line_, true)) complain("a line is longer than the limit", "");
  if (!line_owned_) line_owned_ = take_cut_line(line);
  if (line.ended) long_line_ = line_owned_ = false;
  // Nothing else can come before its end, and more than that no call may write.
  const auto& limits = setup_.configuration;
  if (line.ended || ending_ || line.length <= limits.line_limit + limits.output_limit) return;
  complain("a line does not end", "its process is ended");
  end_as_failed();
}

/// One alone is whose it was. Of several, all but that one still have their ends to come.
bool ProcessWorker::take_nameless_line(bool ended) {
  if (calls_.empty()) {
    listed(interline::fail(ErrorKind::unavailable, too_large().message));
    return true;
  }
  if (!ended && (calls_.size() > 1 || !lists_.empty())) return false;
  LostLines::Names waiting;
  for (const auto& [handle, call] : calls_) waiting.insert(handle);
  fail_lost(lost_lines_.lost(std::move(waiting)));
  return true;
}

void ProcessWorker::fail_lost(const LostLines::Names& handles) {
  for (const std::string& handle : handles) fail_call(handle, too_large());
}

void ProcessWorker::end() {
  if (std::exchange(ending_, true)) return;
  ended_by_us_ = true;
  ready_ = false;
  boost::asio::co_spawn(setup_.strand, shut_down(), boost::asio::detached);
}

net::awaitable<void> ProcessWorker::shut_down() {
  const auto self = shared_from_this();  // run() ends once the output does
  setup_.process->close_input();
  if (ends_with_its_input()) {
    net::Deadline patience(setup_.strand, [this] { setup_.process->signal_group(SIGTERM); });
    patience.expires_after(setup_.configuration.kill_grace);
    net::Deadline end_of_patience(setup_.strand, [this] { setup_.process->signal_group(SIGKILL); });
    end_of_patience.expires_after(setup_.configuration.kill_grace * 2);
    (void)co_await setup_.process->wait();
    co_return;
  }
  (void)co_await setup_.process->terminate(setup_.configuration.kill_grace);
}

bool ProcessWorker::send(std::string_view line) {
  const Result<void> sent = setup_.process->post_line(line);
  if (sent) return true;
  complain("a line for it could not be written", sent.error().message);
  const bool backlog = sent.error().kind == ErrorKind::resource_constraint;
  if (backlog && !doubts_[static_cast<std::size_t>(Doubt::input)] && !silent_) {
    doubt(Doubt::input);
    boost::asio::co_spawn(setup_.strand, watch_backlog(), boost::asio::detached);
  }
  return false;
}

net::awaitable<void> ProcessWorker::watch_backlog() {
  const auto self = shared_from_this();
  co_await setup_.process->wait_taken();
  reassured(Doubt::input);
}

void ProcessWorker::doubt(Doubt why) {
  if (ending_ || silent_) return;
  auto& timer = doubts_[static_cast<std::size_t>(why)];
  timer =
      std::make_unique<boost::asio::steady_timer>(setup_.strand, setup_.configuration.cancel_grace);
  timer->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (self && !error) self->fall_silent();
  });
}

void ProcessWorker::reassured(Doubt why) {
  auto& timer = doubts_[static_cast<std::size_t>(why)];
  if (!timer) return;
  timer.reset();
  changed();
}

void ProcessWorker::fall_silent() {
  if (ending_ || silent_) return;
  silent_ = true;
  doubts_ = {};
  complain("it has stopped to read or to answer", "its process gets no new calls");
  end_if_only_kept();
  changed();
}

void ProcessWorker::complain(std::string_view what, std::string_view detail) {
  if (!complaints_.admit(std::chrono::steady_clock::now())) return;
  if (const std::size_t dropped = complaints_.take_dropped()) {
    setup_.log.warning("warnings about an agent were dropped", {{"count", dropped}});
  }
  setup_.log.warning("an agent misbehaves", {{"what", what}, {"detail", detail}});
}

void ProcessWorker::end_as_failed() {
  end();
  ended_by_us_ = false;
}

void ProcessWorker::note_output(std::string_view line) {
  if (output_.admit(std::chrono::steady_clock::now())) {
    setup_.log.info("an agent says", {{"line", without_secrets(line)}});
  }
}

// --- its calls -------------------------------------------------------------------------------

void ProcessWorker::call(const std::shared_ptr<engine::Job>& job) {
  const std::string handle = job->input().handle;
  const auto [place, added] = calls_.try_emplace(handle, job);
  if (!added) {
    job->fail(unavailable("The agent has a call of this handle already."));
    return;
  }
  ++live_;
  if (write_call(handle, place->second)) return;
  calls_.erase(place);
  --live_;
  job->fail(unavailable("The agent's process does not read its input."));
  changed();
}

void ProcessWorker::list(Listed done) {
  if (ended_) {  // sooner than whoever started it could ask
    done(interline::fail(ErrorKind::unavailable, *ended_));
    return;
  }
  lists_.push_back(std::move(done));
  if (ready_ && lists_.size() == 1) write_list();
}

void ProcessWorker::listed(Result<engine::ImportedTools> tools) {
  was_useful_ = was_useful_ || tools.has_value();
  for (const Listed& done : std::exchange(lists_, {})) done(tools);
}

void ProcessWorker::set_ready() {
  if (ending_) return;
  ready_ = was_ready_ = true;
  if (!lists_.empty()) write_list();
  changed();
}

ProcessWorker::Call* ProcessWorker::find(const std::string& handle) {
  const auto found = calls_.find(handle);
  return found == calls_.end() ? nullptr : &found->second;
}

bool ProcessWorker::settling() const {
  const bool doubted = std::ranges::any_of(doubts_, [](const auto& timer) { return !!timer; });
  return doubted || std::ranges::any_of(calls_, [](const auto& entry) {
           return !entry.second.job && entry.second.stage != Call::Stage::kept;
         });
}

void ProcessWorker::changed() {
  if (const auto owner = setup_.owner.lock()) owner->worker_changed();
}

std::shared_ptr<engine::Job> ProcessWorker::finish(const std::string& handle) {
  const auto found = calls_.find(handle);
  if (found == calls_.end()) return nullptr;
  auto job = std::move(found->second.job);
  if (job) --live_;
  if (found->second.stage == Call::Stage::kept) --kept_;
  calls_.erase(found);
  was_useful_ = true;
  end_if_only_kept();
  changed();
  fail_lost(lost_lines_.ended(handle));
  return job;
}

void ProcessWorker::answer(const std::string& handle, const tasks::Answer& answer) {
  const Call* call = find(handle);
  if (call == nullptr || !call->job || write_answer(handle, *call, answer)) return;
  fail_call(handle, unavailable("The agent's process does not read its input."));
}

void ProcessWorker::cancel(const std::string& handle) {
  Call* call = find(handle);
  if (call == nullptr || call->stage != Call::Stage::working) return;
  const bool late = ends_late(handle);
  if (late || !cancel_ends_call()) call->stage = Call::Stage::cancelling;
  write_cancel(handle, *call);
  if (late) return;
  if (cancel_ends_call()) {
    if (const auto job = finish(handle)) job->cancelled(std::nullopt);
    return;
  }
  start_grace(handle, *call, setup_.configuration.cancel_grace);
}

void ProcessWorker::stop(const std::string& handle) {
  Call* call = find(handle);
  if (call != nullptr && call->job) drop(handle, *call);
}

void ProcessWorker::fail_call(const std::string& handle, tasks::Failure failure) {
  Call* call = find(handle);
  if (call == nullptr || !call->job) return;
  const auto job = call->job;
  drop(handle, *call);
  job->fail(std::move(failure));
}

bool ProcessWorker::count_output(const std::string& handle, std::size_t bytes) {
  Call* call = find(handle);
  if (call == nullptr) return true;
  call->bytes += bytes;
  if (call->bytes <= setup_.configuration.output_limit) return true;
  fail_call(handle, too_large());
  return false;
}

/// Nobody waits for the call any more; the process does not know yet.
void ProcessWorker::drop(const std::string& handle, Call& call) {
  if (call.stage == Call::Stage::working || ends_late(handle)) write_stop(handle, call);
  if (cancel_ends_call()) {
    finish(handle);
    return;
  }
  call.job.reset();
  --live_;
  if (call.stage == Call::Stage::kept) {
    end_if_only_kept();
  } else {
    call.stage = Call::Stage::cancelling;
    start_grace(handle, call, setup_.configuration.stop_grace);
  }
  changed();
}

void ProcessWorker::start_grace(const std::string& handle, Call& call,
                                std::chrono::milliseconds grace) {
  call.grace = std::make_unique<boost::asio::steady_timer>(setup_.strand, grace);
  call.grace->async_wait([weak = weak_from_this(), handle](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (self && !error) self->keep(handle);
  });
}

/// The process keeps a call that it should have ended.
void ProcessWorker::keep(const std::string& handle) {
  Call* call = find(handle);
  if (call == nullptr || call->stage == Call::Stage::kept) return;
  call->stage = Call::Stage::kept;
  ++kept_;
  complain("an agent keeps a call that was cancelled", "its process gets no new ones");
  end_if_only_kept();
  changed();
  fail_lost(lost_lines_.ended(handle));
}

void ProcessWorker::retire() {
  if (std::exchange(retired_, true)) return;
  end_if_only_kept();
  changed();
}

void ProcessWorker::end_if_only_kept() {
  if (kept_ != calls_.size() || ending_) return;
  if (kept_ == 0 && !deaf_ && !silent_ && !retired_) return;
  end();
  ended_by_us_ = !deaf_ && (!silent_ || kept_ > 0);
}

}  // namespace interline::runtimes
