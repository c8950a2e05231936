#include "store/sqlite/purge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace interline::store {
namespace {

using namespace std::chrono_literals;

// A claim of a task that never settles is looked at this often at most. No longer than the shortest
// retention that there is, so that no claim outlives its task by it.
constexpr std::chrono::nanoseconds kLookAgain = 1s;

}  // namespace

Purger::Purger(const Connection& connection, TaskTable& tasks, Totals& totals, AuditTable& audit)
    : tasks_(tasks),
      totals_(totals),
      audit_(audit),
      select_settled_(connection,
                      "SELECT number, id, owner, context, sequence FROM tasks"
                      " WHERE open = 0 AND retain_until <= ?1 ORDER BY retain_until LIMIT ?2"),
      delete_log_(connection, "DELETE FROM log WHERE task = ?1 AND sequence <= ?2"),
      delete_artifacts_(connection, "DELETE FROM artifacts WHERE task = ?1"),
      delete_records_of_task_(connection, "DELETE FROM records WHERE task = ?1 AND task <> 0"),
      remember_rest_(connection, "INSERT INTO purged (task, sequence) VALUES (?1, ?2)"),
      select_rest_(connection,
                   "SELECT p.task, p.sequence, (SELECT min(l.sequence) FROM log l"
                   " WHERE l.task = p.task) FROM purged p LIMIT 1"),
      advance_rest_(connection, "DELETE FROM log WHERE task = ?1 AND sequence < ?2"),
      forget_rest_(connection, "DELETE FROM purged WHERE task = ?1"),
      select_claims_(connection,
                     "SELECT number, task FROM replays WHERE expires <= ?1 ORDER BY expires"
                     " LIMIT ?2"),
      select_life_(connection,
                   "SELECT t.open, t.retain_until, a.retention FROM tasks t"
                   " JOIN admissions a ON a.task = t.number WHERE t.id = ?1"),
      delete_claim_(connection, "DELETE FROM replays WHERE number = ?1"),
      extend_claim_(connection, "UPDATE replays SET expires = ?2 WHERE number = ?1"),
      select_records_(connection,
                      "SELECT number FROM records WHERE expires <= ?1 ORDER BY expires LIMIT ?2"),
      delete_record_(connection, "DELETE FROM records WHERE number = ?1") {}

std::size_t Purger::run(SystemTime kept, std::size_t limit) {
  std::size_t gone = rest_of_logs(limit);
  if (gone < limit) gone += settled_tasks(kept, limit - gone);
  if (gone < limit) gone += claims(kept, limit - gone);
  if (gone < limit) gone += records(kept, limit - gone);
  if (gone < limit) gone += audit_.purge(kept, limit - gone);
  return gone;
}

/// Logs longer than one purge may delete: their tasks are gone already.
std::size_t Purger::rest_of_logs(std::size_t most) {
  std::size_t gone = 0;
  while (gone < most) {
    std::int64_t task = 0;
    std::uint64_t last = 0;
    std::uint64_t first = 0;
    {
      Rows rows = select_rest_.rows();
      if (!rows.next()) break;
      task = rows.integer(0);
      last = rows.number(1);
      first = rows.is_null(2) ? last + 1 : rows.number(2);
    }
    const std::uint64_t end = std::min<std::uint64_t>(last + 1, first + (most - gone));
    advance_rest_.run(task, end);
    gone += static_cast<std::size_t>(end - first);
    if (end > last) forget_rest_.run(task);
  }
  return gone;
}

std::size_t Purger::settled_tasks(SystemTime kept, std::size_t most) {
  struct Settled {
    std::int64_t number;
    std::string id;
    std::int64_t owner;
    std::int64_t context;
    std::uint64_t entries;
  };
  std::vector<Settled> settled;
  {
    Rows rows = select_settled_.rows(kept, most);
    while (rows.next()) {
      settled.push_back(
          Settled{rows.integer(0), rows.text(1), rows.integer(2), rows.integer(3), rows.number(4)});
    }
  }
  std::size_t gone = 0;
  for (const Settled& task : settled) {
    if (gone >= most) break;
    tasks_.remove(task.id, task.number);
    totals_.subtract(task.owner, task.context);
    delete_records_of_task_.run(task.number);
    delete_artifacts_.run(task.number);
    gone += 1;
    if (task.entries <= most - gone) {
      delete_log_.run(task.number, task.entries);
      gone += static_cast<std::size_t>(task.entries);
    } else {
      remember_rest_.run(task.number, task.entries);
      gone += rest_of_logs(most - gone);
    }
  }
  return gone;
}

std::optional<SystemTime> Purger::life_of(std::string_view task, SystemTime kept) {
  Rows rows = select_life_.rows(task);
  if (!rows.next()) return std::nullopt;
  // An open task will be kept this long after it settles, which is not before now.
  if (rows.boolean(0))
    return kept + std::max(std::chrono::nanoseconds(rows.integer(2)), kLookAgain);
  const SystemTime until = rows.time(1);
  if (until <= kept) return std::nullopt;
  return until;
}

std::size_t Purger::claims(SystemTime kept, std::size_t most) {
  std::vector<std::pair<std::int64_t, std::string>> expired;
  {
    Rows rows = select_claims_.rows(kept, most);
    while (rows.next()) expired.emplace_back(rows.integer(0), rows.text(1));
  }
  for (const auto& [number, task] : expired) {
    if (const std::optional<SystemTime> until = life_of(task, kept)) {
      extend_claim_.run(number, *until);
    } else {
      delete_claim_.run(number);
    }
  }
  return expired.size();
}

std::size_t Purger::records(SystemTime kept, std::size_t most) {
  std::vector<std::int64_t> expired;
  {
    Rows rows = select_records_.rows(kept, most);
    while (rows.next()) expired.push_back(rows.integer(0));
  }
  for (const std::int64_t number : expired) delete_record_.run(number);
  return expired.size();
}

}  // namespace interline::store
