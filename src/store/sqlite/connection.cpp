#include "store/sqlite/connection.hpp"

#include <algorithm>
#include <cstring>
#include <sqlite3.h>

namespace interline::store {
namespace {

// Readers and checkpoints never hold what another connection needs for longer than a moment.
constexpr int kBusyMilliseconds = 5'000;
constexpr std::size_t kShownSql = 60;
constexpr int kMostValueBytes = 100'000'000;  // of a text, a BLOB or a row

/// What sqlite3_open_v2() is told.
struct Opening {
  std::string name;
  int flags;
};
Opening opening_of(const std::string& path, Connection::Access access) {
  constexpr int kAlways = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Connection::Access::write:
      break;
    case Connection::Access::create:
      return {path, kAlways | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
    case Connection::Access::read:
      return {path, kAlways | SQLITE_OPEN_READONLY};
    case Connection::Access::read_unchanging: {
      std::string name = path.starts_with('/') ? "file://" : "file:";
      for (const char c : path) {
        if (c == '%') name += "%25";
        if (c == '?') name += "%3f";
        if (c == '#') name += "%23";
        if (c != '%' && c != '?' && c != '#') name += c;
      }
      return {name + "?immutable=1", kAlways | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
    }
  }
  return {path, kAlways | SQLITE_OPEN_READWRITE};
}

[[noreturn]] void raise_error(sqlite3* handle, int code, std::string_view sql) {
  std::string what(sqlite3_errstr(code));
  if (handle != nullptr && sqlite3_extended_errcode(handle) == code) {
    what.assign(sqlite3_errmsg(handle));
  }
  if (!sql.empty()) what.append(" in: ").append(sql.substr(0, kShownSql));
  throw SqliteError(code, what);
}

}  // namespace

bool SqliteError::is_full() const {
  return code() == SQLITE_FULL;
}

bool SqliteError::is_of_log_index() const {
  return code_ == SQLITE_IOERR_SHMSIZE || code_ == SQLITE_IOERR_SHMMAP;
}

bool SqliteError::is_of_statement() const {
  switch (code()) {
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
    case SQLITE_ERROR:
      return true;
    default:
      return false;
  }
}

void Connection::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Connection::Connection(const std::string& path, const Options& options) {
  const Opening opening = opening_of(path, options.access);
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(opening.name.c_str(), &opened, opening.flags,
                                   options.vfs.empty() ? nullptr : options.vfs.c_str());
  handle_.reset(opened);
  if (code != SQLITE_OK) raise_error(opened, code, {});
  sqlite3_busy_timeout(opened, kBusyMilliseconds);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kMostValueBytes);
  execute("PRAGMA temp_store = MEMORY");
  execute("PRAGMA secure_delete = FAST");
  const std::string cache = "PRAGMA cache_size = -" +
                            std::to_string(std::max<std::size_t>(options.cache_bytes / 1024, 1));
  execute(cache.c_str());
}

void Connection::execute(const char* sql) const {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) raise_error(handle(), code, sql);
}

std::int64_t Connection::changes() const {
  return sqlite3_changes64(handle());
}
std::int64_t Connection::last_rowid() const {
  return sqlite3_last_insert_rowid(handle());
}
bool Connection::idle() const {
  return sqlite3_get_autocommit(handle()) != 0;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::raise(int code) const {
  raise_error(connection_.handle(), code, sql_);
}

void Statement::prepare() {
  if (statement_) return;
  sqlite3_stmt* prepared = nullptr;
  const int code =
      sqlite3_prepare_v3(connection_.handle(), sql_.data(), static_cast<int>(sql_.size()),
                         SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  if (code != SQLITE_OK) raise(code);
  statement_.reset(prepared);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  reset();
  raise(code);
}

void Statement::finish() {
  const int code = sqlite3_step(statement_.get());
  reset();
  if (code != SQLITE_DONE && code != SQLITE_ROW) raise(code);
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

void Statement::bind_integer(int index, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(statement_.get(), index, value); code != SQLITE_OK) {
    raise(code);
  }
}

void Statement::bind_text(int index, std::string_view value) {
  // A null pointer would be NULL; an empty text has to be one.
  const char* const data = value.data() == nullptr ? "" : value.data();
  const int code =
      sqlite3_bind_text64(statement_.get(), index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) raise(code);
}

void Statement::bind_blob(int index, std::string_view value) {
  const char* const data = value.data() == nullptr ? "" : value.data();
  const int code = sqlite3_bind_blob64(statement_.get(), index, data, value.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) raise(code);
}

void Statement::bind_null(int index) {
  if (const int code = sqlite3_bind_null(statement_.get(), index); code != SQLITE_OK) raise(code);
}

std::int64_t Rows::integer(int column) const {
  return sqlite3_column_int64(statement_.statement_.get(), column);
}

std::string_view Rows::bytes(int column) const {
  sqlite3_stmt* const statement = statement_.statement_.get();
  const void* const data = sqlite3_column_blob(statement, column);
  const int size = sqlite3_column_bytes(statement, column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool Rows::is_null(int column) const {
  return sqlite3_column_type(statement_.statement_.get(), column) == SQLITE_NULL;
}

Digest Rows::digest(int column) const {
  const std::string_view stored = bytes(column);
  Digest digest{};
  if (stored.size() != digest.size()) throw CorruptRow("a stored digest has another size");
  std::memcpy(digest.data(), stored.data(), digest.size());
  return digest;
}

}  // namespace interline::store
