// Whether the keys that access tokens are checked with can be had.
#include <boost/asio/this_coro.hpp>

#include "app/issuers.hpp"
#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

std::string mend_of_issuer(const app::IssuerSection& issuer) {
  if (issuer.jwks.empty()) {
    return "see that the issuer publishes its metadata, or set [[issuer]] jwks to the URL or file "
           "of its keys:\ncurl -i " +
           shell_word(issuer.url + (issuer.url.ends_with('/') ? "" : "/") +
                      ".well-known/openid-configuration");
  }
  const bool is_url = issuer.jwks.find("://") != std::string::npos;
  return is_url
             ? "see that [[issuer]] jwks is where its keys are:\ncurl -i " + shell_word(issuer.jwks)
             : "let [[issuer]] jwks name a file with its keys, a JSON Web Key Set, that the "
               "gateway's user may read: " +
                   issuer.jwks;
}

}  // namespace

net::awaitable<void> check_issuers(const app::Configuration& configuration, Say say) {
  if (configuration.issuers.empty()) co_return;
  const app::FetchText fetch = app::fetch_over_http(co_await net::asio::this_coro::executor,
                                                    configuration.egress.allow_private);
  for (const app::IssuerSection& issuer : configuration.issuers) {
    const auto keys = co_await app::fetch_issuer_keys(issuer, fetch);
    if (!keys) {
      say({Verdict::wrong, "issuer",
           issuer.url + ": its keys cannot be had: " + keys.error().message,
           mend_of_issuer(issuer)});
    } else if (keys->size() == 0) {
      say({Verdict::wrong, "issuer", issuer.url + ": it has no key that tokens are signed with",
           mend_of_issuer(issuer)});
    } else {
      say({Verdict::fine, "issuer",
           issuer.url + ": " + std::to_string(keys->size()) +
               (keys->size() == 1 ? " key" : " keys")});
    }
  }
}

}  // namespace interline::cli
