#include "bindings/a2a/front_guard.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "bindings/web/authentication.hpp"
#include "bindings/web/place.hpp"

namespace interline::a2a {
namespace {

using net::http::Method;
using net::http::Request;
using net::http::Response;
using rules::Refusal;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kA2aJson = "application/a2a+json";
constexpr std::string_view kJsonRpcType = "application/json-rpc";
constexpr std::string_view kMethods = "GET, POST, DELETE";
constexpr std::string_view kExposed = "WWW-Authenticate, ETag, A2A-Extensions";

/// Without its parameters.
std::string bare_type(std::string_view type) {
  const auto end = type.find_first_of("; \t");
  return lower_case(type.substr(0, end));
}

bool is_taken(Door door, std::string_view type) {
  const std::string bare = bare_type(type);
  return bare == kJson || bare == kA2aJson || (door == Door::json_rpc && bare == kJsonRpcType);
}

bool has_body(const Request& request) {
  const auto length = request.fields.get("Content-Length");
  return request.fields.contains("Transfer-Encoding") || (length && *length != "0");
}

bool is_plain(const Request& request) {
  const auto coding = request.fields.get("Content-Encoding");
  return !coding || equals_without_case(*coding, "identity");
}

std::optional<rules::ErrorAnswer> check_media(Door door, const Request& request) {
  const bool looked_at =
      door == Door::json_rpc || (request.method == Method::post && has_body(request));
  if (door == Door::card || !looked_at) return std::nullopt;
  const auto type = request.fields.get("Content-Type");
  if (type && is_taken(door, *type) && is_plain(request)) return std::nullopt;
  return rules::refusal(Refusal::wrong_media_type,
                        "The body has to be application/json or application/a2a+json, unencoded.");
}

struct StatusRow {
  unsigned status;
  Refusal refusal;
  std::string_view message;
};
constexpr StatusRow kStatuses[] = {
    {400, Refusal::invalid_request, "This is no request that is understood here."},
    {401, Refusal::unauthenticated, "This needs an API key or an access token."},
    {403, Refusal::forbidden, "This is not allowed."},
    {404, Refusal::unknown_method, "There is nothing here."},
    {405, Refusal::not_allowed_here, "There is something here, but not for this method."},
    {413, Refusal::too_large, "The body is too large."},
    {415, Refusal::wrong_media_type, "The body is of a type that is not read here."},
    {429, Refusal::rate, "There are too many requests."},
    {503, Refusal::unavailable, "Not now; the same request may be repeated."},
};

rules::ErrorAnswer answer_of(unsigned status) {
  const auto* const row = std::ranges::find(kStatuses, status, &StatusRow::status);
  if (row == std::end(kStatuses)) {
    rules::ErrorAnswer other = rules::refusal(Refusal::internal, "This cannot be answered.");
    other.status = status;
    other.of_http = true;
    return other;
  }
  rules::ErrorAnswer answer = rules::refusal(row->refusal, std::string(row->message));
  answer.of_http = true;
  return answer;
}

/// A refusal of what front doors share, in this one's words; its fields are kept.
Response in_our_words(const Services& services, Door door, const Request& request,
                      Response refusal) {
  Response made = error_response(services, door, request, answer_of(refusal.status));
  if (const auto challenge = refusal.fields.get("WWW-Authenticate")) {
    made.fields.set("WWW-Authenticate", *challenge);
  }
  return made;
}

/// The host's card is open to all (every name in it is).
bool open_to_strangers(const Services& services, Door door, const Request& request) {
  const auto policy = services.engine.policy();
  const policy::Principal stranger = policy::Principal::anonymous();
  const std::string_view name = request.parameter("name");
  if (!name.empty()) return policy->visible(stranger, name);
  return door == Door::card || policy->is_known(stranger);
}

awaitable<std::optional<Response>> guard(std::shared_ptr<Services> services, Door door,
                                         Request& request) {
  const web::Access access = services->access();
  if (!web::place_allowed(access, request)) {
    co_return error_response(*services, door, request, answer_of(403));
  }
  if (request.method == Method::options && request.fields.contains("Origin")) {
    co_return web::preflight(access, request, kMethods, kExposed);
  }
  auto who = co_await web::authenticate(access, request);
  std::optional<Response> stopped;
  if (!who) {
    stopped = in_our_words(*services, door, request, std::move(who.error()));
  } else if (who->is_anonymous() && !open_to_strangers(*services, door, request)) {
    stopped = in_our_words(*services, door, request, web::who_are_you(access, request));
  } else if (const auto wrong = check_media(door, request)) {
    stopped = error_response(*services, door, request, *wrong);
  }
  if (stopped) {
    allow_origin(*services, request, stopped->fields);
    co_return stopped;
  }
  request.context = Arrived{*std::move(who)};
  co_return std::nullopt;
}

}  // namespace

net::http::Guard front_guard(std::shared_ptr<Services> services, Door door) {
  return [services = std::move(services), door](Request& request) {
    return guard(services, door, request);
  };
}

void allow_origin(const Services& services, const Request& request, net::http::Fields& fields) {
  web::allow_origin(services.access(), request, kExposed, fields);
}

std::string_view answer_type(const Services& services, const Request& request) {
  switch (services.options.media_type) {
    case MediaType::json:
      return kJson;
    case MediaType::a2a_json:
      return kA2aJson;
    case MediaType::negotiate:
      break;
  }
  const std::string accept = lower_case(request.fields.get("Accept").value_or(""));
  const auto a2a = accept.find(kA2aJson);
  const auto json = accept.find(kJson);
  if (a2a != std::string::npos || json != std::string::npos) return a2a <= json ? kA2aJson : kJson;
  const auto type = request.fields.get("Content-Type");
  return type && bare_type(*type) == kJson ? kJson : kA2aJson;
}

Response error_response(const Services& services, Door door, const Request& request,
                        const rules::ErrorAnswer& answer, std::string_view id) {
  const bool rpc = door == Door::json_rpc;
  const unsigned status = rpc && !answer.of_http ? 200 : answer.status;
  Response response(status, rpc ? kJson : answer_type(services, request),
                    rpc ? rules::json_rpc_error(id, answer) : rules::http_error(answer));
  if (answer.retry_after) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*answer.retry_after);
    response.fields.set("Retry-After", std::to_string(std::max<std::int64_t>(seconds.count(), 1)));
  }
  return response;
}

bool is_ours(std::string_view path) {
  return path == "/a2a" || path.starts_with("/a2a/");
}

Response refused(unsigned status, const Request& request) {
  const bool rest = request.path.find("/v1") != std::string::npos;
  const rules::ErrorAnswer answer = answer_of(status);
  return {status, kJson,
          rest ? rules::http_error(answer) : rules::json_rpc_error(std::string_view(), answer)};
}

}  // namespace interline::a2a
