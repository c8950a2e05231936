// Who a bearer token speaks for: what front doors ask, whatever network they serve.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "policy/principal.hpp"

namespace interline::protocols::oauth {

struct TokenRefusal {
  enum class Cause : unsigned char {
    invalid,             ///< 401, invalid_token
    insufficient_scope,  ///< 403; `scope` is all that is needed
    unavailable,         ///< the issuer's keys cannot be had now
  };
  Cause cause = Cause::invalid;
  std::string scope;

  explicit TokenRefusal(Cause why) : cause(why) {}
};

class TokenAuthority {
 public:
  virtual ~TokenAuthority() = default;
  /// `jwt:ISSUER#SUB` of a token for the resource of that canonical URI ("" where it is not known).
  /// May ask the issuer for its keys first, within seconds.
  [[nodiscard]] virtual boost::asio::awaitable<std::expected<policy::Principal, TokenRefusal>>
  principal_of(std::string token, std::string resource) = 0;
  /// Issuers whose tokens are taken, for the resource's metadata. Never empty.
  [[nodiscard]] virtual const std::vector<std::string>& issuers() const = 0;
  /// What every token needs.
  [[nodiscard]] virtual const std::vector<std::string>& scopes() const = 0;
};

}  // namespace interline::protocols::oauth
