#include "store/sqlite/opening.hpp"

#include <filesystem>
#include <sqlite3.h>
#include <system_error>

#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/schema.hpp"

namespace interline::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kStepsBetweenLooks = 10'000;  // of SQLite's virtual machine, to look at the clock

std::string begin_anew(const std::string& path) {
  return "; stop the gateway and put a backup in its place, without " + path + "-wal and " + path +
         "-shm; or move all three away: the gateway begins anew, without its tasks";
}

std::string make_room(const std::string& path) {
  return ", and what the store keeps aside for that is used up; make at least 32 MiB free on it, "
         "leave " +
         path + ", " + path + "-wal and " + path +
         "-shm as they are, and start again: nothing is lost";
}

/// Interrupts what a connection does when its time is over.
class Stopwatch {
 public:
  Stopwatch(const Connection& connection, std::chrono::milliseconds longest)
      : handle_(connection.handle()), end_(Clock::now() + longest) {
    sqlite3_progress_handler(handle_, kStepsBetweenLooks, is_over, this);
  }
  ~Stopwatch() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  static int is_over(void* self) {
    return Clock::now() >= static_cast<const Stopwatch*>(self)->end_ ? 1 : 0;
  }

  sqlite3* const handle_;
  const Clock::time_point end_;
};

/// False: the time was over first. Throws SqliteError, CorruptRow.
bool read_whole(const Connection& connection, std::chrono::milliseconds longest) {
  const Stopwatch stopwatch(connection, longest);
  try {
    Statement check(connection, "PRAGMA quick_check(1)");
    Rows rows = check.rows();
    if (!rows.next()) return true;
    const std::string said = rows.text(0);
    if (said != "ok") throw SqliteError(SQLITE_CORRUPT, said);
  } catch (const SqliteError& error) {
    if (error.code() != SQLITE_INTERRUPT) throw;
    return false;
  }
  return true;
}

}  // namespace

Error cannot_open(const std::string& path, const SqliteError& error) {
  switch (error.code()) {
    case SQLITE_NOTADB:
      return {ErrorKind::not_acceptable, path + " is not a database" + begin_anew(path)};
    case SQLITE_CORRUPT:
      return {ErrorKind::not_acceptable, path + " is damaged: " + error.what() + begin_anew(path)};
    case SQLITE_FULL:
      return {ErrorKind::unavailable,
              "Cannot open " + path + ": the disk is full" + make_room(path)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return {ErrorKind::unavailable,
              "Cannot open " + path + ": " + error.what() +
                  "; let the gateway's user read and write it, the files beside it and its folder"};
    default:
      if (error.is_of_log_index()) {
        return {ErrorKind::unavailable, "Cannot open " + path +
                                            ": there is no room for the index of its log" +
                                            make_room(path)};
      }
      return {ErrorKind::unavailable, "Cannot open " + path + ": " + error.what()};
  }
}

Result<Look> look_at_database(const std::string& path, std::chrono::milliseconds longest) {
  Look look;
  look.holder = LockFile::holder(path + "-lock");
  std::error_code absent;
  const bool logged = std::filesystem::file_size(path + "-wal", absent) > 0 && !absent;
  const bool empty = std::filesystem::file_size(path, absent) == 0;
  if (std::filesystem::status(path, absent).type() == std::filesystem::file_type::not_found ||
      (empty && !logged)) {
    return look;
  }
  Connection::Options options;
  options.access = logged ? Connection::Access::read : Connection::Access::read_unchanging;
  try {
    const Connection connection(path, options);
    auto schema = readable_schema(connection, path);
    if (!schema) return std::unexpected(std::move(schema.error()));
    look.schema = *schema;
    const bool whole = read_whole(connection, longest);
    look.found = whole ? Look::Found::whole : Look::Found::partly;
    if (look.schema < newest_schema()) look.found = Look::Found::older;
  } catch (const SqliteError& error) {
    return std::unexpected(cannot_open(path, error));
  }
  return look;
}

}  // namespace interline::store
