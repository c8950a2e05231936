#include "store/sqlite/other_reads.hpp"

#define INTERLINE_SELECT_RECORD                                                      \
  "SELECT r.binding, r.kind, r.key, r.owner, coalesce(t.id, ''), r.expires, r.bytes" \
  " FROM records r LEFT JOIN tasks t ON t.number = r.task "

namespace interline::store {
namespace {

Record read_record(const Rows& rows) {
  Record record;
  record.binding = rows.text(0);
  record.kind = rows.text(1);
  record.key = rows.text(2);
  record.owner = rows.text(3);
  record.task = rows.text(4);
  if (!rows.is_null(5)) record.expires = rows.time(5);
  record.bytes = rows.text(6);
  return record;
}

std::vector<Record> all_records(Rows& rows) {
  std::vector<Record> records;
  while (rows.next()) records.push_back(read_record(rows));
  return records;
}

}  // namespace

RecordReads::RecordReads(const Connection& connection)
    : select_one_(connection,
                  INTERLINE_SELECT_RECORD "WHERE r.binding = ?1 AND r.kind = ?2 AND r.key = ?3"),
      select_page_(connection, INTERLINE_SELECT_RECORD
                   "WHERE r.binding = ?1 AND r.kind = ?2 AND r.key > ?3 ORDER BY r.key LIMIT ?4"),
      select_of_task_(connection, INTERLINE_SELECT_RECORD
                      "WHERE r.task = (SELECT number FROM tasks WHERE id = ?1) AND r.task <> 0"
                      " AND r.binding = ?2 ORDER BY r.kind, r.key"),
      select_of_owner_(connection, INTERLINE_SELECT_RECORD
                       "WHERE r.owner = ?1 AND r.owner <> '' AND r.binding = ?2 AND r.kind = ?3"
                       " AND r.key > ?4 ORDER BY r.key LIMIT ?5") {}

std::optional<Record> RecordReads::record(const RecordKey& key) {
  Rows rows = select_one_.rows(key.binding, key.kind, key.key);
  if (!rows.next()) return std::nullopt;
  return read_record(rows);
}

std::vector<Record> RecordReads::records(std::string_view binding, std::string_view kind,
                                         std::string_view after, std::size_t limit) {
  Rows rows = select_page_.rows(binding, kind, after, limit);
  return all_records(rows);
}

std::vector<Record> RecordReads::records_of_task(std::string_view task, std::string_view binding) {
  Rows rows = select_of_task_.rows(task, binding);
  return all_records(rows);
}

std::vector<Record> RecordReads::records_of_owner(std::string_view owner, std::string_view binding,
                                                  std::string_view kind, std::string_view after,
                                                  std::size_t limit) {
  Rows rows = select_of_owner_.rows(owner, binding, kind, after, limit);
  return all_records(rows);
}

CatalogReads::CatalogReads(const Connection& connection)
    : select_endpoints_(connection,
                        "SELECT name, active, title, origin, agent FROM endpoints WHERE name > ?1"
                        " ORDER BY name LIMIT ?2"),
      select_versions_(connection,
                       "SELECT v.version, v.hash, v.version = e.active,"
                       " EXISTS (SELECT 1 FROM tasks t WHERE t.version = v.number)"
                       " FROM versions v JOIN endpoints e ON e.name = v.endpoint"
                       " WHERE v.endpoint = ?1 ORDER BY v.version"),
      select_manifest_(connection,
                       "SELECT m.manifest FROM versions v JOIN manifests m ON m.version = v.number"
                       " WHERE v.endpoint = ?1 AND v.version = ?2"),
      select_loss_report_(
          connection,
          "SELECT m.loss_report FROM versions v JOIN manifests m ON m.version = v.number"
          " WHERE v.endpoint = ?1 AND v.version = ?2"),
      select_audit_(connection,
                    "SELECT sequence, type, body, time FROM audit"
                    " WHERE tenant = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3") {}

std::vector<EndpointRow> CatalogReads::endpoints(std::string_view after, std::size_t limit) {
  std::vector<EndpointRow> endpoints;
  Rows rows = select_endpoints_.rows(after, limit);
  while (rows.next()) {
    endpoints.push_back(
        EndpointRow{rows.text(0), rows.text(1), rows.text(2), rows.text(4), rows.text(3)});
  }
  return endpoints;
}

std::vector<VersionRow> CatalogReads::versions(std::string_view endpoint) {
  std::vector<VersionRow> versions;
  Rows rows = select_versions_.rows(endpoint);
  while (rows.next()) {
    VersionRow& version = versions.emplace_back();
    version.version = rows.text(0);
    version.hash = rows.digest(1);
    version.active = rows.boolean(2);
    version.removable = !version.active && !rows.boolean(3);
  }
  return versions;
}

std::optional<std::string> CatalogReads::manifest(std::string_view endpoint,
                                                  std::string_view version) {
  Rows rows = select_manifest_.rows(endpoint, version);
  if (!rows.next()) return std::nullopt;
  return rows.text(0);
}

std::string CatalogReads::loss_report(std::string_view endpoint, std::string_view version) {
  Rows rows = select_loss_report_.rows(endpoint, version);
  return rows.next() ? rows.text(0) : std::string();
}

std::vector<AuditRow> CatalogReads::audit(std::string_view tenant, std::uint64_t after,
                                          std::size_t limit) {
  std::vector<AuditRow> entries;
  Rows rows = select_audit_.rows(tenant, after, limit);
  while (rows.next()) {
    entries.push_back(AuditRow{rows.number(0), rows.text(1), rows.text(2), rows.time(3)});
  }
  return entries;
}

}  // namespace interline::store
