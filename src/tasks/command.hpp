// Everything that can happen to a task, as values. A command says who it is from only where a rule
// depends on it; authorisation was decided before (engine/), existence by the store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tasks/model.hpp"

namespace interline::tasks {

/// Handed to a runtime by this boot. No event: the caller sees `running` when work shows.
struct Dispatch {
  std::uint64_t boot = 0;
};
/// The runtime of this boot never got it after all: it waits again. No event.
struct Undispatch {
  std::uint64_t boot = 0;
};
/// The runtime shows life, or 20 ms have passed since dispatch.
struct Start {};
/// At least one member is given. Percent outside 0..100 was dropped before.
struct Progress {
  std::optional<double> percent;
  std::optional<std::string> stage;
  std::optional<std::string> message;
};
/// A log entry without a revision.
struct Note {
  EntryType type = EntryType::log;  ///< log or note
  std::string body;
};
struct Output {
  ArtifactChunk chunk;
};
/// New questions. Open ones stay open: all of them are re-issued under a new request id. With
/// `state` the work ends here and comes again once every question has its answer.
struct Ask {
  std::vector<Question> questions;
  std::optional<std::string> state;
  /// The first of work that was begun anew: what is open was asked by work that is gone, and is
  /// superseded.
  bool anew = false;
};
/// Answers some or all open questions.
struct GiveInput {
  std::string request;          ///< the request id answered; "": whichever shows these questions
  std::vector<Answer> answers;  ///< one per question, `question` or `key` set; revision ignored
  std::optional<Revision> expected;
  std::optional<Digest> fingerprint;  ///< of the whole, where the network defines one
};
struct Cancel {
  std::optional<Revision> expected;
  std::optional<Digest> fingerprint;
  std::optional<std::string> reason;
};
struct Complete {
  std::string result;  ///< CallToolResult, JSON text as the tool wrote it
  std::optional<std::string> summary;
};
struct Fail {
  Failure failure;
};
struct ConfirmCancelled {
  std::optional<std::string> reason;
};
/// SystemTime may have passed: settles the deadline or the expiry if it has, else changes nothing.
struct Tick {};
/// The runtime's own durable memory, replaced as a whole.
struct Remember {
  std::string memory;
};
struct Hold {};
struct Release {};
/// The caller learned the task's id (or sealed state): it outlives its request from now on.
struct Detach {};
/// First contact after a restart: what was dispatched by an earlier boot is failed, run again, or
/// resumed by the memory its runtime left.
struct Recover {
  std::uint64_t boot = 0;
  bool resumable = false;  ///< the runtime goes on by what it had remembered
};

using Command =
    std::variant<Dispatch, Undispatch, Start, Progress, Note, Output, Ask, GiveInput, Cancel,
                 Complete, Fail, ConfirmCancelled, Tick, Remember, Hold, Release, Detach, Recover>;

}  // namespace interline::tasks
