// `WWW-Authenticate: Bearer` (RFC 6750 section 3, RFC 9728 section 5.1): what a resource server
// tells a client that has no token, a useless one, or one that is not enough.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace interline::protocols::oauth {

inline constexpr std::size_t kMaxChallengeBytes = 8'192;

struct BearerChallenge {
  std::string realm;              ///< "" if none; RFC 6750 wants at least one parameter
  std::string resource_metadata;  ///< URL, "" if none
  std::string scope;              ///< scopes apart by spaces, "" if none
  std::string error;              ///< "invalid_token", "insufficient_scope", "" without a token
  std::string error_description;

  friend bool operator==(const BearerChallenge&, const BearerChallenge&) = default;
};

/// The field's value. Texts that a quoted string cannot hold lose what does not fit in one.
[[nodiscard]] std::string write_challenge(const BearerChallenge& challenge);

/// The first challenge for Bearer among those of a field, which may hold several schemes (RFC 9110
/// section 11.6.1). Unknown parameters are ignored; of a repeated one the first counts. Nothing
/// where there is none, or where the field cannot be read up to it.
[[nodiscard]] std::optional<BearerChallenge> read_challenge(std::string_view field);

}  // namespace interline::protocols::oauth
