// The authorization code grant with PKCE, a client's half of its messages (OAuth 2.1; RFC 7636; RFC
// 8707, resource; RFC 9207, iss): what the browser is sent to, and what it comes back with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "protocols/oauth/server_metadata.hpp"

namespace interline::protocols::oauth {

/// Names and values of a form or a query, in order.
using Parameters = std::vector<std::pair<std::string, std::string>>;
/// application/x-www-form-urlencoded.
[[nodiscard]] std::string write_form(const Parameters& parameters);
/// malformed: an escape that is none.
[[nodiscard]] Result<Parameters> read_form(std::string_view text);
/// Of the first of that name; "" if there is none.
[[nodiscard]] std::string value_of(const Parameters& parameters, std::string_view name);

/// One attempt to be authorized. Never used twice, told to nobody.
struct AuthorizationAttempt {
  std::string issuer;         ///< that the response has to come from
  std::string state;          ///< random
  std::string verifier;       ///< random
  bool iss_promised = false;  ///< a response without `iss` is refused
};
[[nodiscard]] AuthorizationAttempt new_attempt(const ServerMetadata& server);
/// S256 of a verifier.
[[nodiscard]] std::string code_challenge(std::string_view verifier);

/// Whom to send where: what is asked of the authorization server.
struct AuthorizationWish {
  std::string_view client_id;
  std::string_view redirect_uri;
  std::string_view resource;
  std::string_view scope;  ///< "": none is asked for
};
/// The URL for the browser.
[[nodiscard]] std::string authorization_url(const ServerMetadata& server,
                                            const AuthorizationAttempt& attempt,
                                            const AuthorizationWish& wish);

/// The code of the URL that the browser was sent back to. Errors: forbidden, which say nothing of
/// what the response says where it is not from whom it should be.
[[nodiscard]] Result<std::string> read_authorization_response(std::string_view url,
                                                              const AuthorizationAttempt& attempt);

/// All scopes of both, those of the first before.
[[nodiscard]] std::string union_of_scopes(std::string_view first, std::string_view second);

}  // namespace interline::protocols::oauth
