#include "store/sqlite/sqlite_store.hpp"

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <utility>

#include "store/sqlite/lock_file.hpp"
#include "store/sqlite/opening.hpp"
#include "store/sqlite/reader_pool.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/writer.hpp"

namespace interline::store {
namespace {

constexpr std::size_t kPageBytes = 4096;

Error unreadable(const SqliteError& error) {
  return {ErrorKind::unavailable, std::string("The store cannot be read: ") + error.what()};
}

/// The file's permissions are inherited by those that SQLite makes beside it.
void make_private(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor >= 0) ::close(descriptor);
}

/// What the database says of the process before this one.
struct Start {
  std::uint64_t boot = 0;
  std::uint64_t group_number = 0;
};

std::unique_ptr<Connection> connect(const std::string& path, const SqliteOptions& options) {
  auto connection = std::make_unique<Connection>(
      path,
      Connection::Options{options.vfs, Connection::Access::create, options.writer_cache_bytes});
  connection->execute("PRAGMA journal_mode = WAL");
  connection->execute("PRAGMA synchronous = FULL");
  connection->execute("PRAGMA wal_autocheckpoint = 0");
  const std::string limit =
      "PRAGMA journal_size_limit = " + std::to_string(options.log_limit_bytes);
  connection->execute(limit.c_str());
  return connection;
}

/// So that what runs can be settled after a start on a full disk too.
void make_room(const Connection& connection, SpaceReserve& reserve, const char* and_write) {
  reserve.release();
  try {
    connection.execute(and_write);
  } catch (const SqliteError& error) {
    if (!error.is_full()) throw;
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");  // the log's own pages are left then
    connection.execute(and_write);
  }
}

Start begin_boot(const Connection& connection, SpaceReserve& reserve) {
  constexpr const char* kCount = "UPDATE meta SET boot = boot + 1";
  try {
    connection.execute(kCount);
  } catch (const SqliteError& error) {
    if (!error.is_full()) throw;
    make_room(connection, reserve, kCount);
  }
  Statement select(connection, "SELECT boot, group_number FROM meta");
  Rows rows = select.rows();
  if (!rows.next()) throw CorruptRow("the database has lost its head");
  return Start{rows.number(0), rows.number(1)};
}

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& path, const SqliteOptions& options, std::optional<LockFile> lock,
              std::unique_ptr<Connection> connection, SpaceReserve reserve, const Start& start)
      : lock_(std::move(lock)),
        boot_(start.boot),
        connection_(std::move(connection)),
        checkpointer_(
            path,
            Connection::Options{options.vfs, Connection::Access::write, options.reader_cache_bytes},
            CheckpointLimits{options.checkpoint_bytes / kPageBytes,
                             options.log_limit_bytes / kPageBytes, options.checkpoint_thread},
            options.log),
        readers_(
            path,
            Connection::Options{options.vfs, Connection::Access::write, options.reader_cache_bytes},
            std::max<std::size_t>(options.readers, 1)),
        writer_(*connection_, checkpointer_, std::move(reserve),
                WriterOptions{options.task_cache_bytes, options.versions_per_endpoint,
                              AuditLimits{options.audit_entries, options.audit_age},
                              start.group_number, options.stored_bytes, options.condition},
                options.log) {}

  GroupEnd commit(std::span<Work> group, CommitTime time) override {
    return writer_.commit(group, time);
  }

  Result<std::optional<tasks::Task>> task(std::string_view id) override {
    return read([&](Reader& reader) { return reader.tasks.task(id); });
  }
  Result<std::optional<Replay>> replay(std::string_view scope, std::string_view key,
                                       SystemTime kept) override {
    return read([&](Reader& reader) { return reader.tasks.replay(scope, key, kept); });
  }
  Result<std::vector<tasks::LogEntry>> log(std::string_view task, tasks::Sequence after,
                                           std::size_t limit) override {
    return read([&](Reader& reader) { return reader.tasks.log(task, after, limit); });
  }
  Result<std::vector<Artifact>> artifacts(std::string_view task) override {
    return read([&](Reader& reader) { return reader.tasks.artifacts(task); });
  }
  Result<TaskPage> list_tasks(const TaskQuery& query) override {
    return read([&](Reader& reader) {
      const Snapshot snapshot(reader.connection);
      return reader.list.page(query);
    });
  }
  Result<std::vector<std::pair<SystemTime, std::string>>> due_before(SystemTime horizon) override {
    return read([&](Reader& reader) { return reader.tasks.due_before(horizon); });
  }
  Result<std::vector<std::string>> open_tasks(std::string_view after, std::size_t limit) override {
    return read([&](Reader& reader) { return reader.tasks.open_tasks(after, limit); });
  }

  Result<std::optional<Record>> record(const RecordKey& key) override {
    return read([&](Reader& reader) { return reader.records.record(key); });
  }
  Result<std::vector<Record>> records(std::string_view binding, std::string_view kind,
                                      std::string_view after, std::size_t limit) override {
    return read(
        [&](Reader& reader) { return reader.records.records(binding, kind, after, limit); });
  }
  Result<std::vector<Record>> records_of_task(std::string_view task,
                                              std::string_view binding) override {
    return read([&](Reader& reader) { return reader.records.records_of_task(task, binding); });
  }
  Result<std::vector<Record>> records_of_owner(std::string_view owner, std::string_view binding,
                                               std::string_view kind, std::string_view after,
                                               std::size_t limit) override {
    return read([&](Reader& reader) {
      return reader.records.records_of_owner(owner, binding, kind, after, limit);
    });
  }

  Result<std::vector<EndpointRow>> endpoints(std::string_view after, std::size_t limit) override {
    return read([&](Reader& reader) { return reader.catalog.endpoints(after, limit); });
  }
  Result<std::vector<VersionRow>> versions(std::string_view endpoint) override {
    return read([&](Reader& reader) { return reader.catalog.versions(endpoint); });
  }
  Result<std::optional<std::string>> manifest(std::string_view endpoint,
                                              std::string_view version) override {
    return read([&](Reader& reader) { return reader.catalog.manifest(endpoint, version); });
  }
  Result<std::string> loss_report(std::string_view endpoint, std::string_view version) override {
    return read([&](Reader& reader) { return reader.catalog.loss_report(endpoint, version); });
  }
  Result<std::vector<AuditRow>> audit(std::string_view tenant, std::uint64_t after,
                                      std::size_t limit) override {
    return read([&](Reader& reader) { return reader.catalog.audit(tenant, after, limit); });
  }

  std::uint64_t boot() const override { return boot_; }

 private:
  template <class Ask>
  auto read(Ask ask) -> Result<decltype(ask(std::declval<Reader&>()))> {
    try {
      const ReaderPool::Lease reader = readers_.lend();
      return ask(*reader);
    } catch (const SqliteError& error) {
      return std::unexpected(unreadable(error));
    } catch (const CorruptRow& error) {
      return fail(ErrorKind::internal, std::string("What is stored is damaged: ") + error.what());
    }
  }

  // Ended from the last to the first: the lock goes when nothing is open any more.
  const std::optional<LockFile> lock_;
  const std::uint64_t boot_;
  const std::unique_ptr<Connection> connection_;
  Checkpointer checkpointer_;
  ReaderPool readers_;
  Writer writer_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, SqliteOptions options) {
  std::optional<LockFile> lock;
  if (options.lock) {
    Result<LockFile> acquired = LockFile::acquire(
        path + "-lock", options.lock_patience, [&options](const std::string& holder) {
          options.log.warning("another process has the database open: it is waited for",
                              {{"process", holder}, {"ms", options.lock_patience.count()}});
        });
    if (!acquired) return std::unexpected(std::move(acquired.error()));
    lock.emplace(*std::move(acquired));
  }
  if (options.vfs.empty()) make_private(path);
  try {
    std::unique_ptr<Connection> connection = connect(path, options);
    if (Result<void> migrated = migrate(*connection, path); !migrated) {
      return std::unexpected(std::move(migrated.error()));
    }
    SpaceReserve reserve(path + "-reserve", options.vfs, options.reserve_bytes);
    const Start start = begin_boot(*connection, reserve);
    if (!options.condition) options.condition = std::make_shared<Condition>();
    // Another VFS has files that the system knows nothing of.
    options.condition->files =
        FilePresence(options.vfs.empty() ? std::vector<std::string>{path, path + "-wal"}
                                         : std::vector<std::string>());
    return std::make_unique<SqliteStore>(path, options, std::move(lock), std::move(connection),
                                         std::move(reserve), start);
  } catch (const SqliteError& error) {
    return std::unexpected(cannot_open(path, error));
  } catch (const CorruptRow& error) {
    return fail(ErrorKind::internal, "Cannot open " + path + ": " + error.what());
  }
}

}  // namespace interline::store
