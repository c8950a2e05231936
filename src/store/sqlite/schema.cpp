#include "store/sqlite/schema.hpp"

#include <array>
#include <string>

namespace interline::store {
namespace {

// "Intl", in the file's header: what kind of database this is.
constexpr std::int64_t kApplicationId = 0x496E746C;

// Instants are nanoseconds since 1970 in UTC. Enumerations are stored_values.hpp.
constexpr const char* kSchema1 = R"sql(
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  boot INTEGER NOT NULL,
  group_number INTEGER NOT NULL,
  now INTEGER NOT NULL,
  tasks INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (1, 0, 0, 0, 0);

CREATE TABLE owners (
  number INTEGER PRIMARY KEY,
  principal TEXT NOT NULL UNIQUE,
  tasks INTEGER NOT NULL
) STRICT;

CREATE TABLE contexts (
  number INTEGER PRIMARY KEY,
  context TEXT NOT NULL,
  owner INTEGER NOT NULL,
  tasks INTEGER NOT NULL,
  UNIQUE (context, owner)
) STRICT;

CREATE TABLE endpoints (
  name TEXT PRIMARY KEY,
  active TEXT NOT NULL,
  title TEXT NOT NULL,
  origin TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
  number INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL,
  version TEXT NOT NULL,
  hash BLOB NOT NULL,
  title TEXT NOT NULL,
  origin TEXT NOT NULL,
  UNIQUE (endpoint, version)
) STRICT;

CREATE TABLE manifests (
  version INTEGER PRIMARY KEY,
  manifest TEXT NOT NULL,
  loss_report TEXT NOT NULL
) STRICT;

CREATE TABLE tombstones (
  endpoint TEXT NOT NULL,
  version TEXT NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (endpoint, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner INTEGER NOT NULL,
  context INTEGER NOT NULL,
  version INTEGER NOT NULL,
  state INTEGER NOT NULL,
  open INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  due INTEGER,
  retain_until INTEGER NOT NULL,
  dispatched_boot INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  outcome INTEGER
) STRICT;
CREATE INDEX tasks_by_owner ON tasks (owner, updated, id, state);
CREATE INDEX tasks_by_context ON tasks (context, updated, id, state) WHERE context <> 0;
CREATE INDEX tasks_by_version ON tasks (version);
CREATE INDEX tasks_open ON tasks (id) WHERE open = 1;
CREATE INDEX tasks_due ON tasks (due, id) WHERE open = 1;
CREATE INDEX tasks_retained ON tasks (retain_until) WHERE open = 0;

CREATE TABLE admissions (
  task INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  network TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  request_key TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created INTEGER NOT NULL,
  deadline TEXT,
  deadline_source INTEGER NOT NULL,
  retention INTEGER NOT NULL,
  answerable INTEGER NOT NULL,
  features INTEGER NOT NULL
) STRICT;

CREATE TABLE details (
  task INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE log (
  task INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  revision INTEGER,
  type INTEGER NOT NULL,
  state INTEGER NOT NULL,
  time INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (task, sequence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX log_by_revision ON log (task, revision) WHERE revision IS NOT NULL;

CREATE TABLE artifacts (
  task INTEGER NOT NULL,
  artifact TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  parts TEXT NOT NULL,
  PRIMARY KEY (task, artifact, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE replays (
  number INTEGER PRIMARY KEY,
  claim BLOB NOT NULL UNIQUE,
  fingerprint BLOB NOT NULL,
  task TEXT NOT NULL,
  answer TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX replays_by_expiry ON replays (expires);

CREATE TABLE records (
  number INTEGER PRIMARY KEY,
  binding TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT NOT NULL,
  task INTEGER NOT NULL,
  expires INTEGER,
  bytes BLOB NOT NULL,
  UNIQUE (binding, kind, key)
) STRICT;
CREATE INDEX records_by_task ON records (task, binding, kind, key) WHERE task <> 0;
CREATE INDEX records_by_owner ON records (owner, binding, kind, key) WHERE owner <> '';
CREATE INDEX records_by_expiry ON records (expires) WHERE expires IS NOT NULL;

CREATE TABLE tenants (
  tenant TEXT PRIMARY KEY,
  oldest INTEGER NOT NULL,
  newest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  tenant TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE purged (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT;
)sql";

// What searches find an endpoint by beside its address and title.
constexpr const char* kSchema2 = R"sql(
ALTER TABLE versions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE endpoints ADD COLUMN agent TEXT NOT NULL DEFAULT '';
UPDATE versions SET agent = coalesce(
  (SELECT json_extract(manifest, '$.agent.name') FROM manifests
   WHERE manifests.version = versions.number AND json_valid(manifest)), '');
UPDATE endpoints SET agent = coalesce(
  (SELECT agent FROM versions WHERE endpoint = endpoints.name AND version = endpoints.active), '');
)sql";

constexpr std::array<Migration, 2> kMigrations = {{
    {1, kSchema1},
    {2, kSchema2},
}};

std::int64_t pragma(const Connection& connection, std::string_view sql) {
  Statement statement(connection, sql);
  Rows rows = statement.rows();
  return rows.next() ? rows.integer(0) : 0;
}

std::string set_pragma(std::string_view name, std::int64_t value) {
  return std::string("PRAGMA ").append(name).append(" = ").append(std::to_string(value));
}

void apply_migration(const Connection& connection, const Migration& step) {
  connection.execute("BEGIN IMMEDIATE");
  try {
    connection.execute(step.sql);
    connection.execute(set_pragma("application_id", kApplicationId).c_str());
    connection.execute(set_pragma("user_version", step.number).c_str());
    connection.execute("COMMIT");
  } catch (const SqliteError&) {
    if (!connection.idle()) connection.execute("ROLLBACK");
    throw;
  }
}

}  // namespace

std::span<const Migration> migrations() {
  return kMigrations;
}

int newest_schema() {
  return migrations().back().number;
}

Result<int> readable_schema(const Connection& connection, const std::string& path, int newest) {
  const std::int64_t application = pragma(connection, "PRAGMA application_id");
  const bool empty = pragma(connection, "SELECT count(*) FROM sqlite_schema") == 0;
  if (application != kApplicationId && !empty) {
    return fail(ErrorKind::not_acceptable,
                path +
                    " is not a database of Interline; set [gateway] data_dir to another "
                    "folder, or move it away");
  }
  const std::int64_t present = pragma(connection, "PRAGMA user_version");
  if (present > newest) {
    return fail(ErrorKind::not_acceptable,
                path + " has schema " + std::to_string(present) +
                    " of a newer version: this one "
                    "knows none above " +
                    std::to_string(newest) +
                    "; run that version again, or restore a backup that this one wrote");
  }
  return static_cast<int>(present);
}

Result<void> migrate(const Connection& connection, const std::string& path,
                     std::span<const Migration> steps) {
  const auto present = readable_schema(connection, path, steps.back().number);
  if (!present) return std::unexpected(present.error());
  for (const Migration& step : steps) {
    if (step.number > *present) apply_migration(connection, step);
  }
  return {};
}

}  // namespace interline::store
