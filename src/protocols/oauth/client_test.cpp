// A client's half of OAuth 2.1: authorization, tokens, registration, what a resource says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocols/oauth/authorization_request.hpp"
#include "protocols/oauth/refusal.hpp"
#include "protocols/oauth/token_request.hpp"

namespace interline::protocols::oauth {
namespace {

using ::testing::HasSubstr;

ServerMetadata server() {
  ServerMetadata metadata;
  metadata.issuer = "https://as.example";
  metadata.authorization_endpoint = "https://as.example/authorize";
  metadata.token_endpoint = "https://as.example/token";
  return metadata;
}

TEST(OAuth_Forms, WhatIsWrittenIsReadAgain) {
  const Parameters parameters = {{"a b", "c&d=\xC3\xA9"}, {"e", ""}, {"e", "2"}};
  EXPECT_EQ(write_form(parameters), "a%20b=c%26d%3D%C3%A9&e=&e=2");
  EXPECT_EQ(read_form(write_form(parameters)), parameters);
  EXPECT_EQ(value_of(*read_form("x=a+b&y"), "x"), "a b");
  EXPECT_EQ(value_of(*read_form("x=a+b&y"), "y"), "");
  for (const char* bad : {"a=%", "a=%4", "a=%zz", "%=1"}) EXPECT_FALSE(read_form(bad)) << bad;
}

TEST(OAuth_Refusal, OnlyDocumentedWordsArePassedOn) {
  EXPECT_EQ(refusal("access_denied"), " (access_denied)");
  EXPECT_EQ(refusal("\x1B[2J you are hacked"), "");
  EXPECT_EQ(refusal_in(R"({"error":"invalid_grant","error_description":"x"})"), " (invalid_grant)");
  for (const char* body : {"", "<html>", "[]", "{}", R"({"error":7})", R"({"error":"other"})"}) {
    EXPECT_EQ(refusal_in(body), "") << body;
  }
}

TEST(OAuth_Pkce, TheChallengeOfRfc7636AppendixB) {
  EXPECT_EQ(code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  const auto one = new_attempt(server());
  const auto other = new_attempt(server());
  EXPECT_GE(one.verifier.size(), 43U);
  EXPECT_NE(one.verifier, other.verifier);
  EXPECT_NE(one.state, other.state);
  EXPECT_NE(one.state, one.verifier);
}

TEST(OAuth_Authorization, TheRequestNamesClientResourceAndChallenge) {
  const auto attempt = new_attempt(server());
  AuthorizationWish wish;
  wish.client_id = "c";
  wish.redirect_uri = "http://localhost/cb";
  wish.resource = "https://mcp.example/mcp";
  const std::string url = authorization_url(server(), attempt, wish);
  EXPECT_THAT(url, ::testing::StartsWith("https://as.example/authorize?response_type=code"));
  EXPECT_THAT(url, HasSubstr("&code_challenge_method=S256&"));
  EXPECT_THAT(url, HasSubstr("resource=https%3A%2F%2Fmcp.example%2Fmcp"));
  EXPECT_THAT(url, ::testing::Not(HasSubstr("scope=")));
  EXPECT_THAT(url, ::testing::Not(HasSubstr(attempt.verifier)));
}

TEST(OAuth_Authorization, TheResponseIsFromWhomItShouldBeAndToWhatWasAsked) {
  AuthorizationAttempt attempt;
  attempt.issuer = "https://as.example";
  attempt.state = "s";
  const auto code = [&attempt](const std::string& query) {
    const auto read = read_authorization_response("http://localhost/cb?" + query, attempt);
    return read ? *read : "refused: " + read.error().message;
  };
  EXPECT_EQ(code("code=x&state=s"), "x");
  EXPECT_EQ(code("code=x&state=s&iss=https%3A%2F%2Fas.example"), "x");
  EXPECT_THAT(code("code=x&state=t"), HasSubstr("refused"));
  EXPECT_THAT(code("code=x"), HasSubstr("refused"));
  EXPECT_THAT(code("state=s"), HasSubstr("no code"));
  EXPECT_THAT(code("error=access_denied&state=s"), HasSubstr("refuses"));
  EXPECT_THAT(code("error=evil&state=s&iss=https%3A%2F%2Fas.example%2F"), HasSubstr("from whom"))
      << "no normalization, and nothing of what the wrong one says";
  attempt.iss_promised = true;
  EXPECT_THAT(code("code=x&state=s"), HasSubstr("from whom"));
}

TEST(OAuth_Tokens, TheClientSaysWhoItIsInTheWayThatIsOffered) {
  ServerMetadata metadata = server();
  ClientIdentity client;
  client.id = "a:b";
  client.secret = "c d";
  const Parameters grant = {{"grant_type", "client_credentials"}};
  EXPECT_EQ(token_request(metadata, client, grant).authorization, "Basic YSUzQWI6YyUyMGQ=");
  metadata.token_auth_methods = {"client_secret_post"};
  EXPECT_EQ(token_request(metadata, client, grant).body,
            "grant_type=client_credentials&client_id=a%3Ab&client_secret=c%20d");
  client.secret = "";
  EXPECT_EQ(token_request(metadata, client, grant).body,
            "grant_type=client_credentials&client_id=a%3Ab");
}

TEST(OAuth_Tokens, AnAnswerHasABearerTokenOrNothing) {
  const auto token = read_token(
      R"({"access_token":"t","token_type":"bEARER","expires_in":60,"refresh_token":"r"})");
  ASSERT_TRUE(token);
  EXPECT_EQ(token->access, "t");
  EXPECT_EQ(token->refresh, "r");
  EXPECT_EQ(token->expires_in, std::chrono::seconds(60));
  for (const char* bad :
       {"", "{}", R"({"access_token":"t"})", R"({"access_token":"t","token_type":"mac"})",
        R"({"access_token":"t\r\nX: y","token_type":"Bearer"})"}) {
    EXPECT_FALSE(read_token(bad)) << bad;
  }
}

TEST(OAuth_Registration, TheClientIsNativeAndWantsCodes) {
  EXPECT_THAT(client_metadata("I", "http://localhost/cb", "none"),
              HasSubstr(R"("application_type":"native")"));
  EXPECT_EQ(read_registration(R"({"client_id":"c","client_secret":"s"})")->secret, "s");
  EXPECT_FALSE(read_registration("{}"));
}

TEST(OAuth_Resources, AServerIsItselfOrBelowItsResource) {
  EXPECT_TRUE(is_resource_of("https://a.example/mcp", "https://a.example/mcp"));
  EXPECT_TRUE(is_resource_of("https://a.example/", "https://a.example/mcp"));
  EXPECT_TRUE(is_resource_of("https://a.example", "https://a.example/mcp?x=1"));
  EXPECT_FALSE(is_resource_of("https://a.example/mc", "https://a.example/mcp"));
  EXPECT_FALSE(is_resource_of("https://a.example", "https://a.example.org/mcp"));
  EXPECT_FALSE(is_resource_of("https://b.example/mcp", "https://a.example/mcp"));
  EXPECT_EQ(read_protected_resource(
                R"({"resource":"r","authorization_servers":["i"],"scopes_supported":["s",7]})")
                ->scopes,
            std::vector<std::string>{"s"});
  EXPECT_FALSE(read_protected_resource(R"({"resource":"r"})"));
  EXPECT_EQ(union_of_scopes("a b", "b  c"), "a b c");
}

}  // namespace
}  // namespace interline::protocols::oauth
