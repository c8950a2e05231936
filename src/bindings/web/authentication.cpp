#include "bindings/web/authentication.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "engine/keys.hpp"
#include "protocols/oauth/challenge.hpp"
#include "protocols/oauth/resource_metadata.hpp"

namespace interline::web {
namespace {

using net::http::Request;
using net::http::Response;
using policy::Principal;
using protocols::oauth::BearerChallenge;
using protocols::oauth::TokenRefusal;

constexpr std::string_view kBearer = "bearer ";

/// RFC 6750, section 2.1; the scheme's name in any case (RFC 9110, section 11.1).
std::optional<std::string_view> bearer_token(std::string_view credentials) {
  if (credentials.size() <= kBearer.size()) return std::nullopt;
  if (!equals_without_case(credentials.substr(0, kBearer.size()), kBearer)) return std::nullopt;
  return credentials.substr(kBearer.size());
}

bool takes_tokens(const Access& access) {
  return access.options.tokens != nullptr;
}

Response challenge(const Access& access, const Request& request, unsigned status,
                   BearerChallenge bearer) {
  bearer.realm = "interline";
  if (takes_tokens(access)) {
    bearer.resource_metadata =
        origin_of(access, request) + protocols::oauth::resource_metadata_path(request.path);
    if (bearer.scope.empty()) {
      for (const std::string& scope : access.options.tokens->scopes()) {
        bearer.scope.append(bearer.scope.empty() ? "" : " ").append(scope);
      }
    }
  }
  Response response = net::http::plain_response(status);
  response.fields.set("WWW-Authenticate", protocols::oauth::write_challenge(bearer));
  return response;
}

Response invalid_token(const Access& access, const Request& request) {
  BearerChallenge bearer;
  bearer.error = "invalid_token";
  return challenge(access, request, 401, std::move(bearer));
}

Response refused(const Access& access, const Request& request, const TokenRefusal& refusal) {
  switch (refusal.cause) {
    case TokenRefusal::Cause::unavailable:
      return net::http::plain_response(503);
    case TokenRefusal::Cause::insufficient_scope: {
      BearerChallenge bearer;
      bearer.error = "insufficient_scope";
      bearer.scope = refusal.scope;
      return challenge(access, request, 403, std::move(bearer));
    }
    case TokenRefusal::Cause::invalid:
      break;
  }
  return invalid_token(access, request);
}

}  // namespace

std::string origin_of(const Access& access, const Request& request) {
  if (!access.options.public_url.empty()) return access.options.public_url;
  return (request.secure ? "https://" : "http://") + request.host;
}

awaitable<std::expected<Principal, Response>> authenticate(const Access& access,
                                                           const Request& request) {
  const auto credentials = request.fields.get("Authorization");
  if (!credentials) co_return Principal::anonymous();
  const auto token = bearer_token(*credentials);
  if (!token || request.fields.count("Authorization") != 1) {
    co_return std::unexpected(invalid_token(access, request));
  }
  // A JWT has two dots, and no API key has any.
  if (takes_tokens(access) && std::ranges::count(*token, '.') == 2) {
    auto who = co_await access.options.tokens->principal_of(std::string(*token),
                                                            resource_of(access, request));
    if (!who) co_return std::unexpected(refused(access, request, who.error()));
    co_return *std::move(who);
  }
  auto who = co_await engine::principal_of_key(access.engine, Secret(*token));
  if (who) co_return *std::move(who);
  if (who.error().kind == ErrorKind::forbidden) {
    co_return std::unexpected(invalid_token(access, request));
  }
  co_return std::unexpected(net::http::plain_response(503));
}

Response who_are_you(const Access& access, const Request& request) {
  return challenge(access, request, 401, {});
}

std::string resource_of(const Access& access, const Request& request) {
  return origin_of(access, request) + request.path;
}

}  // namespace interline::web
