// What the committer hands to a store: works, done in order inside one transaction a group.
//
// Each work carries its result back. A work that is refused changes nothing and never disturbs its
// neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "tasks/apply.hpp"
#include "tasks/model.hpp"

namespace interline::store {

/// The two instants of a group, read once by the committer. Both may step back with the clock.
struct CommitTime {
  SystemTime now{};   ///< what time it is: for stamps, deadlines and expiries
  SystemTime kept{};  ///< what is kept until then, or less long, may go: never later than `now`

  CommitTime(SystemTime what_time, SystemTime kept_until) : now(what_time), kept(kept_until) {}
  // Not explicit: where nothing is held the two are one.
  CommitTime(SystemTime both) : now(both), kept(both) {}
};

/// Opaque bytes of a binding under (binding, kind, key). Makes no event; rides in the commit of the
/// work that needs it.
struct Record {
  std::string binding;
  std::string kind;
  std::string key;
  std::string owner;  ///< principal
  std::string task;   ///< "" or the task it goes with when that is purged
  std::optional<SystemTime> expires;
  std::string bytes;
};

struct RecordKey {
  std::string binding;
  std::string kind;
  std::string key;
};

/// What a put or drop demands of the record that is there.
enum class Expect : std::uint8_t { anything, absent, present };

struct RecordChange {
  Record record;  ///< a drop uses only its key
  bool drop = false;
  Expect expect = Expect::anything;  ///< not met: the whole work is refused (conflict)
};

/// The caller's identity for an admission, so that repeating it finds the same task. `scope` holds
/// everything the identity is relative to (network, principal, endpoint), unambiguously joined.
struct ReplayClaim {
  std::string scope;
  std::string key;
  Digest fingerprint{};
  std::string answer;    ///< what the first answer said; outlives the task with the record
  SystemTime expires{};  ///< extended to the task's own life by the store
};

/// A stored claim, as found.
struct Replay {
  std::string task;
  Digest fingerprint{};
  std::string answer;
};

struct Admit {
  std::shared_ptr<const tasks::Admission> admission;
  std::optional<ReplayClaim> claim;
  bool attached = false;
  std::uint64_t dispatch_boot = 0;  ///< not 0: handed to a runtime in the same commit
  std::vector<RecordChange> records;
  std::optional<std::string> prepared;  ///< what the work begins with: Task::suspended
  std::vector<tasks::Answer> answers;   ///< and the answers that go with it

  /// The new task; or, for a repeated claim, the first one's Replay; Error: conflict
  /// (different_request), not_acceptable (expired: the deadline passed), not_found (the version was
  /// removed), unavailable (the commit failed).
  struct Admitted {
    tasks::Task task;
  };
  using Answer = std::variant<Admitted, Replay>;
  Result<Answer> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

struct Apply {
  std::string task;
  tasks::Command command;
  std::string event_id;               ///< fresh
  std::string request_id;             ///< fresh
  std::vector<RecordChange> records;  ///< only with an accepted reply

  /// The outcome with the row after it. Error: not_found, unavailable.
  struct Applied {
    tasks::Outcome outcome;
    tasks::Task task;
  };
  Result<Applied> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

struct ChangeRecords {
  std::vector<RecordChange> records;
  Result<void> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

/// Registers an immutable version. Same hash: idempotent, restores a tombstone; other hash:
/// conflict.
struct RegisterVersion {
  std::string endpoint;
  std::string version;
  Digest hash{};
  std::string manifest;     ///< canonical bytes
  std::string title;        ///< for the directory; "" if the manifest has none
  std::string agent;        ///< the agent's stable name, for searches
  std::string loss_report;  ///< JSON text or ""
  bool activate = false;
  std::string origin;  ///< "configuration", or the principal that registered it
  Result<void> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

/// Selects (`version` set) or clears (empty) the active version. not_found, conflict (hash).
struct Activate {
  std::string endpoint;
  std::string version;
  std::optional<Digest> hash;
  Result<void> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

/// Removes one inactive version (`version` set) or the endpoint with all of them. conflict while
/// one is active or a retained task depends on it; leaves permanent tombstones.
struct Remove {
  std::string endpoint;
  std::string version;
  Result<void> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

/// Ends what is past its retention: terminal tasks with all that is theirs, replay claims, records.
/// Bounded by `limit` rows; `answer` says how many went.
struct Purge {
  std::size_t limit = 1'000;
  Result<std::size_t> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

/// Appends to a tenant's host log; bounded by count and age when purged.
struct Audit {
  std::string tenant;
  std::string type;
  std::string body;  ///< JSON text
  Result<void> answer = std::unexpected(Error(ErrorKind::unavailable, "not committed"));
};

using Work =
    std::variant<Admit, Apply, ChangeRecords, RegisterVersion, Activate, Remove, Purge, Audit>;

}  // namespace interline::store
