// Endpoints and their versions as the writer changes them. A version's content is immutable, what
// was removed leaves its hash behind for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "store/sqlite/connection.hpp"
#include "store/work.hpp"

namespace interline::store {

/// The committer's thread only. Everything throws SqliteError or CorruptRow.
class CatalogTable {
 public:
  CatalogTable(const Connection& connection, std::size_t versions_per_endpoint);

  /// What a task pins.
  struct Pin {
    std::int64_t number = 0;  ///< versions.number
    Digest hash{};
  };
  [[nodiscard]] std::optional<Pin> pin(const std::string& endpoint, const std::string& version);

  [[nodiscard]] Result<void> register_version(const RegisterVersion& work);
  [[nodiscard]] Result<void> activate(const Activate& work);
  /// Tasks are to be flushed before.
  [[nodiscard]] Result<void> remove(const Remove& work);

  void rolled_back() { pins_.clear(); }

 private:
  struct Endpoint {
    std::string active;
  };
  [[nodiscard]] std::optional<Endpoint> endpoint(const std::string& name);
  [[nodiscard]] std::optional<Digest> tombstone(const std::string& endpoint,
                                                const std::string& version);
  [[nodiscard]] bool has_versions(const std::string& endpoint);
  [[nodiscard]] bool is_full(const std::string& endpoint);
  [[nodiscard]] bool retained(std::int64_t version);
  void insert(const RegisterVersion& work);
  void select(const std::string& endpoint, const std::string& version);
  void clear(const std::string& endpoint);
  void bury(const std::string& endpoint, const std::string& version, const Pin& pin);
  [[nodiscard]] Result<void> remove_version(const Remove& work);
  [[nodiscard]] Result<void> remove_endpoint(const std::string& endpoint);

  const Connection& connection_;
  const std::size_t versions_per_endpoint_;
  std::unordered_map<std::string, Pin> pins_;  // by endpoint's size, ' ', endpoint, version

  Statement select_version_;
  Statement select_versions_;
  Statement count_versions_;
  Statement insert_version_;
  Statement insert_manifest_;
  Statement delete_version_;
  Statement delete_manifest_;
  Statement select_endpoint_;
  Statement insert_endpoint_;
  Statement select_active_;
  Statement clear_active_;
  Statement select_tombstone_;
  Statement insert_tombstone_;
  Statement delete_tombstone_;
  Statement select_task_;
};

}  // namespace interline::store
