// Bearer tokens that are JWTs (RFC 9068, RFC 8725): who issued one, for whom, for what, until when.
// Checked whole, or of no use at all.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "protocols/oauth/key_set.hpp"

namespace interline::protocols::oauth {

inline constexpr std::size_t kMaxTokenBytes = 16'384;
inline constexpr std::size_t kMaxSubjectBytes = 512;

/// Why a token is of no use. For the log: whoever presents one hears only that it is invalid.
enum class TokenFault : unsigned char {
  malformed,     ///< no JWT, or one whose header asks for what is not done here
  wrong_issuer,  ///< not this issuer's
  unknown_key,   ///< signed by a key that the issuer's set does not have: worth a fresh set
  bad_signature,
  wrong_audience,  ///< for somebody else
  expired,
  not_yet_valid,
  no_subject,
};
[[nodiscard]] std::string_view to_string(TokenFault fault);

/// What a valid token says.
struct AccessToken {
  std::string issuer;
  std::string subject;
  std::vector<std::string> scopes;
  SystemTime expires{};
};

/// What a token must say.
struct TokenExpectation {
  std::string_view issuer;                 ///< byte for byte
  std::span<const std::string> audiences;  ///< one of these; never empty
  SystemTime now{};
  std::chrono::seconds leeway = std::chrono::seconds(60);  ///< clocks differ
};

/// The issuer that a token names, "" if it cannot be read. Believed only as far as to choose whose
/// keys it is verified with.
[[nodiscard]] std::string claimed_issuer(std::string_view token);

/// The signature is checked before anything that the token claims.
[[nodiscard]] std::expected<AccessToken, TokenFault> read_access_token(
    std::string_view token, const TokenExpectation& expected, const KeySet& keys);

}  // namespace interline::protocols::oauth
