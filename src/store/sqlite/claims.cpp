#include "store/sqlite/claims.hpp"

#include <algorithm>
#include <utility>

namespace interline::store {

Digest claim_digest(std::string_view scope, std::string_view key) {
  std::string bytes = std::to_string(scope.size());
  bytes.reserve(bytes.size() + 1 + scope.size() + key.size());
  bytes.append(1, ':').append(scope).append(key);
  return sha256(bytes);
}

ClaimTable::ClaimTable(const Connection& connection, TaskTable& tasks)
    : connection_(connection),
      tasks_(tasks),
      select_(connection,
              "SELECT number, task, fingerprint, answer, expires FROM replays WHERE claim = ?1"),
      insert_(connection,
              "INSERT INTO replays (claim, fingerprint, task, answer, expires)"
              " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING"),
      replace_(connection,
               "UPDATE replays SET fingerprint = ?2, task = ?3, answer = ?4, expires = ?5"
               " WHERE number = ?1") {}

std::optional<ClaimTable::Found> ClaimTable::look_up(const Digest& claim) {
  Rows rows = select_.rows(claim);
  if (!rows.next()) return std::nullopt;
  Found found{rows.integer(0), {}, rows.time(4)};
  found.replay.task = rows.text(1);
  found.replay.fingerprint = rows.digest(2);
  found.replay.answer = rows.text(3);
  return found;
}

bool ClaimTable::lives(const Found& found, SystemTime kept) {
  if (found.expires > kept) return true;
  const TaskRow* row = tasks_.find(found.replay.task);
  if (row == nullptr) return false;
  return !tasks::is_terminal(row->task.state) || row->task.retain_until > kept;
}

std::optional<Replay> ClaimTable::find(const Digest& claim, SystemTime kept) {
  std::optional<Found> found = look_up(claim);
  if (!found || !lives(*found, kept)) return std::nullopt;
  return std::move(found->replay);
}

std::optional<Replay> ClaimTable::take(const Digest& claim, const ReplayClaim& wanted,
                                       const tasks::Task& task, SystemTime kept) {
  const SystemTime expires = std::max(wanted.expires, task.retain_until);
  insert_.run(claim, wanted.fingerprint, task.id(), wanted.answer, expires);
  if (connection_.changes() == 1) return std::nullopt;
  std::optional<Found> found = look_up(claim);
  if (!found) throw CorruptRow("a claim is taken and not there");
  if (lives(*found, kept)) return std::move(found->replay);
  replace_.run(found->number, wanted.fingerprint, task.id(), wanted.answer, expires);
  return std::nullopt;
}

}  // namespace interline::store
