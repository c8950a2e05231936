// What the ProtoXEP's manifest schema says ("Agent API Manifest", the normative JSON Schema), and
// nothing else: names, types, lengths and patterns of members. For read_manifest(), and for whoever
// writes a manifest.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::catalog {

inline constexpr std::size_t kManifestTools = 4'096;
inline constexpr std::size_t kToolTitle = 256;  ///< code points, as the next
inline constexpr std::size_t kToolDescription = 8'192;

/// The member of a tool that holds what this protocol adds to MCP's Tool.
inline constexpr std::string_view kManifestExtension = "urn:xmpp:agent-api:0";

/// Accepts exactly what the normative schema accepts, with `format` asserted. not_acceptable, with
/// the place, for the first rule that does not hold.
[[nodiscard]] Result<void> check_manifest_schema(const json::Value& root);

/// The same for one element of `tools`.
[[nodiscard]] Result<void> check_tool_schema(const json::Value& tool, const std::string& where);
/// The same for the member kManifestExtension of a tool.
[[nodiscard]] Result<void> check_extension_schema(const json::Value& extension,
                                                  const std::string& where);
/// Members of a tool that the schema does not define are allowed where their names are URIs.
[[nodiscard]] bool is_uri_name(std::string_view name);

/// not_acceptable at a place of the manifest, a JSON Pointer.
[[nodiscard]] std::unexpected<Error> refused(const std::string& where, std::string_view expected);
/// The place of a member.
[[nodiscard]] std::string child(const std::string& where, std::string_view name);

}  // namespace interline::catalog
