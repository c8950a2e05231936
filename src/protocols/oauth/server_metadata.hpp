// What an authorization server says of itself (RFC 8414, OpenID Connect Discovery 1.0): where its
// keys and its endpoints are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace interline::protocols::oauth {

inline constexpr std::size_t kMaxServerMetadataBytes = 262'144;

/// Where it may be found, in the order in which that is tried: the well-known path before an
/// issuer's own path (RFC 8414 section 3.1), OpenID's twice, since it has both ways.
[[nodiscard]] std::vector<std::string> server_metadata_urls(std::string_view issuer);

struct ServerMetadata {
  std::string issuer;
  std::string authorization_endpoint;  ///< "", as all that are absent
  std::string token_endpoint;
  std::string registration_endpoint;
  std::string jwks_uri;
  std::vector<std::string> scopes;
  std::vector<std::string> grant_types;
  std::vector<std::string> code_challenge_methods;
  std::vector<std::string> token_auth_methods;
  bool client_id_metadata_documents = false;
  bool names_issuer_in_responses = false;  ///< RFC 9207
};

/// Whose `issuer` is not the one that was asked for, byte for byte, is of no use (RFC 8414 section
/// 3.3). malformed.
[[nodiscard]] Result<ServerMetadata> read_server_metadata(std::string_view text,
                                                          std::string_view issuer);

}  // namespace interline::protocols::oauth
