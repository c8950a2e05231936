#include "runtimes/mcp/oauth_authorizer.hpp"

#include <algorithm>
#include <utility>

#include "net/http/url.hpp"
#include "protocols/oauth/refusal.hpp"
#include "protocols/oauth/resource_metadata.hpp"
#include "runtimes/mcp/kept_token.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace http = net::http;
namespace oauth = protocols::oauth;
using oauth::Parameters;
using oauth::ServerMetadata;

constexpr std::size_t kMaxDocument = 262'144;
constexpr std::string_view kOffline = "offline_access";

bool has(const std::vector<std::string>& list, std::string_view one) {
  return std::ranges::find(list, one) != list.end();
}

std::string joined(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& one : scopes) text = oauth::union_of_scopes(text, one);
  return text;
}

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorKind::forbidden, std::move(why));
}

/// How we may say who we are, of what the server offers.
std::string wanted_method(const ServerMetadata& server) {
  for (const char* method : {"client_secret_basic", "client_secret_post", "none"}) {
    if (has(server.token_auth_methods, method)) return method;
  }
  return server.token_auth_methods.empty() ? "client_secret_basic" : "none";
}

}  // namespace

OAuthAuthorizer::OAuthAuthorizer(const net::Executor& strand, std::shared_ptr<http::Client> client,
                                 OAuthConfiguration configuration)
    : http_(std::move(client)), configuration_(std::move(configuration)), done_(strand) {}

bool OAuthAuthorizer::expired() const {
  return token_ && token_->expires_in && std::chrono::steady_clock::now() >= expires_;
}

bool OAuthAuthorizer::take_kept() {
  if (configuration_.kept.empty()) return false;
  auto kept = load_token(configuration_.kept, configuration_.server_url);
  if (!kept || kept->token.access == rejected_) return false;
  Grantor grantor;
  grantor.server = std::move(kept->from);
  grantor.resource = std::move(kept->resource);
  grantor.scope = std::move(kept->scope);
  identities_[grantor.server.issuer] = std::move(kept->client);
  asked_scope_ = grantor.scope;
  grantor_ = std::move(grantor);
  token_ = std::move(kept->token);
  if (kept->expires) {
    const auto left = *kept->expires - std::chrono::system_clock::now();
    token_->expires_in = std::chrono::duration_cast<std::chrono::seconds>(left);
    expires_ = std::chrono::steady_clock::now() + *token_->expires_in;
  }
  return true;
}

void OAuthAuthorizer::keep(const oauth::ClientIdentity& client) const {
  if (configuration_.kept.empty()) return;
  KeptToken kept;
  kept.server_url = configuration_.server_url;
  kept.from = grantor_->server;
  kept.client = client;
  kept.resource = grantor_->resource;
  kept.scope = grantor_->scope;
  kept.token = *token_;
  if (token_->expires_in) {
    const auto left = expires_ - std::chrono::steady_clock::now();
    kept.expires =
        std::chrono::time_point_cast<SystemTime::duration>(std::chrono::system_clock::now() + left);
  }
  // Where it cannot be written it is good as long as the gateway runs.
  (void)save_token(configuration_.kept, kept);
}

net::awaitable<Result<std::string>> OAuthAuthorizer::value() {
  while (busy_) co_await done_.wait();
  if (!token_ && !configuration_.browser) (void)take_kept();
  if (expired()) {
    busy_ = true;
    (void)co_await refresh();
    busy_ = false;
    done_.notify_all();
  }
  if (token_) co_return "Bearer " + token_->access;
  if (by_consent() && !configuration_.browser) {
    co_return fail(ErrorKind::unavailable,
                   "There is no token that the MCP server takes; " + wants_consent());
  }
  co_return std::string();
}

