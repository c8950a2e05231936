// Replay claims: who asked for which task under which key, so that asking again finds it. A claim
// lives as long as its window, and as long as its task is kept.
#pragma once

#include <cstdint>
#include <optional>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/task_table.hpp"
#include "store/work.hpp"

namespace interline::store {

/// What a claim is found by: SHA-256 over the scope's length, a colon, the scope and the key.
[[nodiscard]] Digest claim_digest(std::string_view scope, std::string_view key);

/// The committer's thread only. Everything throws SqliteError or CorruptRow.
class ClaimTable {
 public:
  explicit ClaimTable(const Connection& connection, TaskTable& tasks);

  /// The claim that is there, unless its life is over at `kept`.
  [[nodiscard]] std::optional<Replay> find(const Digest& claim, SystemTime kept);
  /// Takes the claim for a task; or gives the one that was there.
  [[nodiscard]] std::optional<Replay> take(const Digest& claim, const ReplayClaim& wanted,
                                           const tasks::Task& task, SystemTime kept);

 private:
  struct Found {
    std::int64_t number;
    Replay replay;
    SystemTime expires;
  };
  [[nodiscard]] std::optional<Found> look_up(const Digest& claim);
  [[nodiscard]] bool lives(const Found& found, SystemTime kept);

  const Connection& connection_;
  TaskTable& tasks_;
  Statement select_;
  Statement insert_;
  Statement replace_;
};

}  // namespace interline::store
