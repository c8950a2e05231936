// What readers ask of records, the catalog and the host logs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/connection.hpp"
#include "store/store.hpp"

namespace interline::store {

/// One reader connection's. Everything throws SqliteError or CorruptRow.
class RecordReads {
 public:
  explicit RecordReads(const Connection& connection);

  [[nodiscard]] std::optional<Record> record(const RecordKey& key);
  [[nodiscard]] std::vector<Record> records(std::string_view binding, std::string_view kind,
                                            std::string_view after, std::size_t limit);
  [[nodiscard]] std::vector<Record> records_of_task(std::string_view task,
                                                    std::string_view binding);
  [[nodiscard]] std::vector<Record> records_of_owner(std::string_view owner,
                                                     std::string_view binding,
                                                     std::string_view kind, std::string_view after,
                                                     std::size_t limit);

 private:
  Statement select_one_;
  Statement select_page_;
  Statement select_of_task_;
  Statement select_of_owner_;
};

/// One reader connection's. Everything throws SqliteError or CorruptRow.
class CatalogReads {
 public:
  explicit CatalogReads(const Connection& connection);

  [[nodiscard]] std::vector<EndpointRow> endpoints(std::string_view after, std::size_t limit);
  [[nodiscard]] std::vector<VersionRow> versions(std::string_view endpoint);
  [[nodiscard]] std::optional<std::string> manifest(std::string_view endpoint,
                                                    std::string_view version);
  [[nodiscard]] std::string loss_report(std::string_view endpoint, std::string_view version);
  [[nodiscard]] std::vector<AuditRow> audit(std::string_view tenant, std::uint64_t after,
                                            std::size_t limit);

 private:
  Statement select_endpoints_;
  Statement select_versions_;
  Statement select_manifest_;
  Statement select_loss_report_;
  Statement select_audit_;
};

}  // namespace interline::store