net::awaitable<bool> OAuthAuthorizer::refused(unsigned status, std::string text) {
  if (busy_) {  // somebody is getting a token already
    while (busy_) co_await done_.wait();
    co_return token_.has_value();
  }
  const auto read = oauth::read_challenge(text);
  const oauth::BearerChallenge challenge = read.value_or(oauth::BearerChallenge());
  const bool step_up = status == 403;
  if (step_up && challenge.error != "insufficient_scope") co_return false;
  busy_ = true;
  bool better = false;
  if (token_) {
    rejected_ = token_->access;
    better = !configuration_.browser && take_kept();  // somebody has consented anew meanwhile
    if (!better && !step_up) {
      if (!token_->refresh.empty()) better = co_await refresh();
      if (!better) token_.reset();
    }
  }
  if (!better && by_consent() && !configuration_.browser) {
    fault_ = wants_consent();
  } else if (!better) {
    auto done = co_await authorize(challenge, step_up);
    better = done.has_value();
    fault_ = done ? std::string() : std::move(done.error().message);
  }
  busy_ = false;
  done_.notify_all();
  co_return better;
}

net::awaitable<Result<http::Response>> OAuthAuthorizer::fetch(http::FetchRequest request) {
  if (configuration_.server_url.starts_with("https://") && !request.url.starts_with("https://")) {
    co_return refuse("the authorization server is not spoken to without TLS");
  }
  const auto client = http_;
  if (!client) co_return fail(ErrorKind::unavailable, "The gateway is shutting down.");
  request.timeout = configuration_.timeout;
  request.body_limit = kMaxDocument;
  co_return co_await client->fetch(std::move(request));
}

net::awaitable<Result<std::string>> OAuthAuthorizer::get(std::string url) {
  http::FetchRequest request(http::Method::get, std::move(url));
  request.fields.set("Accept", "application/json");
  auto response = co_await fetch(std::move(request));
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (response->status != 200) {
    co_return fail(ErrorKind::not_found, "HTTP status " + std::to_string(response->status));
  }
  co_return std::move(response->body);
}

// --- whom to ask -------------------------------------------------------------------------------

net::awaitable<Result<OAuthAuthorizer::Grantor>> OAuthAuthorizer::find_grantor(
    oauth::BearerChallenge challenge) {
  const auto url = http::parse_url(configuration_.server_url);
  if (!url) co_return std::unexpected(url.error());
  std::vector<std::string> places;
  if (!challenge.resource_metadata.empty()) {
    places.push_back(challenge.resource_metadata);
  } else {
    const std::string path = url->target.substr(0, url->target.find('?'));
    places.push_back(url->origin() + oauth::resource_metadata_path(path));
    if (path != "/") places.push_back(url->origin() + oauth::resource_metadata_path("/"));
  }
  Grantor grantor;
  std::optional<oauth::ProtectedResource> resource;
  for (const std::string& place : places) {
    const auto text = co_await get(place);
    if (!text) continue;
    auto read = oauth::read_protected_resource(*text);
    if (!read) co_return std::unexpected(std::move(read.error()));
    resource = *std::move(read);
    break;
  }
  if (!resource) {  // a server of 2025-03-26
    auto server = co_await find_old_server();
    if (!server) co_return std::unexpected(std::move(server.error()));
    grantor.server = *std::move(server);
    grantor.scope = challenge.scope;
    co_return grantor;
  }
  if (!oauth::is_resource_of(resource->resource, configuration_.server_url)) {
    co_return refuse("the MCP server's metadata is of another resource");
  }
  grantor.resource = resource->resource;
  std::string issuer = resource->authorization_servers.front();
  for (const std::string& one : resource->authorization_servers) {
    if (identities_.contains(one) || one == configuration_.client_issuer) issuer = one;
  }
  auto server = co_await find_server(std::move(issuer));
  if (!server) co_return std::unexpected(std::move(server.error()));
  grantor.server = *std::move(server);
  grantor.scope = challenge.scope.empty() ? joined(resource->scopes) : challenge.scope;
  co_return grantor;
}

