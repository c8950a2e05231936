#include "store/sqlite/catalog_table.hpp"

#include <utility>
#include <vector>

namespace interline::store {
namespace {

constexpr std::size_t kMostPins = 10'000;  // remembered; more are read again

std::string pin_key(const std::string& endpoint, const std::string& version) {
  return std::to_string(endpoint.size()) + ' ' + endpoint + version;
}

std::unexpected<Error> unknown() {
  return fail(ErrorKind::not_found, "No such endpoint or version.");
}
std::unexpected<Error> other_content() {
  return fail(ErrorKind::conflict, "This version is known with other content.");
}
std::unexpected<Error> in_use() {
  return fail(ErrorKind::conflict, "A retained task depends on this version.");
}

}  // namespace

CatalogTable::CatalogTable(const Connection& connection, std::size_t versions_per_endpoint)
    : connection_(connection),
      versions_per_endpoint_(versions_per_endpoint),
      select_version_(connection,
                      "SELECT number, hash FROM versions WHERE endpoint = ?1 AND version = ?2"),
      select_versions_(connection,
                       "SELECT version, number, hash FROM versions WHERE endpoint = ?1"),
      count_versions_(connection, "SELECT count(*) FROM versions WHERE endpoint = ?1"),
      insert_version_(connection,
                      "INSERT INTO versions (endpoint, version, hash, title, origin, agent)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      insert_manifest_(
          connection, "INSERT INTO manifests (version, manifest, loss_report) VALUES (?1, ?2, ?3)"),
      delete_version_(connection, "DELETE FROM versions WHERE number = ?1"),
      delete_manifest_(connection, "DELETE FROM manifests WHERE version = ?1"),
      select_endpoint_(connection, "SELECT active FROM endpoints WHERE name = ?1"),
      insert_endpoint_(connection,
                       "INSERT INTO endpoints (name, active, title, origin) VALUES (?1, '', '', ?2)"
                       " ON CONFLICT (name) DO UPDATE SET origin = ?2 WHERE active = ''"),
      select_active_(connection,
                     "UPDATE endpoints SET (active, title, origin, agent) ="
                     " (SELECT version, title, origin, agent FROM versions"
                     "  WHERE endpoint = ?1 AND version = ?2) WHERE name = ?1"),
      clear_active_(connection,
                    "UPDATE endpoints SET active = '', title = '', agent = '' WHERE name = ?1"),
      select_tombstone_(connection,
                        "SELECT hash FROM tombstones WHERE endpoint = ?1 AND version = ?2"),
      insert_tombstone_(connection,
                        "INSERT INTO tombstones (endpoint, version, hash) VALUES (?1, ?2, ?3)"),
      delete_tombstone_(connection, "DELETE FROM tombstones WHERE endpoint = ?1 AND version = ?2"),
      select_task_(connection, "SELECT 1 FROM tasks WHERE version = ?1 LIMIT 1") {}

std::optional<CatalogTable::Pin> CatalogTable::pin(const std::string& endpoint,
                                                   const std::string& version) {
  std::string key = pin_key(endpoint, version);
  if (const auto known = pins_.find(key); known != pins_.end()) return known->second;
  Rows rows = select_version_.rows(endpoint, version);
  if (!rows.next()) return std::nullopt;
  const Pin found{rows.integer(0), rows.digest(1)};
  if (pins_.size() >= kMostPins) pins_.clear();
  pins_.emplace(std::move(key), found);
  return found;
}

std::optional<CatalogTable::Endpoint> CatalogTable::endpoint(const std::string& name) {
  Rows rows = select_endpoint_.rows(name);
  if (!rows.next()) return std::nullopt;
  return Endpoint{rows.text(0)};
}

std::optional<Digest> CatalogTable::tombstone(const std::string& endpoint,
                                              const std::string& version) {
  Rows rows = select_tombstone_.rows(endpoint, version);
  if (!rows.next()) return std::nullopt;
  return rows.digest(0);
}

bool CatalogTable::has_versions(const std::string& endpoint) {
  Rows rows = select_versions_.rows(endpoint);
  return rows.next();
}

bool CatalogTable::is_full(const std::string& endpoint) {
  Rows rows = count_versions_.rows(endpoint);
  return rows.next() && rows.number(0) >= versions_per_endpoint_;
}

bool CatalogTable::retained(std::int64_t version) {
  Rows rows = select_task_.rows(version);
  return rows.next();
}

Result<void> CatalogTable::register_version(const RegisterVersion& work) {
  const std::optional<Pin> known = pin(work.endpoint, work.version);
  if (known && known->hash != work.hash) return other_content();
  if (!known) {
    const std::optional<Digest> buried = tombstone(work.endpoint, work.version);
    if (buried && *buried != work.hash) return other_content();
    if (is_full(work.endpoint)) {
      return fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                  "This endpoint has too many versions.");
    }
    if (buried) delete_tombstone_.run(work.endpoint, work.version);
    insert(work);
  }
  if (work.activate) select(work.endpoint, work.version);
  return {};
}

