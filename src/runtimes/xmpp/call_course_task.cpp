// A call that is a task of the agent's: followed, asked about, answered, cancelled.
#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "runtimes/xmpp/call_course.hpp"
#include "runtimes/xmpp/faults.hpp"

namespace interline::runtimes::xmpp {

namespace asio = boost::asio;
using namespace protocols::xmpp;
using net::awaitable;

namespace {

tasks::Failure lost_result() {
  return {std::string(tasks::failure_code::kUnavailable),
          "The remote task has ended, and its gateway does not keep the result any more.", false};
}

tasks::EntryType end_of(tasks::State state) {
  switch (state) {
    case tasks::State::completed:
      return tasks::EntryType::completed;
    case tasks::State::failed:
      return tasks::EntryType::failed;
    default:
      return tasks::EntryType::cancelled;
  }
}

}  // namespace

/// From here on its events are heard, and those that came before it was known.
awaitable<void> CallCourse::listen_on() {
  agent_->hear(memory_.task, [weak = weak_from_this()](const Event& event) {
    const auto self = weak.lock();
    if (self) self->hear(event);
  });
  co_return;
}

awaitable<void> CallCourse::follow() {
  while (!ended_) {
    if (look_) {
      co_await look();
    } else if (asked_ && asked_->value && !asked_->taken && !cancelling_) {
      co_await send_answer();
    } else if (cancelling_ && !cancel_taken_) {
      co_await send_cancel();
    } else {
      heard_ = false;
      co_await nap(silence_);
      const bool woken = heard_ || look_ || ended_ || (cancelling_ && !cancel_taken_) ||
                         (asked_ && asked_->value && !asked_->taken);
      if (woken) {
        silence_ = agent_->limits().silence_first;
      } else {
        silence_ = std::min(silence_ * 2, agent_->limits().silence_longest);
        look_ = true;
      }
    }
  }
}

awaitable<void> CallCourse::look() {
  AskState asked{memory_.task};
  const auto answer = co_await ask(std::move(asked));
  if (ended_) co_return;
  if (!answer) {
    if (!passes(answer.error())) co_return fail(failure_of(answer.error()));
    co_return co_await back_off();
  }
  const auto* state = std::get_if<RemoteState>(&*answer);
  if (state == nullptr || state->task != memory_.task) {
    co_return fail(failure_of(Fault(Fault::Kind::unreadable)));
  }
  look_ = false;
  if (!history_.jump(state->state, state->revision)) co_return;  // events have overtaken it
  if (tasks::is_terminal(state->state)) {
    if (!state->result_available) co_return fail(lost_result());
    co_return co_await fetch_result();
  }
  if (state->state == tasks::State::cancelling) cancel_taken_ = true;
  const bool asks = state->state == tasks::State::input_required;
  if (asked_ && asked_->refused && !asks) asked_->taken = true;  // somebody else has answered
  if (!asks) co_return;
  auto body = read_event_body(tasks::EntryType::input_required, state->pending);
  if (!body) co_return give_up(failure_of(Fault(Fault::Kind::unreadable)));
  apply(*body, state->revision);
}

awaitable<void> CallCourse::fetch_result() {
  while (!ended_) {
    AskResult asked{memory_.task};
    const auto answer = co_await ask(std::move(asked));
    if (ended_) co_return;
    if (!answer) {
      if (!passes(answer.error())) co_return fail(failure_of(answer.error()));
      co_await back_off();
      continue;
    }
    const auto* result = std::get_if<RemoteResult>(&*answer);
    const bool ours =
        result != nullptr && result->task == memory_.task && tasks::is_terminal(result->state);
    auto body = ours ? read_event_body(end_of(result->state), result->body)
                     : Result<EventBody>(interline::fail(ErrorKind::malformed, "another task's"));
    if (!body) co_return fail(failure_of(Fault(Fault::Kind::unreadable)));
    apply(*body, result->revision);
  }
}

// --- events -------------------------------------------------------------------------------------

/// Whatever is wrong with one, it is ignored whole.
void CallCourse::hear(const Event& event) {
  if (ended_) return;
  heard_ = true;
  const auto body = read_event_body(event.type, event.body);
  if (!body) {
    agent_->log().warning("an event of a remote task cannot be read: it was ignored", {});
    look_ = look_ || event.revision > history_.revision();
    return wake();
  }
  switch (history_.judge(event, *body)) {
    case History::Verdict::next:
      history_.take(event, *body);
      apply(*body, event.revision);
      break;
    case History::Verdict::repeated:
      return;
    case History::Verdict::other:
      agent_->log().warning(
          "an event of a remote task says something else than before: it was ignored", {});
      return;
    case History::Verdict::gap:
    case History::Verdict::illegal:
      look_ = true;
      break;
  }
  wake();
}

void CallCourse::apply(const EventBody& body, tasks::Revision revision) {
  if (const auto* status = std::get_if<StatusBody>(&body)) {
    if (status->state == tasks::State::cancelling) cancel_taken_ = true;
  } else if (const auto* progress = std::get_if<ProgressBody>(&body)) {
    engine::ProgressReport report;
    report.percent = progress->percent;
    report.stage = progress->stage;
    report.message = progress->message;
    job_->progress(std::move(report));
  } else if (const auto* asked = std::get_if<RemoteQuestion>(&body)) {
    question(*asked, revision);
  } else if (const auto* completed = std::get_if<CompletedBody>(&body)) {
    job_->complete(completed->result);
    end();
  } else if (const auto* failed = std::get_if<FailedBody>(&body)) {
    fail(relayed(failed->failure));
  } else if (const auto* cancelled = std::get_if<CancelledBody>(&body)) {
    job_->cancelled(cancelled->reason);
    end();
  }
}

// --- questions ----------------------------------------------------------------------------------

/// One that is asked anew under another request-id is the same question to our caller, and its
/// answer goes to the request that is open then.
void CallCourse::question(RemoteQuestion asked, tasks::Revision revision) {
  if (cancelling_) return;
  if (asked_ && asked_->question.request == asked.request) {
    asked_->refused = asked_->refused && asked_->revision == revision;
    asked_->revision = revision;
    if (!asked_->refused) return;
    return give_up({"xmpp:conflict", "The remote agent does not take the answer.", false});
  }
  const bool again = asked_ && !asked_->taken && asked_->question.text == asked.text &&
                     asked_->question.schema == asked.schema;
  if (again) {
    asked_->question.request = std::move(asked.request);
    asked_->revision = revision;
    asked_->refused = false;
    return;
  }
  asked_ = Asked();
  asked_->key = asked.request;
  asked_->question = std::move(asked);
  asked_->revision = revision;
  const engine::JobInput& input = job_->input();
  // Before a restart of ours it may have been asked, and even answered.
  const auto given = std::ranges::find(input.answers, asked_->key, &tasks::Answer::key);
  if (given != input.answers.end()) return answered(*given);
  const bool open =
      std::ranges::find(input.open_questions, asked_->key) != input.open_questions.end();
  if (!open) ask_caller();
}

void CallCourse::ask_caller() {
  engine::AskedQuestion question;
  question.key = asked_->key;
  question.text = asked_->question.text;
  question.schema = asked_->question.schema;
  auto refused = [weak = weak_from_this(), on = agent_->strand()](const Error& error) {
    asio::post(on, [weak, why = error.message] {
      const auto self = weak.lock();
      if (!self || self->ended_ || self->cancelling_) return;
      self->give_up({std::string(tasks::failure_code::kInternalError),
                     "The agent's question is refused: " + why, false});
    });
  };
  std::vector<engine::AskedQuestion> one;
  one.push_back(std::move(question));
  job_->ask(std::move(one), std::nullopt, std::move(refused));
}

void CallCourse::answered(const tasks::Answer& answer) {
  if (!asked_ || asked_->key != answer.key || asked_->taken || cancelling_) return;
  if (answer.action != tasks::AnswerAction::accept) {
    return give_up({"xmpp:declined",
                    "What the remote agent asked was declined. Over XMPP a question can only be "
                    "answered, so the call was cancelled.",
                    false});
  }
  asked_->value = answer.value;
  wake();
}

awaitable<void> CallCourse::send_answer() {
  const std::string request = asked_->question.request;
  ProvideInput input{memory_.task, request, asked_->revision, *asked_->value};
  const auto answer = co_await ask(std::move(input));
  if (ended_) co_return;
  const bool current = asked_ && asked_->question.request == request;
  if (answer) {
    if (std::get_if<Taken>(&*answer) == nullptr) {
      co_return give_up(failure_of(Fault(Fault::Kind::unreadable)));
    }
    if (current) asked_->taken = true;
    co_return;
  }
  const Fault& fault = answer.error();
  if (is_refusal(fault, condition::kConflict)) {  // expired, asked anew, or the task has settled
    if (current) asked_->refused = true;
    look_ = true;
    co_return;
  }
  if (!passes(fault)) co_return give_up(failure_of(fault));
  look_ = true;
  co_await back_off();
}

// --- cancellation -------------------------------------------------------------------------------

awaitable<void> CallCourse::send_cancel() {
  if (!cancel_expected_) cancel_expected_ = history_.revision();
  CancelTask request;
  request.task = memory_.task;
  request.expected = *cancel_expected_;
  request.reason = cancel_reason_;
  const auto answer = co_await ask(std::move(request));
  if (ended_) co_return;
  if (answer) {
    cancel_taken_ = true;
    co_return;
  }
  const Fault& fault = answer.error();
  look_ = true;  // it may have gone on, or ended
  if (is_refusal(fault, condition::kConflict)) {
    cancel_expected_.reset();
  } else if (!passes(fault)) {
    cancel_taken_ = true;  // it cannot be cancelled: its end is waited for
  }
  co_await back_off();
}

}  // namespace interline::runtimes::xmpp
