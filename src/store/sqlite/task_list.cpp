#include "store/sqlite/task_list.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "store/sqlite/task_row.hpp"

#define INTERLINE_PAGE_OF(column, condition)                              \
  "SELECT number, updated, id FROM tasks WHERE " column " = ?1" condition \
  " AND (updated, id) < (?2, ?3) AND updated >= ?4 AND (?5 >> state) & 1" \
  " ORDER BY updated DESC, id DESC LIMIT ?6"
#define INTERLINE_COUNT_OF(column, condition)                  \
  "SELECT count(*) FROM tasks WHERE " column " = ?1" condition \
  " AND updated >= ?2 AND (?3 >> state) & 1"

namespace interline::store {
namespace {

constexpr std::uint64_t kAllStates = (1U << tasks::kStateCount) - 1U;
// Few streams are read a page at a time, many a little at a time.
constexpr std::size_t kFewStreams = 8;
constexpr std::size_t kLittle = 4;

// What sorts after every position.
const SystemTime kEndOfTime = SystemTime::max();

}  // namespace

struct TaskList::Filter {
  std::uint64_t states = kAllStates;
  SystemTime since = SystemTime::min();
  bool by_context = false;

  explicit Filter(const TaskQuery& query) : by_context(query.context.has_value()) {
    if (!query.states.empty()) states = 0;
    for (const tasks::State state : query.states) states |= 1U << static_cast<unsigned>(state);
    if (query.updated_since) since = *query.updated_since;
  }
  [[nodiscard]] bool takes_all() const {
    return states == kAllStates && since == SystemTime::min();
  }
};

TaskList::TaskList(const Connection& connection)
    : select_owner_(connection, "SELECT number, tasks FROM owners WHERE principal = ?1"),
      select_owners_(connection, "SELECT number, tasks FROM owners"),
      select_context_(connection,
                      "SELECT c.number, c.tasks FROM owners o JOIN contexts c ON c.owner = o.number"
                      " WHERE o.principal = ?2 AND c.context = ?1"),
      select_contexts_(connection, "SELECT number, tasks FROM contexts WHERE context = ?1"),
      page_of_owner_(connection, INTERLINE_PAGE_OF("owner", "")),
      page_of_context_(connection, INTERLINE_PAGE_OF("context", " AND context <> 0")),
      count_of_owner_(connection, INTERLINE_COUNT_OF("owner", "")),
      count_of_context_(connection, INTERLINE_COUNT_OF("context", " AND context <> 0")),
      select_task_(connection, kSelectTaskByNumber) {}

void TaskList::add_owner(const std::string& principal, std::vector<Stream>& found) {
  Rows rows = select_owner_.rows(principal);
  while (rows.next()) found.push_back(Stream{rows.integer(0), rows.number(1)});
}

void TaskList::add_context(const std::string& context, const std::string& principal,
                           std::vector<Stream>& found) {
  Rows rows = select_context_.rows(context, principal);
  while (rows.next()) found.push_back(Stream{rows.integer(0), rows.number(1)});
}

std::vector<TaskList::Stream> TaskList::streams(const TaskQuery& query) {
  std::vector<Stream> found;
  if (query.owners.empty()) {
    Rows rows = query.context ? select_contexts_.rows(*query.context) : select_owners_.rows();
    while (rows.next()) found.push_back(Stream{rows.integer(0), rows.number(1)});
    return found;
  }
  std::vector<std::string> owners = query.owners;
  std::ranges::sort(owners);
  owners.erase(std::ranges::unique(owners).begin(), owners.end());
  for (const std::string& owner : owners) {
    if (query.context) {
      add_context(*query.context, owner, found);
    } else {
      add_owner(owner, found);
    }
  }
  return found;
}

std::size_t TaskList::count(const std::vector<Stream>& streams, const Filter& filter) {
  std::size_t total = 0;
  Statement& statement = filter.by_context ? count_of_context_ : count_of_owner_;
  for (const Stream& stream : streams) {
    if (filter.takes_all()) {
      total += stream.tasks;
      continue;
    }
    Rows rows = statement.rows(stream.number, filter.since, filter.states);
    if (rows.next()) total += rows.number(0);
  }
  return total;
}

std::vector<TaskList::Head> TaskList::read(const Stream& stream, std::size_t index,
                                           const Filter& filter, const Position& before,
                                           std::size_t limit) {
  std::vector<Head> heads;
  Statement& statement = filter.by_context ? page_of_context_ : page_of_owner_;
  Rows rows =
      statement.rows(stream.number, before.updated, before.id, filter.since, filter.states, limit);
  while (rows.next()) {
    heads.push_back(Head{{rows.time(1), rows.text(2)}, rows.integer(0), index, 0});
  }
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i].left = heads.size() - 1 - i;
  return heads;
}

std::vector<std::int64_t> TaskList::merge(const std::vector<Stream>& streams, const Filter& filter,
                                          const Position& before, std::size_t limit) {
  const std::size_t batch = streams.size() <= kFewStreams ? limit : std::min(limit, kLittle);
  const auto older = [](const Head& a, const Head& b) {
    return std::tie(a.position.updated, a.position.id) <
           std::tie(b.position.updated, b.position.id);
  };
  std::priority_queue<Head, std::vector<Head>, decltype(older)> heads(older);
  const auto read_on = [&](std::size_t index, const Position& from) {
    for (Head& head : read(streams[index], index, filter, from, batch)) heads.push(std::move(head));
  };
  for (std::size_t i = 0; i < streams.size(); ++i) read_on(i, before);

  std::vector<std::int64_t> page;
  while (page.size() < limit && !heads.empty()) {
    const Head newest = heads.top();
    heads.pop();
    page.push_back(newest.task);
    if (newest.left == 0) read_on(newest.stream, newest.position);
  }
  return page;
}

TaskPage TaskList::page(const TaskQuery& query) {
  const Filter filter(query);
  const std::vector<Stream> found = streams(query);
  TaskPage page;
  page.total = count(found, filter);
  Position before{kEndOfTime, {}};
  if (query.after_time) before.updated = *query.after_time;
  if (query.after_id) before.id = *query.after_id;
  for (const std::int64_t number : merge(found, filter, before, query.limit)) {
    Rows rows = select_task_.rows(number);
    if (!rows.next()) throw CorruptRow("a listed task is not there");
    page.tasks.push_back(read_task_row(rows).task);
  }
  return page;
}

}  // namespace interline::store
