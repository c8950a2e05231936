// What a task is: the record that the store keeps, the log beside it, and nothing else.
//
// A task has two parts. Its Admission is fixed by the commit that made it; the rest changes only
// through tasks::apply. Both are plain values: no clock, no I/O, no pointers into anything alive.
// Every network's view of a task is a projection of these records, so a field that only one network
// needs is either here for all of them or in a binding record of that network.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/instant.hpp"
#include "base/sha256.hpp"

namespace interline::tasks {

/// Number of commits after admission that made an event: 0 is the admission itself.
using Revision = std::uint64_t;
/// Position in a task's log, from 1; finer than revisions: log lines and chunks have one too.
using Sequence = std::uint64_t;

/// ProtoXEP XMPP Agent Gateway, "Task states".
enum class State : std::uint8_t {
  accepted,
  running,
  input_required,
  cancelling,
  completed,
  failed,
  cancelled,
};
inline constexpr std::size_t kStateCount = 7;
[[nodiscard]] constexpr bool is_terminal(State state) {
  return state >= State::completed;
}
/// The word of the wire and of the store: "input_required".
[[nodiscard]] std::string_view to_string(State state);
[[nodiscard]] std::optional<State> state_named(std::string_view word);

/// Why the effective deadline is what it is; decides the failure code at its passing.
enum class DeadlineSource : std::uint8_t {
  caller,        ///< the caller's, or the tool's default or maximum: fails with deadline-expired
  max_duration,  ///< the gateway's own bound: fails with interline:max-duration
};

/// The effective deadline. `at` keeps the caller's spelling where it is the caller's.
struct Deadline {
  Instant at;
  DeadlineSource source = DeadlineSource::caller;

  Deadline(Instant instant, DeadlineSource deadline_source)
      : at(std::move(instant)), source(deadline_source) {}
};

/// Kinds of question a runtime may ask and a caller may be able to answer, as a set of bits.
enum class QuestionKind : std::uint8_t { form, url, credential, sampling, roots };
inline constexpr std::size_t kQuestionKindCount = 5;
[[nodiscard]] std::string_view to_string(QuestionKind kind);
[[nodiscard]] std::optional<QuestionKind> question_kind_named(std::string_view word);

using QuestionKinds = std::uint8_t;  ///< bit 1 << kind
[[nodiscard]] constexpr QuestionKinds bit(QuestionKind kind) {
  return static_cast<QuestionKinds>(1U << static_cast<unsigned>(kind));
}

/// What admission fixed for ever. Shared between the row, the dispatcher and the watchers.
struct Admission {
  std::string id;        ///< [A-Za-z0-9_-]{22,128}, time-ordered head
  std::string owner;     ///< principal, e.g. "xmpp:alice@example.org"
  std::string tenant;    ///< isolation partition; from the owner's account
  std::string endpoint;  ///< name
  std::string version;   ///< manifest version that was active, pinned
  Digest manifest_hash{};
  std::string tool;
  std::string arguments;  ///< RFC 8785 text; validated
  std::string network;  ///< binding it came by: "xmpp", "mcp", "a2a", "openwop", "simplex", "local"
  std::string request_key;  ///< the caller's own identity for the call; "" if it gave none
  std::string context;      ///< conversation it belongs to; "" if none
  std::string metadata;     ///< caller's metadata and trace context, JSON object text or ""
  SystemTime created{};
  std::optional<Deadline> deadline;
  std::chrono::nanoseconds retention{};  ///< kept this long after created, and after settling
  QuestionKinds answerable = 0;          ///< kinds of question this caller can answer
  bool cancellable = true;               ///< effective feature of the tool
  bool asks = true;
  bool reports_progress = true;
  bool rerun_on_restart = false;  ///< the endpoint's on_restart at admission
};

/// One open question. `id` never changes, whatever request it is shown in.
struct Question {
  std::string id;   ///< engine ID
  std::string key;  ///< the runtime's own key; "" if it gave none
  QuestionKind kind = QuestionKind::form;
  std::string text;    ///< for people
  std::string schema;  ///< JSON Schema text; "" stands for {}
  std::string url;     ///< for QuestionKind::url and credential
  std::optional<SystemTime> expires_at;
  std::chrono::nanoseconds expires_in{};  ///< what a re-ask gets; 0: never expires
  std::uint32_t reasks_left = 0;          ///< times it is asked anew instead of failing the task

  friend bool operator==(const Question&, const Question&) = default;
};

enum class AnswerAction : std::uint8_t { accept, decline, cancel };
[[nodiscard]] std::string_view to_string(AnswerAction action);

/// An answer as accepted. Stays with the task until the runtime that asked has consumed it, and its
/// digest as long as the task.
struct Answer {
  std::string question;  ///< Question::id
  std::string key;       ///< Question::key
  AnswerAction action = AnswerAction::accept;
  std::string value;      ///< RFC 8785 text; "" unless accepted
  Digest digest{};        ///< of action and value: what a repetition is compared with
  Revision revision = 0;  ///< of the commit that accepted it

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The one pending request: all open questions under one id that is new at each re-issue.
struct InputRequest {
  std::string id;
  SystemTime created{};
  std::vector<Question> questions;  ///< never empty

