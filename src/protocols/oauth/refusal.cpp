#include "protocols/oauth/refusal.hpp"

#include <algorithm>
#include <array>

#include "json/parse.hpp"

namespace interline::protocols::oauth {
namespace {

constexpr std::array<std::string_view, 14> kErrors = {
    "access_denied",           "invalid_client",           "invalid_client_metadata",
    "invalid_grant",           "invalid_redirect_uri",     "invalid_request",
    "invalid_scope",           "invalid_target",           "server_error",
    "temporarily_unavailable", "unauthorized_client",      "unapproved_software_statement",
    "unsupported_grant_type",  "unsupported_response_type"};

}  // namespace

std::string refusal(std::string_view error) {
  if (std::ranges::find(kErrors, error) == kErrors.end()) return {};
  return " (" + std::string(error) + ")";
}

std::string refusal_in(std::string_view body) {
  const auto document = json::parse(body, {}, json::Numbers::faithful);
  if (!document || !document->root().is_object()) return {};
  const json::Value* error = document->root().find("error");
  return error == nullptr ? std::string() : refusal(error->get_string().value_or(""));
}

}  // namespace interline::protocols::oauth
