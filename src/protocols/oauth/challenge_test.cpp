#include "protocols/oauth/challenge.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::oauth {
namespace {

BearerChallenge challenge(std::string metadata, std::string scope, std::string error,
                          std::string description) {
  return {"", std::move(metadata), std::move(scope), std::move(error), std::move(description)};
}

TEST(Rfc6750_Challenge, OfARequestWithoutATokenHasNoError) {
  EXPECT_EQ(write_challenge(challenge("https://a.example/.well-known/x", "", "", "")),
            R"(Bearer resource_metadata="https://a.example/.well-known/x")");
  BearerChallenge nothing;
  nothing.realm = "interline";
  EXPECT_EQ(write_challenge(nothing), R"(Bearer realm="interline")");
}

TEST(Rfc6750_Challenge, NamesEveryScopeOfTheRequest) {
  EXPECT_EQ(
      write_challenge(challenge("https://a.example/m", "read write", "insufficient_scope", "")),
      R"(Bearer error="insufficient_scope", scope="read write", )"
      R"(resource_metadata="https://a.example/m")");
}

TEST(Rfc6750_Challenge, CannotBeLeftByWhatStandsInIt) {
  EXPECT_EQ(write_challenge(challenge("", "a\"b\\c", "", "line\r\nX-Injected: 1")),
            R"(Bearer error_description="lineX-Injected: 1", scope="a\"b\\c")");
  EXPECT_EQ(write_challenge(challenge("", "\x80\n", "", "")), "Bearer");
}

TEST(Rfc6750_Challenge, ComesBackAsItWasWritten) {
  const BearerChallenge written =
      challenge("https://a.example/m?x=1,2", "read \"quoted\"", "invalid_token", "no \\ more");
  EXPECT_EQ(read_challenge(write_challenge(written)), written);
}

TEST(Rfc9110_Challenges, AreFoundAmongOtherSchemes) {
  const auto is_found = [](std::string_view field) {
    const auto read = read_challenge(field);
    return read && read->scope == "s";
  };
  EXPECT_TRUE(is_found("bearer scope=s"));
  EXPECT_TRUE(is_found(R"(Basic realm="a, Bearer b", charset="UTF-8", Bearer scope="s")"));
  EXPECT_TRUE(is_found("Negotiate, Bearer scope=s"));
  EXPECT_TRUE(is_found("Negotiate dG9rZW4/+Q==, Bearer scope=s"));
  EXPECT_TRUE(is_found("Negotiate abc , Digest qop=auth, x=y, Bearer realm=r , ,scope = s"));
  EXPECT_TRUE(is_found("Bearer scope=s, Basic realm=x"));
  EXPECT_TRUE(is_found("Bearer scope=s, scope=t"));
}

TEST(Rfc9110_Challenges, WithoutOneForBearerAreNone) {
  for (const std::string_view field :
       {"", ",", "Basic realm=x", "Negotiate dG9rZW4=", "Bearerish scope=s", "=", "\"Bearer\"",
        "Bearer scope=\"s", "Bearer scope=\"s\\"}) {
    EXPECT_FALSE(read_challenge(field)) << field;
  }
}

TEST(Rfc9110_Challenges, BeyondTheLimitAreNotRead) {
  EXPECT_TRUE(read_challenge("Bearer realm=" + std::string(8'000, 'x')));
  EXPECT_FALSE(read_challenge("Bearer realm=" + std::string(kMaxChallengeBytes, 'x')));
}

}  // namespace
}  // namespace interline::protocols::oauth