net::awaitable<Result<ServerMetadata>> OAuthAuthorizer::find_server(std::string issuer) {
  for (const std::string& place : oauth::server_metadata_urls(issuer)) {
    const auto text = co_await get(place);
    if (!text) continue;
    auto server = oauth::read_server_metadata(*text, issuer);
    if (!server) co_return std::unexpected(std::move(server.error()));
    if (!has(server->code_challenge_methods, "S256")) {
      co_return refuse("the authorization server does not do PKCE with S256");
    }
    co_return server;
  }
  co_return refuse("the authorization server's metadata is not found");
}

/// 2025-03-26: the server's own origin is the authorization server, with endpoints at fixed places
/// where it says nothing else.
net::awaitable<Result<ServerMetadata>> OAuthAuthorizer::find_old_server() {
  const auto url = http::parse_url(configuration_.server_url);
  if (!url) co_return std::unexpected(url.error());
  const std::string origin = url->origin();
  const auto text = co_await get(origin + "/.well-known/oauth-authorization-server");
  if (text) {
    for (const std::string& issuer : {origin, origin + "/"}) {
      auto server = oauth::read_server_metadata(*text, issuer);
      if (server) co_return server;
    }
    co_return refuse("the authorization server's metadata names another issuer");
  }
  ServerMetadata server;
  server.issuer = origin;
  server.authorization_endpoint = origin + "/authorize";
  server.token_endpoint = origin + "/token";
  server.registration_endpoint = origin + "/register";
  co_return server;
}

// --- who we are there --------------------------------------------------------------------------

net::awaitable<Result<oauth::ClientIdentity>> OAuthAuthorizer::identify(
    const ServerMetadata& server) {
  const bool agreed =
      !configuration_.client.id.empty() &&
      (configuration_.client_issuer.empty() || configuration_.client_issuer == server.issuer);
  if (agreed) co_return configuration_.client;
  if (const auto known = identities_.find(server.issuer); known != identities_.end()) {
    co_return known->second;
  }
  if (server.client_id_metadata_documents && !configuration_.metadata_url.empty()) {
    oauth::ClientIdentity client;
    client.id = configuration_.metadata_url;
    client.auth_method = "none";
    co_return client;
  }
  if (server.registration_endpoint.empty()) {
    co_return refuse("the authorization server does not know us, and registers nobody");
  }
  http::FetchRequest request(http::Method::post, server.registration_endpoint);
  request.fields.set("Content-Type", "application/json");
  const std::string method = wanted_method(server);
  request.body = oauth::client_metadata("Interline", configuration_.redirect_uri, method);
  auto response = co_await fetch(std::move(request));
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (response->status != 200 && response->status != 201) {
    co_return refuse("the authorization server does not register us" +
                     oauth::refusal_in(response->body));
  }
  auto client = oauth::read_registration(response->body);
  if (!client) co_return client;
  if (client->auth_method.empty()) client->auth_method = method;
  identities_[server.issuer] = *client;
  co_return client;
}

// --- a token -----------------------------------------------------------------------------------

net::awaitable<Result<void>> OAuthAuthorizer::authorize(oauth::BearerChallenge challenge,
                                                        bool step_up) {
  auto found = co_await find_grantor(std::move(challenge));
  if (!found) co_return std::unexpected(std::move(found.error()));
  Grantor grantor = *std::move(found);
  const bool same = grantor_ && grantor_->server.issuer == grantor.server.issuer;
  if (step_up && same) grantor.scope = oauth::union_of_scopes(asked_scope_, grantor.scope);
  grantor.scope = oauth::union_of_scopes(grantor.scope, configuration_.scope);
  const bool offline = configuration_.browser && has(grantor.server.scopes, kOffline);
  if (offline) grantor.scope = oauth::union_of_scopes(grantor.scope, kOffline);
  auto client = co_await identify(grantor.server);
  if (!client) co_return std::unexpected(std::move(client.error()));
  asked_scope_ = grantor.scope;
  if (configuration_.browser) co_return co_await ask_browser(grantor, *client);
  Parameters grant;
  grant.emplace_back("grant_type", "client_credentials");
  if (!grantor.scope.empty()) grant.emplace_back("scope", grantor.scope);
  co_return co_await get_token(grantor, *client, std::move(grant));
}

