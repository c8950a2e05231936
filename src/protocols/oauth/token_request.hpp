// What a client says to the token and registration endpoints, and what they answer (OAuth 2.1; RFC
// 6749 sections 2.3.1, 5, 6; RFC 7591).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "protocols/oauth/authorization_request.hpp"

namespace interline::protocols::oauth {

/// Who we are to one authorization server. Never shown to another.
struct ClientIdentity {
  std::string id;
  std::string secret;       ///< "": a public client
  std::string auth_method;  ///< none, client_secret_basic, client_secret_post; "": as it is offered
};

/// The way that the server takes and this client can: basic, post or none.
[[nodiscard]] std::string auth_method_for(const ServerMetadata& server,
                                          const ClientIdentity& client);

/// A request to the token endpoint: its body, and the value of `Authorization`, "" for none.
struct TokenRequest {
  std::string body;
  std::string authorization;
};
/// `grant`: grant_type and what it needs.
[[nodiscard]] TokenRequest token_request(const ServerMetadata& server, const ClientIdentity& client,
                                         Parameters grant);

struct Token {
  std::string access;
  std::string refresh;  ///< "" if none
  std::string scope;    ///< as granted; "" if it does not say
  std::optional<std::chrono::seconds> expires_in;
};
/// malformed: no token in it, or none that is a bearer's.
[[nodiscard]] Result<Token> read_token(std::string_view text);

/// The client's metadata: JSON object text. Also what a Client ID Metadata Document says, with its
/// own URL as `client_id`.
[[nodiscard]] std::string client_metadata(std::string_view name, std::string_view redirect_uri,
                                          std::string_view auth_method,
                                          std::string_view client_id = {});
[[nodiscard]] Result<ClientIdentity> read_registration(std::string_view text);

/// A protected resource's metadata, as a client reads it (RFC 9728).
struct ProtectedResource {
  std::string resource;
  std::vector<std::string> authorization_servers;
  std::vector<std::string> scopes;
};
/// malformed: no such document.
[[nodiscard]] Result<ProtectedResource> read_protected_resource(std::string_view text);
/// Whether a server at `url` is that resource, or below it.
[[nodiscard]] bool is_resource_of(std::string_view resource, std::string_view url);

}  // namespace interline::protocols::oauth
