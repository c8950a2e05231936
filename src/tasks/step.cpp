#include "tasks/step.hpp"

#include <algorithm>

#include "tasks/event_body.hpp"
#include "tasks/give_input.hpp"

namespace interline::tasks {

Task& Step::next() {
  if (!outcome_.next) outcome_.next = task_;
  return *outcome_.next;
}

void Step::log(EntryType type, std::string body) {
  LogEntry entry;
  entry.sequence = ++next().sequence;
  entry.type = type;
  entry.state = task_.state;
  entry.body = std::move(body);
  entry.time = time();
  outcome_.entry = std::move(entry);
}

void Step::close_pending(Disposition disposition, std::optional<Digest> fingerprint) {
  if (!task_.pending || !next().pending) return;
  next().past.push_back(
      PastRequest{task_.pending->id, disposition, fingerprint, task_.revision + 1});
  next().pending.reset();
}

void Step::issue(InputRequest request) {
  request.id = stamp_.request_id;
  request.created = time();
  next().pending = std::move(request);
}

bool Step::deadline_passed() const {
  const auto& deadline = task_.admission->deadline;
  return deadline && deadline->at <= Instant(stamp_.now);
}

bool Step::expiry_passed() const {
  if (!task_.pending) return false;
  const std::optional<SystemTime> expiry = task_.pending->expires_at();
  return expiry && *expiry <= stamp_.now;
}

Outcome Step::unchanged() {
  outcome_.reply.kind = Reply::Kind::unchanged;
  outcome_.reply.revision = task_.revision;
  return std::move(outcome_);
}

Outcome Step::hold_back() {
  outcome_.reply.kind = Reply::Kind::held;
  outcome_.reply.revision = task_.revision;
  return std::move(outcome_);
}

Outcome Step::refuse(ErrorKind kind, ErrorReason reason, std::string message) {
  Outcome refused;
  refused.reply.kind = Reply::Kind::refused;
  refused.reply.revision = task_.revision;
  refused.reply.error = Error(kind, reason, std::move(message));
  return refused;
}

Outcome Step::refuse_stale() {
  return refuse(ErrorKind::conflict, ErrorReason::stale_revision,
                "The task has moved on from the expected revision.");
}

Outcome Step::replay(Revision revision) {
  Outcome replayed;
  replayed.reply.kind = Reply::Kind::replayed;
  replayed.reply.revision = revision;
  return replayed;
}

Outcome Step::commit() {
  outcome_.reply.kind = Reply::Kind::accepted;
  outcome_.reply.revision = next().revision;
  return std::move(outcome_);
}

Outcome Step::move(Move move, std::string body) {
  const Transition* row = transition(task_.state, move);
  if (row == nullptr) {
    return refuse(ErrorKind::conflict, ErrorReason::none,
                  "The task's state does not allow this now.");
  }
  Task& row_after = next();
  row_after.state = row->to.value_or(task_.state);
  row_after.revision = task_.revision + 1;
  row_after.updated = time();

  LogEntry entry;
  entry.sequence = ++row_after.sequence;
  entry.revision = row_after.revision;
  entry.type = row->event;
  entry.state = row_after.state;
  entry.event_id = stamp_.event_id;
  entry.body = row->event == EntryType::status ? status_body(row_after.state, row_after.updated)
                                               : std::move(body);
  entry.time = row_after.updated;
  outcome_.entry = std::move(entry);
  return commit();
}

Outcome Step::settle(Move move, std::string body) {
  close_pending(Disposition::settled);
  Task& row_after = next();
  row_after.outcome = body;
  row_after.suspended.reset();
  row_after.retain_until = std::max(task_.retain_until, stamp_.now + task_.admission->retention);
  effect(Effect::settled);
  return this->move(move, std::move(body));
}

Outcome Step::refused_but(Outcome outcome, ErrorReason reason, std::string message) {
  outcome.reply.kind = Reply::Kind::refused;
  outcome.reply.error = Error(ErrorKind::conflict, reason, std::move(message));
  return outcome;
}

Outcome Step::pass_deadline(bool timer) {
  const Failure failure = deadline_failure(task_.admission->deadline->source);
  effect(Effect::stop_work);
  Outcome outcome = settle(Move::fail, failed_body(failure));
  if (timer) return outcome;
  return refused_but(std::move(outcome), ErrorReason::expired, "The task's deadline has passed.");
}

Outcome Step::expire() {
  InputRequest again = *task_.pending;
  for (Question& question : again.questions) {
    if (!question.expires_at || *question.expires_at > stamp_.now) continue;
    if (question.reasks_left == 0 || task_.past.size() >= kMaxRequests) {
      close_pending(Disposition::expired);
      effect(Effect::stop_work);
      return settle(Move::fail,
                    failed_body(Failure(std::string(failure_code::kInputExpired),
                                        "The question expired before it was answered.", false)));
    }
    --question.reasks_left;
    question.expires_at = expiry_of(stamp_.now, question);
  }
  close_pending(Disposition::expired);
  issue(std::move(again));
  return move(Move::ask, input_required_body(*next().pending));
}

Outcome Step::pass_expiry(bool timer) {
  Outcome outcome = expire();
  if (timer) return outcome;
  return refused_but(std::move(outcome), ErrorReason::expired,
                     "A question of this task expired before this.");
}

Outcome Step::repeat_cancel(const Cancel& command) {
  const CancelRecord& accepted = *task_.cancel;
  const bool expects_it = !command.expected || *command.expected + 1 == accepted.revision;
  const bool same = command.fingerprint ? command.fingerprint == accepted.fingerprint : expects_it;
  if (same) return replay(accepted.revision);
  if (command.expected && *command.expected != task_.revision) return refuse_stale();
  return refuse(ErrorKind::conflict, ErrorReason::different_request,
                "Another cancellation of this task was accepted before.");
}

}  // namespace interline::tasks
