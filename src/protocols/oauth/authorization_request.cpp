#include "protocols/oauth/authorization_request.hpp"

#include <algorithm>
#include <cstdint>

#include "base/base64.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"
#include "protocols/oauth/refusal.hpp"

namespace interline::protocols::oauth {
namespace {

constexpr std::size_t kRandomWords = 4;  // 256 bits

std::string random_text() {
  std::string bytes;
  for (std::size_t i = 0; i < kRandomWords; ++i) {
    std::uint64_t word = random_uint64();
    for (int j = 0; j < 8; ++j, word >>= 8) bytes += static_cast<char>(word & 0xFF);
  }
  return encode_base64url(bytes);
}

void append_escaped(std::string& text, std::string_view value) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : value) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += '%';
      text += kHex[byte >> 4U];
      text += kHex[byte & 0xFU];
    }
  }
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> unescaped(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      value += ' ';
    } else if (text[i] != '%') {
      value += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex(text[i + 2]) : -1;
      if (high < 0 || low < 0) return fail(ErrorKind::malformed, "an escape that is none");
      value += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return value;
}

std::unexpected<Error> not_authorized(std::string why) {
  return fail(ErrorKind::forbidden, std::move(why));
}

}  // namespace

std::string write_form(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += '&';
    append_escaped(text, name);
    text += '=';
    append_escaped(text, value);
  }
  return text;
}

Result<Parameters> read_form(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = unescaped(pair.substr(0, equals));
    auto value = unescaped(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return fail(ErrorKind::malformed, "an escape that is none");
    parameters.emplace_back(*std::move(name), *std::move(value));
  }
  return parameters;
}

std::string value_of(const Parameters& parameters, std::string_view name) {
  const auto found = std::ranges::find_if(
      parameters, [name](const auto& parameter) { return parameter.first == name; });
  return found == parameters.end() ? std::string() : found->second;
}

AuthorizationAttempt new_attempt(const ServerMetadata& server) {
  AuthorizationAttempt attempt;
  attempt.issuer = server.issuer;
  attempt.state = random_text();
  attempt.verifier = random_text();
  attempt.iss_promised = server.names_issuer_in_responses;
  return attempt;
}

std::string code_challenge(std::string_view verifier) {
  const Digest digest = sha256(verifier);
  return encode_base64url(BytesView(digest));
}

std::string authorization_url(const ServerMetadata& server, const AuthorizationAttempt& attempt,
                              const AuthorizationWish& wish) {
  Parameters query = {{"response_type", "code"},
                      {"client_id", std::string(wish.client_id)},
                      {"redirect_uri", std::string(wish.redirect_uri)},
                      {"state", attempt.state},
                      {"code_challenge", code_challenge(attempt.verifier)},
                      {"code_challenge_method", "S256"},
                      {"resource", std::string(wish.resource)}};
  if (!wish.scope.empty()) query.emplace_back("scope", wish.scope);
  const bool has_query = server.authorization_endpoint.find('?') != std::string::npos;
  return server.authorization_endpoint + (has_query ? "&" : "?") + write_form(query);
}

Result<std::string> read_authorization_response(std::string_view url,
                                                const AuthorizationAttempt& attempt) {
  std::string_view query = url.substr(std::min(url.find('?'), url.size()));
  if (!query.empty()) query.remove_prefix(1);
  query = query.substr(0, query.find('#'));
  const auto response = read_form(query);
  if (!response) return not_authorized("the authorization response cannot be read");
  const std::string issuer = value_of(*response, "iss");
  const bool named = std::ranges::any_of(*response, [](const auto& p) { return p.first == "iss"; });
  if (value_of(*response, "state") != attempt.state) {
    return not_authorized("the authorization response is not the answer to our request");
  }
  if (named ? issuer != attempt.issuer : attempt.iss_promised) {
    return not_authorized("the authorization response is not from whom it should be");
  }
  if (const std::string error = value_of(*response, "error"); !error.empty()) {
    return not_authorized("the authorization server refuses" + refusal(error));
  }
  std::string code = value_of(*response, "code");
  if (code.empty()) return not_authorized("the authorization response has no code");
  return code;
}

std::string union_of_scopes(std::string_view first, std::string_view second) {
  std::vector<std::string_view> scopes;
  for (std::string_view text : {first, second}) {
    while (!text.empty()) {
      const std::string_view one = text.substr(0, text.find(' '));
      text.remove_prefix(std::min(text.size(), one.size() + 1));
      if (!one.empty() && std::ranges::find(scopes, one) == scopes.end()) scopes.push_back(one);
    }
  }
  std::string text;
  for (const std::string_view one : scopes) text.append(text.empty() ? "" : " ").append(one);
  return text;
}

}  // namespace interline::protocols::oauth
