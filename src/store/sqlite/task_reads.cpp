#include "store/sqlite/task_reads.hpp"

#include <algorithm>

#include "store/sqlite/claims.hpp"
#include "store/sqlite/task_row.hpp"
#include "store/stored_values.hpp"

namespace interline::store {
namespace {

template <class Enum>
Enum stored(const Rows& rows, int column, Enum last) {
  const std::uint64_t number = rows.number(column);
  if (!is_known(last, number)) throw CorruptRow("a stored word is none of ours");
  return static_cast<Enum>(number);
}

/// The elements of an array text, without its brackets; "" if it has none.
std::string_view elements_of(std::string_view array) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t open = array.find('[');
  const std::size_t close = array.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    throw CorruptRow("stored parts are no array");
  }
  const std::string_view inner = array.substr(open + 1, close - open - 1);
  const std::size_t first = inner.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return inner.substr(first, inner.find_last_not_of(kSpace) - first + 1);
}

struct Folding {
  Artifact artifact;
  tasks::Sequence first = 0;  ///< its place among the others
};

void fold(Folding& into, std::string_view parts, bool complete) {
  const std::string_view elements = elements_of(parts);
  if (!elements.empty()) {
    into.artifact.parts.append(into.artifact.parts.size() > 1 ? "," : "").append(elements);
  }
  into.artifact.complete = complete;
}

}  // namespace

TaskReads::TaskReads(const Connection& connection)
    : select_task_(connection, kSelectTaskById),
      select_replay_(connection,
                     "SELECT r.task, r.fingerprint, r.answer FROM replays r"
                     " LEFT JOIN tasks t ON t.id = r.task WHERE r.claim = ?1"
                     " AND (r.expires > ?2 OR t.open = 1 OR t.retain_until > ?2)"),
      select_log_(connection,
                  "SELECT l.sequence, l.revision, l.type, l.state, l.time, l.event_id, l.body"
                  " FROM tasks t JOIN log l ON l.task = t.number"
                  " WHERE t.id = ?1 AND l.sequence > ?2 ORDER BY l.sequence LIMIT ?3"),
      select_artifacts_(connection,
                        "SELECT r.artifact, r.sequence, r.complete, r.parts"
                        " FROM tasks t JOIN artifacts r ON r.task = t.number"
                        " WHERE t.id = ?1 ORDER BY r.artifact, r.sequence"),
      select_due_(connection,
                  "SELECT due, id FROM tasks WHERE open = 1 AND due < ?1 ORDER BY due, id"),
      select_open_(connection,
                   "SELECT id FROM tasks WHERE open = 1 AND id > ?1 ORDER BY id LIMIT ?2") {}

std::optional<tasks::Task> TaskReads::task(std::string_view id) {
  Rows rows = select_task_.rows(id);
  if (!rows.next()) return std::nullopt;
  return read_task_row(rows).task;
}

std::optional<Replay> TaskReads::replay(std::string_view scope, std::string_view key,
                                        SystemTime kept) {
  const Digest claim = claim_digest(scope, key);
  Rows rows = select_replay_.rows(claim, kept);
  if (!rows.next()) return std::nullopt;
  Replay replay;
  replay.task = rows.text(0);
  replay.fingerprint = rows.digest(1);
  replay.answer = rows.text(2);
  return replay;
}

std::vector<tasks::LogEntry> TaskReads::log(std::string_view task, tasks::Sequence after,
                                            std::size_t limit) {
  std::vector<tasks::LogEntry> entries;
  Rows rows = select_log_.rows(task, after, limit);
  while (rows.next()) {
    tasks::LogEntry& entry = entries.emplace_back();
    entry.sequence = rows.number(0);
    if (!rows.is_null(1)) entry.revision = rows.number(1);
    entry.type = stored(rows, 2, kLastEntryType);
    entry.state = stored(rows, 3, kLastState);
    entry.time = rows.time(4);
    entry.event_id = rows.text(5);
    entry.body = rows.text(6);
  }
  return entries;
}

std::vector<Artifact> TaskReads::artifacts(std::string_view task) {
  std::vector<Folding> folded;
  Rows rows = select_artifacts_.rows(task);
  while (rows.next()) {
    const std::string_view name = rows.bytes(0);
    if (folded.empty() || folded.back().artifact.id != name) {
      Folding& begun = folded.emplace_back();
      begun.artifact.id = name;
      begun.artifact.parts = "[";
      begun.first = rows.number(1);
    }
    fold(folded.back(), rows.bytes(3), rows.boolean(2));
  }
  std::ranges::sort(folded, {}, &Folding::first);
  std::vector<Artifact> artifacts;
  for (Folding& one : folded) {
    one.artifact.parts.push_back(']');
    artifacts.push_back(std::move(one.artifact));
  }
  return artifacts;
}

std::vector<std::pair<SystemTime, std::string>> TaskReads::due_before(SystemTime horizon) {
  std::vector<std::pair<SystemTime, std::string>> due;
  Rows rows = select_due_.rows(horizon);
  while (rows.next()) due.emplace_back(rows.time(0), rows.text(1));
  return due;
}

std::vector<std::string> TaskReads::open_tasks(std::string_view after, std::size_t limit) {
  std::vector<std::string> ids;
  Rows rows = select_open_.rows(after, limit);
  while (rows.next()) ids.push_back(rows.text(0));
  return ids;
}

}  // namespace interline::store
