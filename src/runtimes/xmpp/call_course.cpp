// A call until it is a task of the agent's, and how it ends.
#include "runtimes/xmpp/call_course.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "base/id.hpp"
#include "runtimes/xmpp/faults.hpp"

namespace interline::runtimes::xmpp {

namespace asio = boost::asio;
using namespace protocols::xmpp;
using net::awaitable;

namespace {

constexpr std::string_view kRequestPrefix = "il.";
// Off the end of the time in which an invocation is recognised: clocks differ, and it has a way to
// go.
constexpr std::int64_t kReplayMargin = 60;

std::int64_t seconds_of(SystemTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

awaitable<void> send_last_cancel(std::shared_ptr<RemoteAgent> agent, CancelTask request) {
  (void)co_await agent->ask(std::move(request));  // whatever comes of it
}

}  // namespace

CallCourse::CallCourse(std::shared_ptr<RemoteAgent> agent, std::shared_ptr<engine::Job> job,
                       std::shared_ptr<const Clock> clock)
    : agent_(std::move(agent)),
      job_(std::move(job)),
      clock_(std::move(clock)),
      nap_(agent_->strand()),
      retry_(agent_->limits().retry_first),
      silence_(agent_->limits().silence_first) {}

awaitable<void> CallCourse::run() {
  const auto self = shared_from_this();
  listen();
  agent_->on_ready(self, [this] {
    look_ = look_ || !memory_.task.empty();
    wake();
  });
  if (co_await begin()) {
    agent_->expect();
    const bool admitted = !memory_.task.empty() || co_await admit();
    if (admitted && !ended_) co_await listen_on();
    agent_->expect_no_more();
    if (admitted && !ended_) co_await follow();
    if (!memory_.task.empty()) agent_->hear(memory_.task, nullptr);
  }
}

void CallCourse::listen() {
  // The job holds these: they must not hold the job.
  const auto on_strand = [weak = weak_from_this(), on = agent_->strand()](auto act) {
    asio::post(on, [weak, act = std::move(act)] {
      const auto self = weak.lock();
      if (self && !self->ended_) act(*self);
    });
  };
  engine::JobCallbacks callbacks;
  callbacks.on_input = [on_strand](const tasks::Answer& answer) {
    on_strand([answer](CallCourse& self) { self.answered(answer); });
  };
  callbacks.on_cancel = [on_strand](const std::optional<std::string>& reason) {
    on_strand([reason](CallCourse& self) {
      self.cancelling_ = true;
      self.cancel_reason_ = reason;
      self.wake();
    });
  };
  callbacks.on_stop = [on_strand] {
    on_strand([](CallCourse& self) {
      self.abandon_remote();
      self.end();
    });
  };
  job_->listen(std::move(callbacks));
}

awaitable<void> CallCourse::nap(std::chrono::milliseconds time) {
  nap_.expires_after(time);
  co_await nap_.async_wait(net::use_tuple);
}

awaitable<void> CallCourse::back_off() {
  const auto wait = std::exchange(retry_, std::min(retry_ * 2, agent_->limits().retry_longest));
  co_await nap(wait);
}

awaitable<Answered<AgentAnswer>> CallCourse::ask(AgentRequest request) {
  auto answer = co_await agent_->ask(std::move(request));
  if (answer) retry_ = agent_->limits().retry_first;
  co_return answer;
}

// --- until there is a task ----------------------------------------------------------------------

/// False: the call is over already.
awaitable<bool> CallCourse::begin() {
  const engine::JobInput& input = job_->input();
  if (input.memory.empty()) co_return co_await make_memory();
  auto memory = CallMemory::read(input.memory);
  if (!memory) {
    fail({std::string(tasks::failure_code::kInternalError),
          "What was remembered of this call cannot be read.", false});
    co_return false;
  }
  memory_ = *std::move(memory);
  uncertain_ = true;  // before the restart it may have been sent
  look_ = true;
  co_return true;
}

awaitable<bool> CallCourse::make_memory() {
  const engine::JobInput& input = job_->input();
  auto pins = pins_of(job_->tool_definition());
  if (!pins) {
    fail({std::string(tasks::failure_code::kInternalError),
          "This version of the endpoint was not made from the remote agent's tools.", false});
    co_return false;
  }
  while (!agent_->replay()) {
    const auto info = co_await agent_->meet();
    if (ended_) co_return false;
    if (info) break;
    if (!passes(info.error())) {
      fail(failure_of(info.error()));
      co_return false;
    }
    if (cancelling_) break;
    co_await back_off();
    if (ended_) co_return false;
  }
  if (cancelling_) {  // nothing was sent
    job_->cancelled(cancel_reason_);
    end();
    co_return false;
  }
  memory_.pins = *std::move(pins);
  memory_.request = std::string(kRequestPrefix)
                        .append(input.repeat_key.empty() ? input.handle : input.repeat_key);
  if (input.deadline) memory_.deadline = input.deadline->canonical();
  memory_.repeat_until = seconds_of(clock_->now()) + agent_->replay()->count() - kReplayMargin;
  co_return co_await remember();
}

/// False: the task has settled, or there is no room for it: nothing more is sent.
awaitable<bool> CallCourse::remember() {
  std::string text = memory_.text();
  const auto remembered = co_await job_->remember(std::move(text));
  if (ended_) co_return false;
  if (remembered) co_return true;
  give_up({std::string(tasks::failure_code::kInternalError), remembered.error().message, true});
  co_return false;
}

awaitable<bool> CallCourse::admit() {
  const engine::JobInput& input = job_->input();
  unsigned busy = 0;
  while (!ended_) {
    if (cancelling_ && !uncertain_) {
      job_->cancelled(cancel_reason_);
      end();
      break;
    }
    if (uncertain_ && seconds_of(clock_->now()) >= memory_.repeat_until) {
      fail({std::string(tasks::failure_code::kUnavailable),
            "The remote agent could not be reached for so long that the call may not be repeated "
            "any more; whether it ran is unknown.",
            false});
      break;
    }
    Invoke invoke{memory_.request, input.tool, memory_.pins, input.arguments, memory_.deadline};
    const auto answer = co_await ask(std::move(invoke));
    if (answer) co_return co_await take_acceptance(*answer);
    if (ended_) break;
    const Fault& fault = answer.error();
    if (fault.kind == Fault::Kind::unanswered) uncertain_ = true;
    const bool full = is_refusal(fault, condition::kBusy) && ++busy > agent_->limits().busy_retries;
    if (!passes(fault) || full) {
      if (is_refusal(fault, condition::kConflict)) agent_->suspect();
      fail(failure_of(fault));
      break;
    }
    co_await back_off();
  }
  co_return false;
}

awaitable<bool> CallCourse::take_acceptance(const AgentAnswer& answer) {
  const auto* accepted = std::get_if<Accepted>(&answer);
  const bool ours = accepted != nullptr && accepted->request == memory_.request;
  if (!ours) {
    if (!ended_) fail(failure_of(Fault(Fault::Kind::unreadable)));
    co_return false;
  }
  memory_.task = accepted->task;
  if (ended_) {  // our task settled while it was on its way
    ended_ = false;
    abandon_remote();
    ended_ = true;
    co_return false;
  }
  // A repeated acceptance says nothing of what has happened since.
  look_ = look_ || uncertain_;
  co_return co_await remember();
}

// --- its end ------------------------------------------------------------------------------------

void CallCourse::end() {
  ended_ = true;
  wake();
}

void CallCourse::fail(tasks::Failure failure) {
  if (ended_) return;
  job_->fail(std::move(failure));
  end();
}

/// Fails what the agent may still be at work on.
void CallCourse::give_up(tasks::Failure failure) {
  abandon_remote();
  fail(std::move(failure));
}

/// Nobody waits for it any more: it is told so once, whether it hears or not.
void CallCourse::abandon_remote() {
  if (ended_ || memory_.task.empty() || history_.ended()) return;
  CancelTask request;
  request.task = memory_.task;
  request.expected = history_.revision();
  asio::co_spawn(agent_->strand(), send_last_cancel(agent_, std::move(request)), asio::detached);
}

}  // namespace interline::runtimes::xmpp
