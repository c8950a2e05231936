// Issuers of access tokens, `[[issuer]]`: their keys, fetched when a token needs them, and who a
// token speaks for.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "net/asio.hpp"
#include "protocols/oauth/key_set.hpp"
#include "protocols/oauth/token_authority.hpp"

namespace interline::app {

/// The body that a URL answers with.
using FetchText = std::function<net::awaitable<Result<std::string>>(std::string url)>;

/// Keys are fetched at most once in `kBetween` an issuer, by one caller at a time; those that were
/// fetched serve for `kStale` where the issuer cannot be reached.
class Issuers final : public protocols::oauth::TokenAuthority {
 public:
  static constexpr std::chrono::hours kFresh{1};
  static constexpr std::chrono::hours kStale{24};
  static constexpr std::chrono::seconds kBetween{30};

  /// The clock outlives it; calls in work when it goes are the caller's to end first.
  Issuers(std::vector<IssuerSection> sections, std::string public_url, FetchText fetch,
          const Clock& clock, Logger log);
  ~Issuers() override;

  [[nodiscard]] net::awaitable<std::expected<policy::Principal, protocols::oauth::TokenRefusal>>
  principal_of(std::string token, std::string resource) override;
  [[nodiscard]] const std::vector<std::string>& issuers() const override { return urls_; }
  [[nodiscard]] const std::vector<std::string>& scopes() const override { return scopes_; }

 private:
  struct Issuer;
  const std::string public_url_;
  const FetchText fetch_;
  const Clock& clock_;
  const Logger log_;
  std::vector<std::unique_ptr<Issuer>> issuers_;
  std::vector<std::string> urls_;
  std::vector<std::string> scopes_;
};

/// The keys as they are now: from `jwks`, or where the issuer's metadata says. Both outlive the
/// call. Errors: what stands in the way, for people.
[[nodiscard]] net::awaitable<Result<protocols::oauth::KeySet>> fetch_issuer_keys(
    const IssuerSection& section, const FetchText& fetch);

/// Over HTTP, from the public Internet alone unless `allow_private`.
[[nodiscard]] FetchText fetch_over_http(const net::Executor& executor, bool allow_private);

}  // namespace interline::app
