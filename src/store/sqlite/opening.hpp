// What is wrong with a database file, in words that say what to do, and a look at one that changes
// nothing.
#pragma once

#include <chrono>
#include <string>

#include "base/error.hpp"
#include "store/sqlite/connection.hpp"

namespace interline::store {

/// Why the database at `path` cannot be opened. not_acceptable: it is none, or damaged;
/// unavailable: the disk, the permissions. The message says what it is, and behind the first "; "
/// what to do, as do those of readable_schema().
[[nodiscard]] Error cannot_open(const std::string& path, const SqliteError& error);

struct Look {
  enum class Found : std::uint8_t {
    nothing,  ///< no file, or an empty one: the gateway makes it
    older,    ///< of an earlier schema: the gateway brings it forward
    whole,    ///< all of it was read, and is in order
    partly,   ///< in order as far as was read in the time
  };
  Found found = Found::nothing;
  int schema = 0;
  std::string holder;  ///< process id of who has it locked; "": nobody
};

/// Looks at the database for so long. Neither locks nor writes, and makes no file where it was
/// closed in good order. Errors: those that open_sqlite_store() would have.
[[nodiscard]] Result<Look> look_at_database(const std::string& path,
                                            std::chrono::milliseconds longest);

}  // namespace interline::store
