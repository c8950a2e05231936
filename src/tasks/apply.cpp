#include "tasks/apply.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tasks/event_body.hpp"
#include "tasks/give_input.hpp"
#include "tasks/step.hpp"

namespace interline::tasks {
namespace {

// Each handler may assume that the task is not terminal, that its deadline has not passed and that
// no open question has expired.

/// Whether the work of an earlier boot goes on by what its runtime remembered, also where the
/// caller is asked or has cancelled meanwhile: somebody has to hear of it. What was suspended is no
/// work.
bool goes_on(const Task& task) {
  return !task.memory.empty() && !task.suspended && task.dispatched_boot == 0;
}

/// The work that asked is gone and is to be done anew. Its question stays as it is until it asks
/// again: nothing but an answer leads back to running.
bool waits_anew(const Task& task) {
  return task.state == State::input_required && !task.suspended && task.dispatched_boot == 0 &&
         task.admission->rerun_on_restart;
}

Outcome on(Step& step, const Dispatch& command) {
  const Task& task = step.task();
  if (task.dispatched_boot == command.boot) return step.unchanged();
  const bool waits =
      task.dispatched_boot == 0 && (task.state == State::accepted || task.state == State::running ||
                                    goes_on(task) || waits_anew(task));
  if (!waits || task.held) {
    return step.refuse(ErrorKind::conflict, ErrorReason::none, "The task does not wait for work.");
  }
  step.next().dispatched_boot = command.boot;
  return step.commit();
}

Outcome on(Step& step, const Undispatch& command) {
  if (step.task().dispatched_boot != command.boot) return step.unchanged();
  if (step.task().pending) {
    return step.refuse(ErrorKind::conflict, ErrorReason::in_flight,
                       "A task that has asked is being worked on.");
  }
  step.next().dispatched_boot = 0;
  return step.commit();
}

Outcome on(Step& step, const Start&) {
  if (step.task().state != State::accepted) return step.unchanged();
  return step.move(Move::start);
}

Outcome on(Step& step, const Progress& command) {
  const Task& task = step.task();
  if (!task.admission->reports_progress) return step.unchanged();
  if (task.state == State::input_required) return step.hold_back();
  const bool has_percent = command.percent && std::isfinite(*command.percent);
  if (!has_percent && !command.stage && !command.message) return step.unchanged();
  return step.move(Move::progress, progress_body(has_percent ? command.percent : std::nullopt,
                                                 command.stage, command.message));
}

Outcome on(Step& step, const Note& command) {
  step.log(command.type == EntryType::note ? EntryType::note : EntryType::log, command.body);
  return step.commit();
}

Outcome on(Step& step, const Output& command) {
  step.log(EntryType::output, output_body(command.chunk));
  step.fold(command.chunk);
  return step.commit();
}

Outcome on(Step& step, const Cancel& command) {
  const Task& task = step.task();
  if (!task.admission->cancellable) {
    return step.refuse(ErrorKind::conflict, ErrorReason::not_cancellable,
                       "This tool cannot be cancelled.");
  }
  if (command.expected && *command.expected != task.revision) return step.refuse_stale();
  step.close_pending(Disposition::cancelled);
  step.next().cancel = CancelRecord{command.fingerprint, task.revision + 1, command.reason};
  step.effect(Effect::tell_cancel);
  return step.move(Move::cancel);
}

Outcome on(Step& step, const Complete& command) {
  return step.settle(Move::complete, completed_body(command.result, command.summary));
}

Outcome on(Step& step, const Fail& command) {
  return step.settle(Move::fail, failed_body(command.failure));
}

Outcome on(Step& step, const ConfirmCancelled& command) {
  const auto& cancel = step.task().cancel;
  const bool own_reason = command.reason || !cancel;
  return step.settle(Move::confirm_cancelled,
                     cancelled_body(own_reason ? command.reason : cancel->reason));
}

Outcome on(Step& step, const Tick&) {
  return step.unchanged();
}

Outcome on(Step& step, const Remember& command) {
  step.next().memory = command.memory;
  return step.commit();
}

Outcome on(Step& step, const Hold&) {
  const Task& task = step.task();
  if (task.held) return step.unchanged();
  if (task.state != State::accepted || task.dispatched_boot != 0) {
    return step.refuse(ErrorKind::conflict, ErrorReason::in_flight,
                       "Only a task that has not been started can be held.");
  }
  step.next().held = true;
  step.log(EntryType::held, "{}");
  return step.commit();
}

Outcome on(Step& step, const Release&) {
  if (!step.task().held) return step.unchanged();
  step.next().held = false;
  step.log(EntryType::released, "{}");
  step.effect(Effect::dispatchable);
  return step.commit();
}

/// What an earlier boot had handed to a runtime is gone with it: its outcome is unknown.
Outcome recover_dispatched(Step& step) {
  const Task& task = step.task();
  const bool rerun = task.admission->rerun_on_restart && task.state != State::cancelling;
  if (!rerun) {
    return step.settle(
        Move::fail,
        failed_body(Failure(std::string(failure_code::kUnavailable),
                            "The gateway restarted while the tool may have been at work; whether "
                            "it finished is unknown.",
                            false)));
  }
  step.next().dispatched_boot = 0;
  // With a state the answer brings it again, as it would have before.
  if (!task.pending || !task.suspended) step.effect(Effect::dispatchable);
  return step.commit();
}

Outcome on(Step& step, const Recover& command) {
  const Task& task = step.task();
  if (task.attached) {
    return step.settle(Move::confirm_cancelled, cancelled_body("mcp-request-cancelled"));
  }
  if (task.dispatched_boot == command.boot) return step.unchanged();
  if (task.dispatched_boot != 0) {
    if (!command.resumable) return recover_dispatched(step);
    step.next().dispatched_boot = 0;
    step.effect(Effect::dispatchable);
    return step.commit();
  }
  if (command.resumable && goes_on(task)) {  // a boot between had not come to it
    step.effect(Effect::dispatchable);
    return step.unchanged();
  }
  if (task.state == State::cancelling) {  // no runtime has it, and none will
    return step.settle(Move::confirm_cancelled,
                       cancelled_body(task.cancel ? task.cancel->reason : std::nullopt));
  }
  const bool asked = task.state == State::input_required && !waits_anew(task);
  if (!task.held && !asked) step.effect(Effect::dispatchable);
  return step.unchanged();
}

Outcome on(Step& step, const Ask& command) {
  return ask(step, command);
}
Outcome on(Step& step, const GiveInput& command) {
  return give_input(step, command);
}

/// Bookkeeping of the request that admitted the task, not of its work: always allowed.
Outcome on(Step& step, const Detach&) {
  if (!step.task().attached) return step.unchanged();
  step.next().attached = false;
  return step.commit();
}

}  // namespace

Outcome apply(const Task& task, const Command& command, const Stamp& stamp) {
  Step step(task, stamp);
  if (const auto* detach = std::get_if<Detach>(&command)) return on(step, *detach);

  // 1. What was accepted before is answered from its record, whatever has happened since.
  if (const auto* cancel = std::get_if<Cancel>(&command); cancel != nullptr && task.cancel) {
    return step.repeat_cancel(*cancel);
  }
  if (const auto* input = std::get_if<GiveInput>(&command)) {
    if (std::optional<Outcome> known = recognise_input(step, *input)) return *std::move(known);
  }
  // 2. Terminal states never change.
  if (is_terminal(task.state)) {
    const bool late_timer =
        std::holds_alternative<Tick>(command) || std::holds_alternative<Recover>(command);
    if (late_timer) return step.unchanged();
    return step.refuse(ErrorKind::conflict, ErrorReason::terminal, "The task has settled.");
  }
  // 3. A deadline that has passed at this commit has passed, and the command loses.
  const bool timer = std::holds_alternative<Tick>(command);
  if (step.deadline_passed()) return step.pass_deadline(timer);
  // 4. So does one that comes after a question's expiry: what became of the question is committed
  //    in its place, and where the task lives on, whoever sent it may send it again.
  if (step.expiry_passed()) return step.pass_expiry(timer);
  // 5. The command's own rules.
  return std::visit([&step](const auto& c) { return on(step, c); }, command);
}

Failure deadline_failure(DeadlineSource source) {
  const bool ours = source == DeadlineSource::max_duration;
  return {std::string(ours ? failure_code::kMaxDuration : failure_code::kDeadlineExpired),
          ours ? "The task ran longer than this gateway allows."
               : "The deadline passed before the task was done.",
          false};
}

Task admitted(std::shared_ptr<const Admission> admission, bool attached) {
  Task task;
  task.updated = admission->created;
  task.retain_until = admission->created + admission->retention;
  task.attached = attached;
  task.admission = std::move(admission);
  return task;
}

}  // namespace interline::tasks
