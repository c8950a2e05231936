// Numbers for owners and contexts, and how many retained tasks each has: totals are kept, not
// counted. The sums of a group are written once, at its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/sqlite/connection.hpp"

namespace interline::store {

/// The committer's thread only. Everything throws SqliteError.
class Totals {
 public:
  explicit Totals(const Connection& connection);

  /// owners.number, made if need be.
  [[nodiscard]] std::int64_t owner(const std::string& principal);
  /// contexts.number, made if need be; 0 for no context.
  [[nodiscard]] std::int64_t context(std::int64_t owner, const std::string& context);

  /// One task more, or one less.
  void add(std::int64_t owner, std::int64_t context) { change(owner, context, 1); }
  void subtract(std::int64_t owner, std::int64_t context) { change(owner, context, -1); }

  /// Writes the sums, and drops owners and contexts that have no task left.
  void flush();
  [[nodiscard]] std::int64_t tasks() const { return tasks_; }

  void committed();
  void rolled_back();

 private:
  using Changes = std::unordered_map<std::int64_t, std::int64_t>;

  void change(std::int64_t owner, std::int64_t context, std::int64_t by);
  void write(Changes& changes, Statement& update, Statement& drop);
  void forget_names();

  const Connection& connection_;
  std::unordered_map<std::string, std::int64_t> owners_;
  std::unordered_map<std::string, std::int64_t> contexts_;  // by owner's number, ' ', context
  Changes owner_changes_;
  Changes context_changes_;
  std::int64_t tasks_ = 0;
  std::int64_t tasks_at_begin_ = 0;

  Statement select_owner_;
  Statement insert_owner_;
  Statement update_owner_;
  Statement drop_owner_;
  Statement select_context_;
  Statement insert_context_;
  Statement update_context_;
  Statement drop_context_;
};

}  // namespace interline::store
