// The rules of a task's life: one pure function over one table.
//
// Order of checks (brief: replay recognition, then terminal, then deadline, then expiry, then the
// command's own): whatever the timers did, an instant that has passed at the commit has passed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tasks/command.hpp"
#include "tasks/model.hpp"

namespace interline::tasks {

/// SystemTime and fresh identifiers for one application, made by the caller.
struct Stamp {
  SystemTime now{};
  std::string event_id;    ///< used if an event is made
  std::string request_id;  ///< used if a request is issued or re-issued

  Stamp(SystemTime instant, std::string event, std::string request)
      : now(instant), event_id(std::move(event)), request_id(std::move(request)) {}
};

/// What the one who sent the command is told.
struct Reply {
  enum class Kind : std::uint8_t {
    accepted,   ///< committed; `revision` is the task's after it
    replayed,   ///< accepted before; `revision` is what was replied then
    unchanged,  ///< nothing to do: a late timer, a repeated start
    held,       ///< progress while input is pending: send the newest again after the answer
    refused,    ///< `error` says why
  };
  Kind kind = Kind::unchanged;
  Revision revision = 0;
  std::optional<Error> error;
};

/// What is to be done once the commit has returned. Derived from stored state after a restart too.
enum class Effect : std::uint8_t {
  deliver_answers,  ///< tell the live runtime the answers that this command added
  redispatch,       ///< every question of suspended work is answered: start it again
  tell_cancel,      ///< pass the cancellation on to the runtime
  stop_work,        ///< settled without the runtime: it must drop this task
  settled,          ///< terminal now
  dispatchable,     ///< released or recovered: may be handed to a runtime
};

/// The reply, and apart from it what to commit: a refused late answer also commits the expiry.
struct Outcome {
  Reply reply;
  State before = State::accepted;      ///< the task's state until then
  std::optional<Task> next;            ///< the new row; nothing: no commit
  std::optional<LogEntry> entry;       ///< at most one a command
  std::optional<ArtifactChunk> chunk;  ///< to fold, with the entry
  std::vector<Effect> effects;
};

/// Pure and total: every state and command has an outcome. `task` is as loaded; never throws but
/// std::bad_alloc.
[[nodiscard]] Outcome apply(const Task& task, const Command& command, const Stamp& stamp);

/// How work ends whose deadline has passed.
[[nodiscard]] Failure deadline_failure(DeadlineSource source);

/// The record that admission commits: state accepted, revision 0, no event. `attached` calls belong
/// to their request until Detach.
[[nodiscard]] Task admitted(std::shared_ptr<const Admission> admission, bool attached);

}  // namespace interline::tasks
