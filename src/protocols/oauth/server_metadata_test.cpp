#include "protocols/oauth/server_metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace interline::protocols::oauth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Rfc8414_Metadata, IsLookedForAtTheWellKnownPathsInOrder) {
  EXPECT_THAT(server_metadata_urls("https://a.example"),
              ElementsAre("https://a.example/.well-known/oauth-authorization-server",
                          "https://a.example/.well-known/openid-configuration"));
  EXPECT_THAT(server_metadata_urls("https://a.example:8443/t/u"),
              ElementsAre("https://a.example:8443/.well-known/oauth-authorization-server/t/u",
                          "https://a.example:8443/.well-known/openid-configuration/t/u",
                          "https://a.example:8443/t/u/.well-known/openid-configuration"));
  EXPECT_THAT(server_metadata_urls("https://a.example/"),
              ElementsAre("https://a.example/.well-known/oauth-authorization-server",
                          "https://a.example/.well-known/openid-configuration"));
  EXPECT_THAT(server_metadata_urls("a.example"), IsEmpty());
}

TEST(Rfc8414_Metadata, SaysWhereEverythingIs) {
  const auto read = read_server_metadata(
      R"({"issuer":"https://a.example/","authorization_endpoint":"https://a.example/authorize",
          "token_endpoint":"https://a.example/token","registration_endpoint":"https://a.example/r",
          "jwks_uri":"https://a.example/keys","scopes_supported":["a","b",7],
          "grant_types_supported":["client_credentials"],"code_challenge_methods_supported":["S256"],
          "token_endpoint_auth_methods_supported":["none"],
          "client_id_metadata_document_supported":true,
          "authorization_response_iss_parameter_supported":true,"unknown":{}})",
      "https://a.example/");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->authorization_endpoint, "https://a.example/authorize");
  EXPECT_EQ(read->token_endpoint, "https://a.example/token");
  EXPECT_EQ(read->registration_endpoint, "https://a.example/r");
  EXPECT_EQ(read->jwks_uri, "https://a.example/keys");
  EXPECT_THAT(read->scopes, ElementsAre("a", "b"));
  EXPECT_THAT(read->grant_types, ElementsAre("client_credentials"));
  EXPECT_THAT(read->code_challenge_methods, ElementsAre("S256"));
  EXPECT_THAT(read->token_auth_methods, ElementsAre("none"));
  EXPECT_TRUE(read->client_id_metadata_documents);
  EXPECT_TRUE(read->names_issuer_in_responses);
}

TEST(Rfc8414_Metadata, OfAnotherIssuerIsOfNoUse) {
  EXPECT_TRUE(read_server_metadata(R"({"issuer":"https://a.example"})", "https://a.example"));
  for (const std::string_view text :
       {R"({"issuer":"https://a.example/"})", R"({"issuer":7})", "{}", "[]", "", "no JSON"}) {
    EXPECT_FALSE(read_server_metadata(text, "https://a.example")) << text;
  }
}

}  // namespace
}  // namespace interline::protocols::oauth
