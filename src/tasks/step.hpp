// One application of a command to a task: collects what is to be committed and how it is replied.
// Internal to tasks/; the rules themselves are in apply.cpp and give_input.cpp.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tasks/apply.hpp"
#include "tasks/transitions.hpp"

namespace interline::tasks {

/// Callers read it in milliseconds, so that is what it is: not a moment later than they were told.
[[nodiscard]] inline SystemTime expiry_of(SystemTime now, const Question& question) {
  return std::chrono::floor<std::chrono::milliseconds>(now + question.expires_in);
}

class Step {
 public:
  Step(const Task& task, const Stamp& stamp) : task_(task), stamp_(stamp) {
    outcome_.before = task.state;
  }

  [[nodiscard]] const Task& task() const { return task_; }
  [[nodiscard]] const Stamp& stamp() const { return stamp_; }
  /// What is written down as the time of this change: the clock may have been set back, but no
  /// task says that it changed before it had changed.
  [[nodiscard]] SystemTime time() const { return std::max(stamp_.now, task_.updated); }
  /// The row being made, a copy of the present one at first.
  [[nodiscard]] Task& next();

  void effect(Effect effect) { outcome_.effects.push_back(effect); }
  /// A log entry without a revision.
  void log(EntryType type, std::string body);
  void fold(ArtifactChunk chunk) { outcome_.chunk = std::move(chunk); }
  /// The pending request, if any, becomes a past one.
  void close_pending(Disposition disposition, std::optional<Digest> fingerprint = std::nullopt);
  /// Issues the request's questions, all of them, under the stamp's new request id.
  void issue(InputRequest request);

  [[nodiscard]] bool deadline_passed() const;
  [[nodiscard]] bool expiry_passed() const;

  // Endings: each makes the outcome; the step is done then.
  [[nodiscard]] Outcome unchanged();
  [[nodiscard]] Outcome hold_back();
  [[nodiscard]] Outcome refuse(ErrorKind kind, ErrorReason reason, std::string message);
  [[nodiscard]] Outcome refuse_stale();
  [[nodiscard]] Outcome replay(Revision revision);
  /// No event: the changes made to next().
  [[nodiscard]] Outcome commit();
  /// A row of the transition table: state, revision and event; an empty body means a status body.
  [[nodiscard]] Outcome move(Move move, std::string body = {});
  /// move() into a terminal state.
  [[nodiscard]] Outcome settle(Move move, std::string body);
  /// Fails the task for its deadline. A command other than a timer is refused as expired.
  [[nodiscard]] Outcome pass_deadline(bool timer);
  /// Re-asks the expired questions, or fails the task where one may not be asked again. A command
  /// other than a timer is refused as expired.
  [[nodiscard]] Outcome pass_expiry(bool timer);
  /// The reply of the cancellation accepted before, or a conflict for another one. Without a
  /// fingerprint it is the same one where it expects the same revision, or none.
  [[nodiscard]] Outcome repeat_cancel(const Cancel& command);
  /// Turns an outcome that commits into a refusal that commits the same.
  [[nodiscard]] static Outcome refused_but(Outcome outcome, ErrorReason reason,
                                           std::string message);

 private:
  [[nodiscard]] Outcome expire();

  const Task& task_;
  const Stamp& stamp_;
  Outcome outcome_;
};

}  // namespace interline::tasks
