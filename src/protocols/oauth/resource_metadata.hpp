// What a protected resource says of itself, to clients that want a token for it (RFC 9728).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace interline::protocols::oauth {

inline constexpr std::string_view kResourceMetadataPath = "/.well-known/oauth-protected-resource";

struct ResourceMetadata {
  std::string resource;  ///< canonical URI: what tokens must have in their audience
  std::string name;      ///< for people
  std::span<const std::string> authorization_servers;  ///< issuers
  std::span<const std::string> scopes;                 ///< the least that is of use
};

/// JSON object text.
[[nodiscard]] std::string write_resource_metadata(const ResourceMetadata& metadata);

/// Where it is found for a resource at a path of its host: the well-known path before the
/// resource's own (RFC 9728 section 3.1); "/" and "" are the host itself.
[[nodiscard]] std::string resource_metadata_path(std::string_view resource_path);

}  // namespace interline::protocols::oauth
