#include "protocols/oauth/token_request.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::protocols::oauth {
namespace {

constexpr std::string_view kBasic = "client_secret_basic";
constexpr std::string_view kPost = "client_secret_post";
constexpr std::string_view kNone = "none";

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

std::vector<std::string> texts_of(const json::Value& object, std::string_view name) {
  std::vector<std::string> texts;
  const json::Value* array = object.find(name);
  if (array == nullptr || !array->is_array()) return texts;
  for (const json::Value& one : array->items()) {
    if (one.is_string()) texts.emplace_back(one.as_string());
  }
  return texts;
}

std::string escaped(std::string_view text) {
  std::string form = write_form({{"", std::string(text)}});
  return form.substr(1);
}

std::unexpected<Error> wrong(std::string what) {
  return fail(ErrorKind::malformed, std::move(what));
}

}  // namespace

std::string auth_method_for(const ServerMetadata& server, const ClientIdentity& client) {
  if (!client.auth_method.empty()) return client.auth_method;
  const auto offers = [&server](std::string_view method) {
    return std::ranges::find(server.token_auth_methods, method) != server.token_auth_methods.end();
  };
  if (client.secret.empty()) return std::string(kNone);
  // Without a word about it, basic is what every server takes (RFC 8414 section 2).
  if (server.token_auth_methods.empty() || offers(kBasic)) return std::string(kBasic);
  return std::string(offers(kPost) ? kPost : kNone);
}

TokenRequest token_request(const ServerMetadata& server, const ClientIdentity& client,
                           Parameters grant) {
  TokenRequest request;
  const std::string method = auth_method_for(server, client);
  if (method == kBasic) {
    request.authorization =
        "Basic " + encode_base64(escaped(client.id) + ":" + escaped(client.secret));
  } else {
    grant.emplace_back("client_id", client.id);
    if (method == kPost) grant.emplace_back("client_secret", client.secret);
  }
  request.body = write_form(grant);
  return request;
}

Result<Token> read_token(std::string_view text) {
  const auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) return wrong("the token endpoint's answer is no JSON");
  Token token;
  token.access = text_of(document->root(), "access_token");
  token.refresh = text_of(document->root(), "refresh_token");
  token.scope = text_of(document->root(), "scope");
  const bool bearer = equals_without_case(text_of(document->root(), "token_type"), "bearer");
  const auto printable = [](char c) { return c > ' ' && c < 0x7F; };
  if (token.access.empty() || !bearer || !std::ranges::all_of(token.access, printable)) {
    return wrong("the token endpoint gives no bearer token");
  }
  const json::Value* expires = document->root().find("expires_in");
  if (expires != nullptr && expires->get_int64().value_or(-1) >= 0) {
    constexpr std::int64_t kLongest = 400'000'000;
    token.expires_in = std::chrono::seconds(std::min(*expires->get_int64(), kLongest));
  }
  return token;
}

std::string client_metadata(std::string_view name, std::string_view redirect_uri,
                            std::string_view auth_method, std::string_view client_id) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  if (!client_id.empty()) writer.member("client_id", client_id);
  writer.member("client_name", name);
  writer.name("redirect_uris");
  writer.begin_array();
  writer.value(redirect_uri);
  writer.end_array();
  writer.name("grant_types");
  writer.begin_array();
  writer.value("authorization_code");
  writer.value("refresh_token");
  writer.end_array();
  writer.name("response_types");
  writer.begin_array();
  writer.value("code");
  writer.end_array();
  writer.member("token_endpoint_auth_method", auth_method);
  writer.member("application_type", "native");
  writer.end_object();
  return text;
}

Result<ClientIdentity> read_registration(std::string_view text) {
  const auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) return wrong("the registration's answer is no JSON");
  ClientIdentity client;
  client.id = text_of(document->root(), "client_id");
  client.secret = text_of(document->root(), "client_secret");
  client.auth_method = text_of(document->root(), "token_endpoint_auth_method");
  if (client.id.empty()) return wrong("the registration gives no client_id");
  return client;
}

Result<ProtectedResource> read_protected_resource(std::string_view text) {
  const auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) return wrong("the resource's metadata is no JSON");
  ProtectedResource resource;
  resource.resource = text_of(document->root(), "resource");
  resource.authorization_servers = texts_of(document->root(), "authorization_servers");
  resource.scopes = texts_of(document->root(), "scopes_supported");
  if (resource.resource.empty() || resource.authorization_servers.empty()) {
    return wrong("the resource's metadata names no resource or no authorization server");
  }
  return resource;
}

bool is_resource_of(std::string_view resource, std::string_view url) {
  while (resource.ends_with('/')) resource.remove_suffix(1);
  url = url.substr(0, url.find('?'));
  if (!url.starts_with(resource)) return false;
  const std::string_view rest = url.substr(resource.size());
  return rest.empty() || rest.starts_with('/');
}

}  // namespace interline::protocols::oauth
