// Let in by OAuth 2.1 (2026-07-28, basic/authorization): whom the server trusts is found out from
// its refusal, who we are there from what was agreed before or is registered now, and a token is
// got for this server alone. Nothing of one authorization server is ever shown to another.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/event.hpp"
#include "net/http/client.hpp"
#include "protocols/oauth/challenge.hpp"
#include "protocols/oauth/token_request.hpp"
#include "runtimes/mcp/authorizer.hpp"

namespace interline::runtimes::mcp {

/// Shows an operator a URL, and returns the one that the browser was sent back to.
using Browser = std::function<net::awaitable<Result<std::string>>(std::string url)>;

struct OAuthConfiguration {
  std::string server_url;                   ///< of the MCP server
  protocols::oauth::ClientIdentity client;  ///< agreed upon before; its id "" if there is none
  std::string client_issuer;                ///< with whom; "": with whoever the server names
  std::string metadata_url;                 ///< of a Client ID Metadata Document; "": none
  std::string redirect_uri;                 ///< where the browser comes back to
  std::string scope;                        ///< wanted in any case
  Browser browser;                          ///< none: nobody can be asked for consent now
  /// Where an operator's consent is kept; "": there is none, client credentials are shown.
  std::filesystem::path kept;
  std::string endpoint;                       ///< what an operator calls it
  std::chrono::milliseconds timeout{30'000};  ///< for each request
};

class OAuthAuthorizer final : public Authorizer {
 public:
  OAuthAuthorizer(const net::Executor& strand, std::shared_ptr<net::http::Client> client,
                  OAuthConfiguration configuration);

  net::awaitable<Result<std::string>> value() override;
  net::awaitable<bool> refused(unsigned status, std::string challenge) override;
  void close() override { http_.reset(); }

  /// Why the last attempt failed; "" if it did not.
  [[nodiscard]] std::string fault() const override { return fault_; }

 private:
  /// What one attempt goes by.
  struct Grantor {
    protocols::oauth::ServerMetadata server;
    std::string resource;
    std::string scope;
  };

  [[nodiscard]] net::awaitable<Result<void>> authorize(protocols::oauth::BearerChallenge challenge,
                                                       bool step_up);
  [[nodiscard]] net::awaitable<Result<Grantor>> find_grantor(
      protocols::oauth::BearerChallenge challenge);
  [[nodiscard]] net::awaitable<Result<protocols::oauth::ServerMetadata>> find_server(
      std::string issuer);
  [[nodiscard]] net::awaitable<Result<protocols::oauth::ServerMetadata>> find_old_server();
  [[nodiscard]] net::awaitable<Result<protocols::oauth::ClientIdentity>> identify(
      const protocols::oauth::ServerMetadata& server);
  [[nodiscard]] net::awaitable<Result<void>> ask_browser(
      const Grantor& grantor, const protocols::oauth::ClientIdentity& client);
  [[nodiscard]] net::awaitable<Result<void>> get_token(
      const Grantor& grantor, const protocols::oauth::ClientIdentity& client,
      protocols::oauth::Parameters grant);
  [[nodiscard]] net::awaitable<bool> refresh();
  [[nodiscard]] net::awaitable<Result<std::string>> get(std::string url);
  /// What was told us is spoken to like the server itself: not without TLS where that has it.
  [[nodiscard]] net::awaitable<Result<net::http::Response>> fetch(net::http::FetchRequest request);
  [[nodiscard]] bool expired() const;
  /// By consent, not by credentials alone.
  [[nodiscard]] bool by_consent() const {
    return configuration_.browser || !configuration_.kept.empty();
  }
  [[nodiscard]] std::string wants_consent() const {
    return "an operator has to let the gateway in: interline endpoints authorize " +
           configuration_.endpoint;
  }
  /// Takes over what is kept, unless that is what was refused. False: there is nothing else.
  bool take_kept();
  void keep(const protocols::oauth::ClientIdentity& client) const;

  std::shared_ptr<net::http::Client> http_;
  const OAuthConfiguration configuration_;
  net::Event done_;
  bool busy_ = false;
  std::optional<protocols::oauth::Token> token_;
  std::chrono::steady_clock::time_point expires_;
  std::optional<Grantor> grantor_;  ///< of the token
  std::string asked_scope_;         ///< all that was asked for so far
  std::map<std::string, protocols::oauth::ClientIdentity> identities_;  ///< by issuer
  std::string fault_;
  std::string rejected_;  ///< a token that the server did not take
};

}  // namespace interline::runtimes::mcp