net::awaitable<Result<void>> OAuthAuthorizer::ask_browser(const Grantor& grantor,
                                                          const oauth::ClientIdentity& client) {
  const auto attempt = oauth::new_attempt(grantor.server);
  oauth::AuthorizationWish wish;
  wish.client_id = client.id;
  wish.redirect_uri = configuration_.redirect_uri;
  wish.resource = grantor.resource.empty() ? configuration_.server_url : grantor.resource;
  wish.scope = grantor.scope;
  std::string url = oauth::authorization_url(grantor.server, attempt, wish);
  const auto back = co_await configuration_.browser(std::move(url));
  if (!back) co_return std::unexpected(back.error());
  auto code = oauth::read_authorization_response(*back, attempt);
  if (!code) co_return std::unexpected(std::move(code.error()));
  Parameters grant;
  grant.emplace_back("grant_type", "authorization_code");
  grant.emplace_back("code", *std::move(code));
  grant.emplace_back("redirect_uri", configuration_.redirect_uri);
  grant.emplace_back("code_verifier", attempt.verifier);
  co_return co_await get_token(grantor, client, std::move(grant));
}

net::awaitable<Result<void>> OAuthAuthorizer::get_token(const Grantor& grantor,
                                                        const oauth::ClientIdentity& client,
                                                        Parameters grant) {
  grant.emplace_back("resource",
                     grantor.resource.empty() ? configuration_.server_url : grantor.resource);
  oauth::TokenRequest wanted = oauth::token_request(grantor.server, client, std::move(grant));
  http::FetchRequest request(http::Method::post, grantor.server.token_endpoint);
  request.fields.set("Content-Type", "application/x-www-form-urlencoded");
  request.fields.set("Accept", "application/json");
  if (!wanted.authorization.empty()) request.fields.set("Authorization", wanted.authorization);
  request.body = std::move(wanted.body);
  auto response = co_await fetch(std::move(request));
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (response->status != 200) {
    co_return refuse("the authorization server gives no token" + oauth::refusal_in(response->body));
  }
  auto token = oauth::read_token(response->body);
  if (!token) co_return std::unexpected(std::move(token.error()));
  const std::string refresh_before = token_ ? token_->refresh : std::string();
  const bool same = grantor_ && grantor_->server.issuer == grantor.server.issuer;
  if (token->refresh.empty() && same) token->refresh = refresh_before;
  if (token->expires_in) {
    // A little earlier, so that it is still good when it arrives.
    constexpr auto kEarlier = std::chrono::seconds(10);
    expires_ = std::chrono::steady_clock::now() +
               std::max(*token->expires_in - kEarlier, std::chrono::seconds(1));
  }
  token_ = *std::move(token);
  grantor_ = grantor;
  keep(client);
  co_return Result<void>();
}

net::awaitable<bool> OAuthAuthorizer::refresh() {
  if (!token_ || !grantor_) co_return false;
  const Grantor grantor = *grantor_;
  auto client = co_await identify(grantor.server);
  if (!client) co_return false;
  Parameters grant;
  if (!token_->refresh.empty()) {
    grant.emplace_back("grant_type", "refresh_token");
    grant.emplace_back("refresh_token", token_->refresh);
  } else if (!by_consent()) {
    grant.emplace_back("grant_type", "client_credentials");
    if (!grantor.scope.empty()) grant.emplace_back("scope", grantor.scope);
  } else {
    co_return false;
  }
  const auto got = co_await get_token(grantor, *client, std::move(grant));
  if (!got) token_.reset();
  co_return got.has_value();
}

}  // namespace interline::runtimes::mcp
