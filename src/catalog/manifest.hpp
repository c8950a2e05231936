// A manifest: the immutable JSON document that describes one version of an endpoint and its tools
// (ProtoXEP XMPP Agent Gateway, "Agent API Manifest"). Parsed once, checked whole, hashed over its
// RFC 8785 bytes, shared by everything that pins it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "schema/schema.hpp"

namespace interline::catalog {

/// Behavioural hints, present only where the manifest has them (absence is preserved).
struct Annotations {
  std::optional<bool> read_only;
  std::optional<bool> destructive;
  std::optional<bool> idempotent;
  std::optional<bool> open_world;
};

struct Tool {
  std::string name;
  std::string title;               ///< "" if absent
  std::string description;         ///< "" if absent
  std::string definition;          ///< the whole tool object, canonical text
  std::string input_schema_text;   ///< canonical bytes
  std::string output_schema_text;  ///< "" if absent
  Digest input_schema_hash{};
  Digest output_schema_hash{};
  std::optional<schema::Schema> input_schema;   ///< always present in a valid manifest
  std::optional<schema::Schema> output_schema;  ///< present iff output_schema_text is
  Annotations annotations;
  bool supports_progress = false;
  bool supports_cancellation = false;
  bool supports_input = false;
  std::vector<std::string> required_permissions;
  bool approval_required = false;
  std::optional<std::uint64_t> default_timeout_seconds;
  std::optional<std::uint64_t> maximum_timeout_seconds;
};

struct Manifest {
  std::string jid;  ///< agent.jid as given
  std::string name;
  std::string title;  ///< "" if absent, as all that follow
  std::string description;
  std::string version;
  std::string vendor;
  std::string homepage;
  std::string avatar_url;
  std::string text;  ///< canonical bytes: what is hashed, stored and returned
  Digest hash{};
  std::vector<Tool> tools;  ///< ordered by the UTF-8 bytes of their names

  [[nodiscard]] const Tool* find_tool(std::string_view tool_name) const;
};

/// Limits of one manifest; defaults are those of `[limits]`.
struct ManifestLimits {
  std::size_t manifest_bytes = 1U << 20U;
  std::size_t schema_bytes = 131'072;
  std::size_t json_depth = 64;
};

/// Parses, checks every rule of the manifest schema and of tool registration, compiles the schemas,
/// canonicalises and hashes. Error kinds: malformed (no JSON), not_acceptable (I-JSON, the manifest
/// schema, URIs, tool names, tool schemas; the message names the place), resource_constraint.
[[nodiscard]] Result<std::shared_ptr<const Manifest>> read_manifest(
    std::string_view text, const ManifestLimits& limits = {});

}  // namespace interline::catalog
