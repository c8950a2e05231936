#include "tasks/give_input.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/event_body.hpp"

namespace interline::tasks {
namespace {

/// An answer names its question by the engine's id, or by the runtime's key.
[[nodiscard]] bool names(const Answer& answer, std::string_view id, std::string_view key) {
  return answer.question.empty() ? !answer.key.empty() && answer.key == key : answer.question == id;
}

[[nodiscard]] const Answer* accepted_answer(const Task& task, const Answer& answer) {
  const auto found = std::find_if(
      task.answers.rbegin(), task.answers.rend(),
      [&answer](const Answer& earlier) { return names(answer, earlier.question, earlier.key); });
  return found == task.answers.rend() ? nullptr : &*found;
}

[[nodiscard]] bool is_open(const Task& task, const Answer& answer) {
  if (!task.pending) return false;
  return std::any_of(
      task.pending->questions.begin(), task.pending->questions.end(),
      [&answer](const Question& question) { return names(answer, question.id, question.key); });
}

[[nodiscard]] Outcome contradicts(Step& step) {
  return step.refuse(ErrorKind::conflict, ErrorReason::already_answered,
                     "This question was answered before, in another way.");
}

[[nodiscard]] Outcome unknown_request(Step& step) {
  return step.refuse(ErrorKind::not_found, ErrorReason::none, "No such request for input.");
}

/// Whether every answer repeats the one accepted for its question; none of the answers is open.
[[nodiscard]] std::optional<Outcome> recognise_by_answers(Step& step, const GiveInput& command) {
  Revision revision = 0;
  std::size_t repeated = 0;
  for (const Answer& answer : command.answers) {
    if (is_open(step.task(), answer)) continue;
    const Answer* accepted = accepted_answer(step.task(), answer);
    if (accepted == nullptr) return unknown_request(step);
    if (accepted->digest != answer.digest) return contradicts(step);
    revision = std::max(revision, accepted->revision);
    ++repeated;
  }
  if (repeated == command.answers.size()) return step.replay(revision);
  return std::nullopt;  // some are new: the repeated ones are passed over when these are taken
}

[[nodiscard]] Outcome recognise_past(Step& step, const PastRequest& past,
                                     const GiveInput& command) {
  if (past.disposition == Disposition::answered) {
    if (past.fingerprint && command.fingerprint) {
      if (*past.fingerprint == *command.fingerprint) return step.replay(past.revision);
      return contradicts(step);
    }
    for (const Answer& answer : command.answers) {
      const Answer* accepted = accepted_answer(step.task(), answer);
      if (accepted == nullptr || accepted->digest != answer.digest) return contradicts(step);
    }
    return step.replay(past.revision);
  }
  if (past.disposition == Disposition::expired) {
    return step.refuse(ErrorKind::conflict, ErrorReason::expired, "This request has expired.");
  }
  const bool over = is_terminal(step.task().state);
  return step.refuse(ErrorKind::conflict,
                     over ? ErrorReason::terminal : ErrorReason::stale_revision,
                     "This request is no longer open.");
}

}  // namespace

std::optional<Outcome> recognise_input(Step& step, const GiveInput& command) {
  const Task& task = step.task();
  if (command.answers.empty()) {
    return step.refuse(ErrorKind::malformed, ErrorReason::none, "No answer is given.");
  }
  if (command.request.empty()) return recognise_by_answers(step, command);
  if (task.pending && task.pending->id == command.request) return std::nullopt;
  const auto past = std::find_if(
      task.past.begin(), task.past.end(),
      [&command](const PastRequest& request) { return request.id == command.request; });
  if (past == task.past.end()) return unknown_request(step);
  return recognise_past(step, *past, command);
}

Outcome give_input(Step& step, const GiveInput& command) {
  const Task& task = step.task();
  if (!task.pending) {
    return step.refuse(ErrorKind::conflict, ErrorReason::none, "The task waits for no input.");
  }
  if (command.expected && *command.expected != task.revision) return step.refuse_stale();

  InputRequest rest = *task.pending;
  std::vector<Answer> taken;
  for (const Answer& answer : command.answers) {
    const auto question =
        std::find_if(rest.questions.begin(), rest.questions.end(),
                     [&answer](const Question& open) { return names(answer, open.id, open.key); });
    if (question == rest.questions.end()) {
      const Answer* accepted = accepted_answer(task, answer);
      if (accepted != nullptr && accepted->digest == answer.digest) continue;
      return step.refuse(ErrorKind::malformed, ErrorReason::none,
                         "An answer names a question that is not open, or one twice.");
    }
    Answer kept = answer;
    kept.question = question->id;
    kept.key = question->key;
    kept.revision = task.revision + 1;
    taken.push_back(std::move(kept));
    rest.questions.erase(question);
  }

  Task& next = step.next();
  next.answers.insert(next.answers.end(), taken.begin(), taken.end());
  step.close_pending(Disposition::answered, command.fingerprint);
  // Work that was handed out again with its state may ask while it runs, like any other.
  const bool waits = task.suspended && task.dispatched_boot == 0;
  if (!waits) step.effect(Effect::deliver_answers);
  if (!rest.questions.empty()) {
    step.issue(std::move(rest));
    return step.move(Move::ask, input_required_body(*next.pending));
  }
  if (waits) step.effect(Effect::redispatch);
  return step.move(Move::resume);
}

Outcome ask(Step& step, const Ask& command) {
  const Task& task = step.task();
  const Admission& admission = *task.admission;
  if (!admission.asks) {
    return step.refuse(ErrorKind::not_acceptable, ErrorReason::none,
                       "The tool does not declare that it asks for input.");
  }
  if (transition(task.state, Move::ask) == nullptr) {
    return step.refuse(ErrorKind::conflict, ErrorReason::none, "The task is being cancelled.");
  }
  InputRequest request;
  if (task.pending && !command.anew) request = *task.pending;
  for (const Question& question : command.questions) {
    if ((admission.answerable & bit(question.kind)) == 0) {
      return step.refuse(ErrorKind::not_acceptable, ErrorReason::none,
                         "The caller cannot answer this kind of question.");
    }
    const bool taken = std::any_of(
        request.questions.begin(), request.questions.end(), [&question](const Question& open) {
          return open.id == question.id || (!open.key.empty() && open.key == question.key);
        });
    if (taken) {
      return step.refuse(ErrorKind::malformed, ErrorReason::none,
                         "A question with this key is open already.");
    }
    request.questions.push_back(question);
    if (question.expires_in.count() > 0) {
      request.questions.back().expires_at = expiry_of(step.stamp().now, question);
    }
  }
  if (command.questions.empty()) {
    return step.refuse(ErrorKind::malformed, ErrorReason::none, "No question is given.");
  }
  if (request.questions.size() > kMaxOpenQuestions || task.past.size() >= kMaxRequests) {
    return step.refuse(ErrorKind::resource_constraint, ErrorReason::too_many,
                       "The task has asked too many questions.");
  }
  step.close_pending(Disposition::superseded);
  step.issue(std::move(request));
  Task& next = step.next();
  if (command.state) {
    next.suspended = command.state;
    next.resume_from = next.answers.size();
    next.dispatched_boot = 0;
  }
  return step.move(Move::ask, input_required_body(*next.pending));
}

}  // namespace interline::tasks
