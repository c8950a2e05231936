// A durable task as A2A shows it: Task, TaskStatus and the two update events (A2A 1.0,
// sections 4.1.1, 4.1.2 and 4.2), from the same records that every other network shows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "protocols/a2a/states.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::a2a {

/// The member of a CallToolResult's `_meta` in which an agent says what only A2A can: `message`, a
/// Message that is the whole answer, and `status`, one that goes with the final state. Of both the
/// parts and the metadata are looked at.
inline constexpr std::string_view kResultMeta = "interline/a2a";

/// The artifact that a tool's result is.
inline constexpr std::string_view kResultArtifact = "result";

struct Status {
  TaskState state = TaskState::unspecified;
  SystemTime time{};
  std::string message;   ///< Message text of the agent, "" if it says nothing
  std::string metadata;  ///< of the task or the event; object text or ""
};

/// An artifact as the store folded it.
struct ShownArtifact {
  std::string_view id;
  std::string_view elements;  ///< array text, of the agent
};

/// A message of the history, with the time at which it came.
struct KeptMessage {
  SystemTime time{};
  std::string text;
};

[[nodiscard]] Status status_of(const tasks::Task& task);
/// `now`: the task, at that entry or later; what asks is found in it. Nothing for entries that A2A
/// shows in no status.
[[nodiscard]] std::optional<Status> status_of(const tasks::Task& now, const tasks::LogEntry& entry);

/// What a Task says of its artifacts: no word, those there are, or also that there are none.
enum class Artifacts : std::uint8_t { left_out, any, listed };

/// A Task. `history`: all of it, oldest first; of it
/// the `length` newest are shown, all without one.
[[nodiscard]] std::string task_text(const tasks::Task& task, Artifacts which,
                                    std::span<const ShownArtifact> artifacts,
                                    std::vector<KeptMessage> history,
                                    std::optional<std::int32_t> length);

/// The Message that the agent answered instead of a task; "" if it did not.
[[nodiscard]] std::string lone_message(const tasks::Task& task);

/// The question that an earlier entry asked, as a message of the history; nothing for others.
[[nodiscard]] std::optional<KeptMessage> asked_message(const tasks::Task& task,
                                                       const tasks::LogEntry& entry);

// StreamResponse texts.
[[nodiscard]] std::string status_update(const tasks::Task& task, const Status& status);
/// Of an output entry.
[[nodiscard]] std::string artifact_update(const tasks::Task& task, const tasks::LogEntry& entry);
/// Of a completed entry: its result as an artifact; "" if it has none.
[[nodiscard]] std::string result_update(const tasks::Task& task, const tasks::LogEntry& entry);
/// `{"task":...}`, `{"message":...}`.
[[nodiscard]] std::string enveloped(std::string_view member, std::string_view text);

}  // namespace interline::protocols::a2a
