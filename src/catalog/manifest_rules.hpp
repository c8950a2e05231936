// What the ProtoXEP's manifest schema says ("Agent API Manifest", the normative JSON Schema), and
// nothing else: names, types, lengths and patterns of members. Internal to catalog/.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::catalog {

/// The member of a tool that holds what this protocol adds to MCP's Tool.
inline constexpr std::string_view kManifestExtension = "urn:xmpp:agent-api:0";

/// Accepts exactly what the normative schema accepts, with `format` asserted. not_acceptable, with
/// the place, for the first rule that does not hold.
[[nodiscard]] Result<void> check_manifest_schema(const json::Value& root);

/// not_acceptable at a place of the manifest, a JSON Pointer.
[[nodiscard]] std::unexpected<Error> refused(const std::string& where, std::string_view expected);
/// The place of a member.
[[nodiscard]] std::string child(const std::string& where, std::string_view name);

}  // namespace interline::catalog
