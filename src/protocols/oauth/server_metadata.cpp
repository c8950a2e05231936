#include "protocols/oauth/server_metadata.hpp"

#include <array>

#include "json/parse.hpp"

namespace interline::protocols::oauth {
namespace {

struct TextRow {
  std::string_view name;
  std::string ServerMetadata::*member;
};
constexpr std::array kTexts = {
    TextRow{"authorization_endpoint", &ServerMetadata::authorization_endpoint},
    TextRow{"token_endpoint", &ServerMetadata::token_endpoint},
    TextRow{"registration_endpoint", &ServerMetadata::registration_endpoint},
    TextRow{"jwks_uri", &ServerMetadata::jwks_uri},
};

struct ListRow {
  std::string_view name;
  std::vector<std::string> ServerMetadata::*member;
};
constexpr std::array kLists = {
    ListRow{"scopes_supported", &ServerMetadata::scopes},
    ListRow{"grant_types_supported", &ServerMetadata::grant_types},
    ListRow{"code_challenge_methods_supported", &ServerMetadata::code_challenge_methods},
    ListRow{"token_endpoint_auth_methods_supported", &ServerMetadata::token_auth_methods},
};

struct FlagRow {
  std::string_view name;
  bool ServerMetadata::*member;
};
constexpr std::array kFlags = {
    FlagRow{"client_id_metadata_document_supported", &ServerMetadata::client_id_metadata_documents},
    FlagRow{"authorization_response_iss_parameter_supported",
            &ServerMetadata::names_issuer_in_responses},
};

}  // namespace

std::vector<std::string> server_metadata_urls(std::string_view issuer) {
  constexpr std::string_view kOauth = "/.well-known/oauth-authorization-server";
  constexpr std::string_view kOpenId = "/.well-known/openid-configuration";
  const auto scheme = issuer.find("://");
  if (scheme == std::string_view::npos) return {};
  const auto slash = issuer.find('/', scheme + 3);
  const std::string origin(issuer.substr(0, slash));
  std::string path(slash == std::string_view::npos ? std::string_view() : issuer.substr(slash));
  while (path.ends_with('/')) path.pop_back();
  std::vector<std::string> urls;
  for (const std::string_view known : {kOauth, kOpenId}) {
    urls.push_back(std::string(origin).append(known).append(path));
  }
  if (!path.empty()) urls.push_back(std::string(origin).append(path).append(kOpenId));
  return urls;
}

Result<ServerMetadata> read_server_metadata(std::string_view text, std::string_view issuer) {
  json::Limits limits;
  limits.bytes = kMaxServerMetadataBytes;
  limits.depth = 16;
  const auto document = json::parse(text, limits);
  if (!document || !document->root().is_object()) {
    return fail(ErrorKind::malformed, "an authorization server's metadata must be a JSON object");
  }
  const json::Value& root = document->root();
  const json::Value* named = root.find("issuer");
  if (named == nullptr || named->get_string() != issuer) {
    return fail(ErrorKind::malformed, "an authorization server's metadata names another issuer");
  }
  ServerMetadata read;
  read.issuer = issuer;
  for (const TextRow& row : kTexts) {
    if (const json::Value* value = root.find(row.name)) {
      read.*row.member = value->get_string().value_or("");
    }
  }
  for (const ListRow& row : kLists) {
    const json::Value* value = root.find(row.name);
    if (value == nullptr || !value->is_array()) continue;
    for (const json::Value& item : value->items()) {
      if (const auto word = item.get_string()) (read.*row.member).emplace_back(*word);
    }
  }
  for (const FlagRow& row : kFlags) {
    if (const json::Value* value = root.find(row.name)) {
      read.*row.member = value->get_bool().value_or(false);
    }
  }
  return read;
}

}  // namespace interline::protocols::oauth
