#include "protocols/oauth/access_token.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "json/parse.hpp"

namespace interline::protocols::oauth {
namespace {

constexpr std::array<std::string_view, 8> kFaults = {
    "malformed",      "wrong issuer", "unknown key",   "bad signature",
    "wrong audience", "expired",      "not yet valid", "no subject",
};

/// RFC 9068 section 2.1 wants the first; the last is what many issuers write. A type of another use
/// (RFC 8725 section 3.11) is refused.
constexpr std::array<std::string_view, 3> kTypes = {"at+jwt", "application/at+jwt", "jwt"};

/// The latest instant that a token may speak of: beyond it, arithmetic would overflow.
constexpr double kLastSecond = 9'000'000'000;

std::optional<json::Document> part(std::string_view encoded) {
  const auto text = decode_base64url(encoded);
  if (!text) return std::nullopt;
  json::Limits limits;
  limits.bytes = kMaxTokenBytes;
  limits.depth = 16;
  auto document = json::parse(*text, limits);
  if (!document || !document->root().is_object()) return std::nullopt;
  return *std::move(document);
}

struct Parts {
  json::Document header;
  json::Document claims;
};

std::optional<Parts> split(std::string_view token) {
  if (token.size() > kMaxTokenBytes || std::ranges::count(token, '.') != 2) return std::nullopt;
  const auto first = token.find('.');
  const auto second = token.find('.', first + 1);
  auto header = part(token.substr(0, first));
  if (!header) return std::nullopt;
  auto claims = part(token.substr(first + 1, second - first - 1));
  // One text for one token: the library would take padding, too.
  if (!claims || !decode_base64url(token.substr(second + 1))) return std::nullopt;
  return Parts{*std::move(header), *std::move(claims)};
}

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

bool header_is_plain(const json::Value& header) {
  if (header.find("crit") != nullptr || header.find("b64") != nullptr) return false;
  const json::Value* type = header.find("typ");
  if (type == nullptr) return true;
  return type->is_string() &&
         std::ranges::find(kTypes, std::string_view(lower_case(type->as_string()))) != kTypes.end();
}

/// NumericDate of RFC 7519: seconds, perhaps with a fraction.
std::optional<SystemTime> instant(const json::Value& claims, std::string_view name) {
  const json::Value* value = claims.find(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double seconds = value->as_double();
  if (!(seconds >= 0 && seconds <= kLastSecond)) return std::nullopt;
  const auto milliseconds = static_cast<std::int64_t>(std::floor(seconds * 1'000));
  return SystemTime(std::chrono::milliseconds(milliseconds));
}

bool names_one_of(const json::Value* audience, std::span<const std::string> wanted) {
  const auto is_wanted = [&](const json::Value& value) {
    const auto text = value.get_string();
    return text && std::ranges::find(wanted, *text) != wanted.end();
  };
  if (audience == nullptr) return false;
  if (audience->is_array()) return std::ranges::any_of(audience->items(), is_wanted);
  return is_wanted(*audience);
}

/// RFC 8693 section 4.2: one text of scopes; some issuers write an array, or call it `scp`.
std::vector<std::string> scopes_of(const json::Value& claims) {
  std::vector<std::string> out;
  for (const std::string_view name : {"scope", "scp"}) {
    const json::Value* value = claims.find(name);
    if (value == nullptr) continue;
    if (value->is_array()) {
      for (const json::Value& scope : value->items()) {
        if (const auto text = scope.get_string()) out.emplace_back(*text);
      }
      return out;
    }
    std::string_view rest = value->get_string().value_or("");
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      if (end > 0) out.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }
  return out;
}

bool is_subject(std::string_view text) {
  return !text.empty() && text.size() <= kMaxSubjectBytes && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

std::optional<TokenFault> time_fault(const json::Value& claims, const TokenExpectation& expected) {
  const auto expires = instant(claims, "exp");
  if (!expires) return TokenFault::malformed;
  if (*expires + expected.leeway <= expected.now) return TokenFault::expired;
  for (const std::string_view name : {"nbf", "iat"}) {
    if (claims.find(name) == nullptr) continue;
    const auto from = instant(claims, name);
    if (!from) return TokenFault::malformed;
    if (*from - expected.leeway > expected.now) return TokenFault::not_yet_valid;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(TokenFault fault) {
  return kFaults[static_cast<std::size_t>(fault)];
}

std::string claimed_issuer(std::string_view token) {
  const auto parts = split(token);
  return std::string(parts ? text_of(parts->claims.root(), "iss") : std::string_view());
}

std::expected<AccessToken, TokenFault> read_access_token(std::string_view token,
                                                         const TokenExpectation& expected,
                                                         const KeySet& keys) {
  const auto parts = split(token);
  if (!parts) return std::unexpected(TokenFault::malformed);
  const json::Value& header = parts->header.root();
  const json::Value& claims = parts->claims.root();
  const std::string_view algorithm = text_of(header, "alg");
  if (!header_is_plain(header) || !SignatureCheck::known(algorithm)) {
    return std::unexpected(TokenFault::malformed);
  }
  if (text_of(claims, "iss") != expected.issuer) return std::unexpected(TokenFault::wrong_issuer);
  switch (SignatureCheck::verify(keys, token, algorithm, text_of(header, "kid"))) {
    case Signature::unknown_key:
      return std::unexpected(TokenFault::unknown_key);
    case Signature::invalid:
      return std::unexpected(TokenFault::bad_signature);
    case Signature::valid:
      break;
  }
  if (!names_one_of(claims.find("aud"), expected.audiences)) {
    return std::unexpected(TokenFault::wrong_audience);
  }
  if (const auto fault = time_fault(claims, expected)) return std::unexpected(*fault);
  const std::string_view subject = text_of(claims, "sub");
  if (!is_subject(subject)) return std::unexpected(TokenFault::no_subject);
  AccessToken read;
  read.issuer = expected.issuer;
  read.subject = subject;
  read.scopes = scopes_of(claims);
  read.expires = *instant(claims, "exp");
  return read;
}

}  // namespace interline::protocols::oauth
