#include "store/sqlite/totals.hpp"

namespace interline::store {
namespace {

constexpr std::size_t kMostNames = 50'000;  // remembered; more are read again

std::int64_t kept_total(const Connection& connection) {
  Statement select(connection, "SELECT tasks FROM meta");
  Rows rows = select.rows();
  return rows.next() ? rows.integer(0) : 0;
}

}  // namespace

Totals::Totals(const Connection& connection)
    : connection_(connection),
      tasks_(kept_total(connection)),
      tasks_at_begin_(tasks_),
      select_owner_(connection, "SELECT number FROM owners WHERE principal = ?1"),
      insert_owner_(connection, "INSERT INTO owners (principal, tasks) VALUES (?1, 0)"),
      update_owner_(connection, "UPDATE owners SET tasks = tasks + ?2 WHERE number = ?1"),
      drop_owner_(connection, "DELETE FROM owners WHERE number = ?1 AND tasks = 0"),
      select_context_(connection, "SELECT number FROM contexts WHERE context = ?1 AND owner = ?2"),
      insert_context_(connection,
                      "INSERT INTO contexts (context, owner, tasks) VALUES (?1, ?2, 0)"),
      update_context_(connection, "UPDATE contexts SET tasks = tasks + ?2 WHERE number = ?1"),
      drop_context_(connection, "DELETE FROM contexts WHERE number = ?1 AND tasks = 0") {}

std::int64_t Totals::owner(const std::string& principal) {
  if (const auto known = owners_.find(principal); known != owners_.end()) return known->second;
  std::int64_t number = 0;
  {
    Rows rows = select_owner_.rows(principal);
    if (rows.next()) number = rows.integer(0);
  }
  if (number == 0) {
    insert_owner_.run(principal);
    number = connection_.last_rowid();
  }
  owners_.emplace(principal, number);
  return number;
}

std::int64_t Totals::context(std::int64_t owner, const std::string& context) {
  if (context.empty()) return 0;
  std::string key = std::to_string(owner) + ' ' + context;
  if (const auto known = contexts_.find(key); known != contexts_.end()) return known->second;
  std::int64_t number = 0;
  {
    Rows rows = select_context_.rows(context, owner);
    if (rows.next()) number = rows.integer(0);
  }
  if (number == 0) {
    insert_context_.run(context, owner);
    number = connection_.last_rowid();
  }
  contexts_.emplace(std::move(key), number);
  return number;
}

void Totals::change(std::int64_t owner, std::int64_t context, std::int64_t by) {
  owner_changes_[owner] += by;
  if (context != 0) context_changes_[context] += by;
  tasks_ += by;
}

void Totals::write(Changes& changes, Statement& update, Statement& drop) {
  bool fewer = false;
  for (const auto& [number, by] : changes) {
    if (by != 0) update.run(number, by);
    if (by > 0) continue;
    drop.run(number);
    fewer = true;
  }
  if (fewer) forget_names();  // a number may have been dropped
  changes.clear();
}

void Totals::flush() {
  write(owner_changes_, update_owner_, drop_owner_);
  write(context_changes_, update_context_, drop_context_);
}

void Totals::forget_names() {
  owners_.clear();
  contexts_.clear();
}

void Totals::committed() {
  tasks_at_begin_ = tasks_;
  if (owners_.size() > kMostNames) owners_.clear();
  if (contexts_.size() > kMostNames) contexts_.clear();
}

void Totals::rolled_back() {
  forget_names();
  owner_changes_.clear();
  context_changes_.clear();
  tasks_ = tasks_at_begin_;
}

}  // namespace interline::store
