// What an operator's consent came to, kept in a file between starts: a token, who it is from, and
// who we are there. Readable by this user alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/instant.hpp"
#include "protocols/oauth/server_metadata.hpp"
#include "protocols/oauth/token_request.hpp"

namespace interline::runtimes::mcp {

struct KeptToken {
  std::string server_url;                 ///< of the MCP server: the token is shown to no other
  protocols::oauth::ServerMetadata from;  /// issuer, token endpoint and how we say who we are there
  protocols::oauth::ClientIdentity client;
  std::string resource;
  std::string scope;
  protocols::oauth::Token token;  ///< `expires_in` left out
  std::optional<SystemTime> expires;

  KeptToken() = default;
};

[[nodiscard]] std::string write_kept_token(const KeptToken& kept);
/// malformed: it is none.
[[nodiscard]] Result<KeptToken> read_kept_token(std::string_view text);

/// Nothing: there is none, none that can be read, or one for another server.
[[nodiscard]] std::optional<KeptToken> load_token(const std::filesystem::path& file,
                                                  std::string_view server_url);
/// Whole or not at all, with mode 0600; makes the folder, with 0700. unavailable.
[[nodiscard]] Result<void> save_token(const std::filesystem::path& file, const KeptToken& kept);

}  // namespace interline::runtimes::mcp
