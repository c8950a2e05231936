// A connection to a SQLite database and its prepared statements: ownership, binding and errors,
// and no knowledge of what is stored.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/instant.hpp"
#include "base/sha256.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace interline::store {

/// The database did not do what it was asked: a broken environment, or a constraint that our own
/// code should have kept. Caught where a transaction begins, and only there.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int extended_code, const std::string& what)
      : std::runtime_error(what), code_(extended_code) {}

  [[nodiscard]] int extended_code() const { return code_; }
  [[nodiscard]] int code() const { return code_ & 0xFF; }
  /// There was no space for what was written.
  [[nodiscard]] bool is_full() const;
  /// There was no space, perhaps, for the index of the write-ahead log.
  [[nodiscard]] bool is_of_log_index() const;
  /// The statement was at fault, not the database or the disk: others may still go through.
  [[nodiscard]] bool is_of_statement() const;

 private:
  int code_;
};

/// What a row should not have been. Thrown where stored bytes cannot be read.
class CorruptRow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Connection {
 public:
  enum class Access : std::uint8_t {
    write,
    create,           ///< write, and made where it is not there
    read,             ///< may make the index of the write-ahead log
    read_unchanging,  ///< of the file alone, without its log: nothing is made beside it
  };
  struct Options {
    std::string vfs;  ///< "": the system's
    Access access = Access::write;
    std::size_t cache_bytes = 8U << 20U;
  };

  /// Throws SqliteError.
  Connection(const std::string& path, const Options& options);

  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  /// Statements without parameters or rows: schema, transactions, pragmas.
  void execute(const char* sql) const;
  /// Of the last statement that wrote.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_rowid() const;
  /// No transaction is open.
  [[nodiscard]] bool idle() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A BLOB parameter or column; everything else that is text-like is TEXT.
struct Blob {
  std::string_view bytes;
};

class Rows;

/// Prepared at its first use, then kept. Outlived by its connection. Parameters are borrowed: they
/// live until the statement has ended.
class Statement {
 public:
  /// `sql` is a literal.
  Statement(const Connection& connection, std::string_view sql)
      : connection_(connection), sql_(sql) {}

  /// Runs to the end.
  template <class... T>
  void run(const T&... parameters) {
    bind_all(parameters...);
    finish();
  }
  /// The rows come one by one from Rows::next().
  template <class... T>
  [[nodiscard]] Rows rows(const T&... parameters);

 private:
  friend class Rows;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void prepare();
  void finish();
  [[nodiscard]] bool step();
  void reset();
  [[noreturn]] void raise(int code) const;

  template <class... T>
  void bind_all(const T&... parameters) {
    prepare();
    int index = 0;
    (bind(++index, parameters), ...);
  }
  template <std::integral T>
  void bind(int index, T value) {
    bind_integer(index, static_cast<std::int64_t>(value));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void bind(int index, Enum value) { bind_integer(index, static_cast<std::int64_t>(value)); }
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    if (value) {
      bind(index, *value);
    } else {
      bind_null(index);
    }
  }
  void bind(int index, SystemTime value) { bind_integer(index, value.time_since_epoch().count()); }
  void bind(int index, std::string_view value) { bind_text(index, value); }
  void bind(int index, const std::string& value) { bind_text(index, value); }
  void bind(int index, Blob value) { bind_blob(index, value.bytes); }
  void bind(int index, const Digest& value) {
    bind_blob(index, {reinterpret_cast<const char*>(value.data()), value.size()});
  }
  void bind_integer(int index, std::int64_t value);
  void bind_text(int index, std::string_view value);
  void bind_blob(int index, std::string_view value);
  void bind_null(int index);

  const Connection& connection_;
  std::string_view sql_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// The result of a query; resets its statement at its end. Columns are those of the present row,
/// and views of them last until the next one.
class Rows {
 public:
  explicit Rows(Statement& statement) : statement_(statement) {}
  ~Rows() { statement_.reset(); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  [[nodiscard]] bool next() { return statement_.step(); }

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  [[nodiscard]] bool boolean(int column) const { return integer(column) != 0; }
  [[nodiscard]] SystemTime time(int column) const {
    return SystemTime(std::chrono::nanoseconds(integer(column)));
  }
  /// TEXT or BLOB; empty for NULL.
  [[nodiscard]] std::string_view bytes(int column) const;
  [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }
  [[nodiscard]] bool is_null(int column) const;
  /// Throws CorruptRow if it has another size.
  [[nodiscard]] Digest digest(int column) const;

 private:
  Statement& statement_;
};

template <class... T>
Rows Statement::rows(const T&... parameters) {
  bind_all(parameters...);
  return Rows(*this);
}

}  // namespace interline::store
