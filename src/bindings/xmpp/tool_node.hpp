// Service discovery nodes of tools and of the collection of a version's tools.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace interline::xmpp {

/// `[A-Za-z0-9._~-]{1,64}`.
[[nodiscard]] bool is_api_version(std::string_view text);
/// At least one code point, UTF-8, characters that XML 1.0 can carry. Length is the manifest's.
[[nodiscard]] bool is_tool_name(std::string_view text);

/// A tool of a version.
struct ToolNode {
  std::string version;
  std::string tool;

  friend bool operator==(const ToolNode&, const ToolNode&) = default;
};

/// `urn:xmpp:agent-tool:0#VERSION#NAME`, the name in base64url without padding. The node of a pair
/// that passes is_api_version and is_tool_name.
[[nodiscard]] std::string encode_tool_node(std::string_view version, std::string_view tool);
/// Whether a node claims to be a tool's: then decode_tool_node has the answer.
[[nodiscard]] bool is_tool_node(std::string_view node);
/// Errors: not_found for whatever encode_tool_node does not write, as for any unknown node.
[[nodiscard]] Result<ToolNode> decode_tool_node(std::string_view node);

/// `urn:xmpp:agent-tools:0#VERSION`.
[[nodiscard]] std::string encode_collection_node(std::string_view version);
[[nodiscard]] bool is_collection_node(std::string_view node);
/// The version. Errors: not_found.
[[nodiscard]] Result<std::string> decode_collection_node(std::string_view node);

}  // namespace interline::xmpp
