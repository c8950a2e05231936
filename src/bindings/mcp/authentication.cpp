#include "bindings/mcp/authentication.hpp"

#include "engine/keys.hpp"

namespace interline::mcp {
namespace {

constexpr std::string_view kBearer = "bearer ";

/// RFC 6750, section 2.1; the scheme's name in any case (RFC 9110, section 11.1).
std::optional<std::string_view> bearer_token(std::string_view credentials) {
  if (credentials.size() <= kBearer.size()) return std::nullopt;
  for (std::size_t i = 0; i < kBearer.size(); ++i) {
    const char c = credentials[i];
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (lower != kBearer[i]) return std::nullopt;
  }
  return credentials.substr(kBearer.size());
}

}  // namespace

engine::awaitable<Result<policy::Principal>> authenticate(engine::Engine& engine,
                                                          const net::http::Request& request) {
  const auto credentials = request.fields.get("Authorization");
  if (!credentials) co_return policy::Principal::anonymous();
  const auto token = bearer_token(*credentials);
  if (!token || request.fields.count("Authorization") != 1) {
    co_return fail(ErrorKind::forbidden, "Bearer is the scheme of authorization here.");
  }
  co_return co_await engine::principal_of_key(engine, Secret(*token));
}

}  // namespace interline::mcp
