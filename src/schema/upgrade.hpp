// From draft-07 to 2020-12: most MCP servers in the field still emit draft-07 schemas, and the XMPP
// Agent Gateway speaks 2020-12 alone. The upgrade says what it changed, and refuses what it cannot
// express with the same meaning.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "json/value.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

/// One rewritten place: `location` is a JSON Pointer into the schema given, `change` a fixed
/// sentence ("items as an array became prefixItems").
struct UpgradeChange {
  std::string location;
  std::string change;
};

struct Upgraded {
  std::string text;                    ///< the 2020-12 schema, as JSON text
  std::vector<UpgradeChange> changes;  ///< empty: only $schema changed, or nothing
  bool more_changes = false;           ///< there were more than 1,000
};

/// Rewrites a draft-07 schema. Every instance gets the same verdict from both. Errors name the
/// place and why it has no equal (CompileErrorCode::invalid_keyword or unsupported_dialect).
[[nodiscard]] std::expected<Upgraded, CompileError> upgrade_draft_07(const json::Value& root);

/// Whether `$schema` says draft-07 (with or without the empty fragment, http or https).
[[nodiscard]] bool is_draft_07(const json::Value& root);

}  // namespace interline::schema
