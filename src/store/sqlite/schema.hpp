// The tables, as numbered migrations: each takes a database from one schema number to the next, and
// once released never changes. README.md says what each table and index is for.
#pragma once

#include <span>
#include <string>

#include "base/error.hpp"
#include "store/sqlite/connection.hpp"

namespace interline::store {

/// Schema number n is what migrations 1 to n made.
struct Migration {
  int number;
  const char* sql;
};

[[nodiscard]] std::span<const Migration> migrations();

[[nodiscard]] int newest_schema();

/// The database's schema number, 0 for an empty one. Errors: not_acceptable (it is another
/// program's, or newer than this one). Throws SqliteError.
[[nodiscard]] Result<int> readable_schema(const Connection& connection, const std::string& path,
                                          int newest = newest_schema());

/// Brings the database to the newest schema, one transaction a migration. Errors: not_acceptable
/// (it is another program's, or newer than this one). Throws SqliteError.
[[nodiscard]] Result<void> migrate(const Connection& connection, const std::string& path,
                                   std::span<const Migration> steps = migrations());

}  // namespace interline::store