  /// The earliest expiry of its questions.
  [[nodiscard]] std::optional<SystemTime> expires_at() const;
  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

/// What became of a request id that is no longer pending.
enum class Disposition : std::uint8_t { answered, expired, superseded, cancelled, settled };
[[nodiscard]] std::string_view to_string(Disposition disposition);

/// Kept as long as the task: a late answer to it gets a conflict, a repeated one its first reply.
struct PastRequest {
  std::string id;
  Disposition disposition = Disposition::settled;
  std::optional<Digest> fingerprint;  ///< of the accepted answer, where answered
  Revision revision = 0;              ///< that the acceptance replied with

  friend bool operator==(const PastRequest&, const PastRequest&) = default;
};

/// The accepted cancellation, kept to repeat its reply.
struct CancelRecord {
  std::optional<Digest> fingerprint;  ///< none: its network has none
  Revision revision = 0;
  std::optional<std::string> reason;

  friend bool operator==(const CancelRecord&, const CancelRecord&) = default;
};

/// Why a task failed, as callers read it.
struct Failure {
  std::string code;     ///< [A-Za-z0-9_.:-]{1,128}
  std::string message;  ///< at most 4096 code points, safe to show
  bool retryable = false;
  std::string details;  ///< JSON object text or ""

  Failure() = default;
  Failure(std::string failure_code, std::string text, bool can_retry)
      : code(std::move(failure_code)), message(std::move(text)), retryable(can_retry) {}
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// The reserved failure codes (ProtoXEP "Task failure") and ours.
namespace failure_code {
inline constexpr std::string_view kDeadlineExpired = "deadline-expired";
inline constexpr std::string_view kInternalError = "internal-error";
inline constexpr std::string_view kUnavailable = "unavailable";
inline constexpr std::string_view kInputExpired = "interline:input-expired";
inline constexpr std::string_view kResultTooLarge = "interline:result-too-large";
inline constexpr std::string_view kMaxDuration = "interline:max-duration";
}  // namespace failure_code

/// What a log entry says. The first six are the event types of the ProtoXEP and carry a revision.
enum class EntryType : std::uint8_t {
  status,
  progress,
  input_required,
  completed,
  failed,
  cancelled,
  log,     ///< a line from the runtime: {"level","data"}
  output,  ///< an artifact chunk: {"artifact","parts","append","last"}
  held,    ///< hold and release of a task not yet dispatched
  released,
  note,  ///< a binding's own record of something that concerns this task
};
inline constexpr std::size_t kEntryTypeCount = 11;
[[nodiscard]] constexpr bool has_revision(EntryType type) {
  return type <= EntryType::cancelled;
}
[[nodiscard]] std::string_view to_string(EntryType type);
[[nodiscard]] std::optional<EntryType> entry_type_named(std::string_view word);

/// One entry of a task's log. Its bytes are fixed in the commit and sent as they are ever after.
struct LogEntry {
  Sequence sequence = 0;
  std::optional<Revision> revision;  ///< has_revision(type)
  EntryType type = EntryType::status;
  State state = State::accepted;  ///< the task's, after this commit
  std::string event_id;           ///< stable; "" without a revision
  std::string body;               ///< JSON text; events: as event.schema.json has it
  SystemTime time{};

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

/// One artifact chunk, to be folded into the stored artifact by the store.
struct ArtifactChunk {
  std::string artifact;  ///< the runtime's id for it
  std::string parts;     ///< JSON array text
  bool append = false;   ///< onto the artifact of that id, instead of replacing it
  bool last = false;

  friend bool operator==(const ArtifactChunk&, const ArtifactChunk&) = default;
};

/// The whole record.
struct Task {
  std::shared_ptr<const Admission> admission;  ///< never null

  State state = State::accepted;
  Revision revision = 0;
  Sequence sequence = 0;      ///< of the newest log entry
  SystemTime updated{};       ///< of the newest revision
  SystemTime retain_until{};  ///< never before what admission promised

  std::uint64_t dispatched_boot = 0;  ///< boot that handed it to a runtime; 0: waits to be handed
  bool held = false;                  ///< not to be dispatched until released
  bool attached = false;              ///< belongs to an open request until its id was told

  std::optional<InputRequest> pending;
  std::vector<Answer> answers;    ///< all accepted ones, oldest first
  std::size_t resume_from = 0;    ///< answers from here on go with `suspended`
  std::vector<PastRequest> past;  ///< oldest first
  std::optional<CancelRecord> cancel;

  std::optional<std::string> suspended;  ///< runtime's state; the work comes again with it
  std::string memory;                    ///< what the runtime had remembered
  std::string outcome;                   ///< body of the terminal event; "" before

  [[nodiscard]] const std::string& id() const { return admission->id; }
  /// The next instant at which time alone changes this task (deadline or expiry), rounded up to a
  /// nanosecond; nothing when terminal or unlimited.
  [[nodiscard]] std::optional<SystemTime> due() const;
};

}  // namespace interline::tasks