void CatalogTable::insert(const RegisterVersion& work) {
  insert_version_.run(work.endpoint, work.version, work.hash, work.title, work.origin, work.agent);
  insert_manifest_.run(connection_.last_rowid(), work.manifest, work.loss_report);
  insert_endpoint_.run(work.endpoint, work.origin);
}

/// Writes nothing where nothing changes: a configuration that is read again costs no commit.
void CatalogTable::select(const std::string& name, const std::string& version) {
  const std::optional<Endpoint> present = endpoint(name);
  if (present && present->active == version) return;
  select_active_.run(name, version);
}

void CatalogTable::clear(const std::string& name) {
  const std::optional<Endpoint> present = endpoint(name);
  if (present && !present->active.empty()) clear_active_.run(name);
}

Result<void> CatalogTable::activate(const Activate& work) {
  if (work.version.empty()) {
    if (!has_versions(work.endpoint)) return unknown();
    clear(work.endpoint);
    return {};
  }
  const std::optional<Pin> wanted = pin(work.endpoint, work.version);
  if (!wanted) return unknown();
  if (work.hash && *work.hash != wanted->hash) return other_content();
  select(work.endpoint, work.version);
  return {};
}

Result<void> CatalogTable::remove(const Remove& work) {
  return work.version.empty() ? remove_endpoint(work.endpoint) : remove_version(work);
}

Result<void> CatalogTable::remove_version(const Remove& work) {
  const std::optional<Pin> wanted = pin(work.endpoint, work.version);
  if (!wanted) return unknown();
  const std::optional<Endpoint> present = endpoint(work.endpoint);
  if (present && present->active == work.version) {
    return fail(ErrorKind::conflict, "This version is active.");
  }
  if (retained(wanted->number)) return in_use();
  bury(work.endpoint, work.version, *wanted);
  return {};
}

Result<void> CatalogTable::remove_endpoint(const std::string& name) {
  std::vector<std::pair<std::string, Pin>> all;
  {
    Rows rows = select_versions_.rows(name);
    while (rows.next()) all.emplace_back(rows.text(0), Pin{rows.integer(1), rows.digest(2)});
  }
  if (all.empty()) return unknown();
  for (const auto& [version, its_pin] : all) {
    if (retained(its_pin.number)) return in_use();
  }
  clear(name);
  for (const auto& [version, its_pin] : all) bury(name, version, its_pin);
  return {};
}

void CatalogTable::bury(const std::string& endpoint, const std::string& version,
                        const Pin& its_pin) {
  delete_version_.run(its_pin.number);
  delete_manifest_.run(its_pin.number);
  insert_tombstone_.run(endpoint, version, its_pin.hash);
  pins_.erase(pin_key(endpoint, version));
}

}  // namespace interline::store
