#include "protocols/oauth/access_token.hpp"

#include <array>

#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "protocols/oauth/test_support.hpp"

namespace interline::protocols::oauth {
namespace {

using testing::key_set;
using testing::TestKey;

constexpr std::string_view kHeader = R"({"alg":"ES256","kid":"one","typ":"at+jwt"})";
const SystemTime kNow{std::chrono::seconds(1'800'000'000)};

class AccessTokens : public ::testing::Test {
 protected:
  [[nodiscard]] std::expected<AccessToken, TokenFault> read(std::string_view token) const {
    TokenExpectation expected;
    expected.issuer = "https://id.example";
    expected.audiences = audiences_;
    expected.now = kNow;
    return read_access_token(token, expected, keys_);
  }
  [[nodiscard]] std::expected<AccessToken, TokenFault> claiming(
      std::string_view claims, std::string_view header = kHeader) const {
    return read(key_.sign(header, claims));
  }
  [[nodiscard]] TokenFault fault(std::string_view claims, std::string_view header = kHeader) const {
    const auto read = claiming(claims, header);
    if (read) ADD_FAILURE() << claims;
    return read ? TokenFault::malformed : read.error();
  }

  const TestKey key_ = TestKey::elliptic("one");
  const KeySet keys_ = *KeySet::read(key_set({key_.jwk()}));
  const std::array<std::string, 2> audiences_ = {"https://gateway.example/mcp",
                                                 "https://gateway.example/mcp/weather"};
};

std::string claims(std::string_view changed = {}, std::string_view to = {}) {
  std::string text =
      R"({"iss":"https://id.example","sub":"alice","aud":"https://gateway.example/mcp",)"
      R"("exp":1800000060,"iat":1799999000,"scope":"tools:call  tasks"})";
  if (!changed.empty()) text.replace(text.find(changed), changed.size(), to);
  return text;
}

TEST_F(AccessTokens, SayWhoForWhatAndUntilWhen) {
  const auto read = claiming(claims());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->issuer, "https://id.example");
  EXPECT_EQ(read->subject, "alice");
  EXPECT_EQ(read->scopes, (std::vector<std::string>{"tools:call", "tasks"}));
  EXPECT_EQ(read->expires, kNow + std::chrono::seconds(60));
}

TEST_F(AccessTokens, MayHaveSeveralAudiencesOneOfThemOurs) {
  EXPECT_TRUE(claiming(claims(R"("https://gateway.example/mcp")",
                              R"(["https://x.example","https://gateway.example/mcp/weather"])")));
  for (const std::string_view audience :
       {R"("https://gateway.example")", R"("https://gateway.example/mcp/")", R"([])", R"(7)",
        R"(["https://x.example"])"}) {
    EXPECT_EQ(fault(claims(R"("https://gateway.example/mcp")", audience)),
              TokenFault::wrong_audience);
  }
  EXPECT_EQ(fault(claims(R"("aud":"https://gateway.example/mcp",)")), TokenFault::wrong_audience);
}

TEST_F(AccessTokens, AreOfTheIssuerByteForByte) {
  for (const std::string_view issuer :
       {R"("https://id.example/")", R"("https://ID.example")", R"("https://evil.example")", "7"}) {
    EXPECT_EQ(fault(claims(R"("https://id.example")", issuer)), TokenFault::wrong_issuer);
  }
}

TEST_F(AccessTokens, EndAMinuteAfterTheirTime) {
  const auto at = [](std::string_view seconds) { return claims("1800000060", seconds); };
  EXPECT_TRUE(claiming(at("1799999941")));
  EXPECT_TRUE(claiming(at("1.799999941e9")));
  EXPECT_TRUE(claiming(at("1799999940.001")));
  EXPECT_EQ(fault(at("1799999940")), TokenFault::expired);
  EXPECT_EQ(fault(at("0")), TokenFault::expired);
  for (const std::string_view no_time : {"-1", "1e300", "\"1800000060\"", "null"}) {
    EXPECT_EQ(fault(at(no_time)), TokenFault::malformed) << no_time;
  }
  EXPECT_EQ(fault(claims(R"("exp":1800000060,)")), TokenFault::malformed);
}

TEST_F(AccessTokens, BeginAMinuteBeforeTheirTime) {
  EXPECT_TRUE(claiming(claims(R"("iat":1799999000)", R"("nbf":1800000060)")));
  EXPECT_EQ(fault(claims(R"("iat":1799999000)", R"("nbf":1800000061)")), TokenFault::not_yet_valid);
  EXPECT_EQ(fault(claims("1799999000", "1800000061")), TokenFault::not_yet_valid);
  EXPECT_EQ(fault(claims("1799999000", "true")), TokenFault::malformed);
}

TEST_F(AccessTokens, NeedASubjectThatAPrincipalCanHold) {
  for (const std::string& subject :
       {std::string(R"("")"), std::string("7"), std::string(R"("a\nb")"),
        std::string(R"("\u0000")"), '"' + std::string(kMaxSubjectBytes + 1, 'x') + '"'}) {
    EXPECT_EQ(fault(claims(R"("alice")", subject)), TokenFault::no_subject) << subject;
  }
  EXPECT_TRUE(claiming(claims(R"("alice")", R"("auth0|al ice#1")")));
}

TEST_F(AccessTokens, ReadScopesAsIssuersWriteThem) {
  const auto scopes = [&](std::string_view member) {
    const auto read = claiming(claims(R"("scope":"tools:call  tasks")", member));
    return read ? read->scopes : std::vector<std::string>{"refused"};
  };
  using Scopes = std::vector<std::string>;
  EXPECT_EQ(scopes(R"("scope":["a","b"])"), (Scopes{"a", "b"}));
  EXPECT_EQ(scopes(R"("scp":["a"])"), Scopes{"a"});
  EXPECT_EQ(scopes(R"("scp":"a b")"), (Scopes{"a", "b"}));
  EXPECT_EQ(scopes(R"("x":1)"), Scopes{});
}

TEST_F(AccessTokens, AreNoneWithoutTheIssuersSignature) {
  const TestKey other = TestKey::elliptic("one");
  const auto forged = read(other.sign(kHeader, claims()));
  ASSERT_FALSE(forged);
  EXPECT_EQ(forged.error(), TokenFault::bad_signature);
  const auto unknown = read(key_.sign(R"({"alg":"ES256","kid":"two"})", claims()));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), TokenFault::unknown_key);
}

// RFC 8725 section 2.1: the algorithm is the receiver's choice.
TEST_F(AccessTokens, AreNeverUnsignedOrSignedWithTheVerifyingKeyAsASecret) {
  const std::string none =
      encode_base64url(R"({"alg":"none"})") + "." + encode_base64url(claims()) + ".";
  EXPECT_EQ(read(none).error(), TokenFault::malformed);
  const TestKey secret = TestKey::secret(key_.jwk());
  EXPECT_EQ(read(secret.sign(R"({"alg":"HS256","kid":"one"})", claims())).error(),
            TokenFault::malformed);
}

TEST_F(AccessTokens, OfAnotherUseOrWithUnknownDemandsAreRefused) {
  for (const std::string_view header :
       {R"({"alg":"ES256","typ":"logout+jwt"})", R"({"alg":"ES256","typ":7})",
        R"({"alg":"ES256","crit":["x"],"x":1})", R"({"alg":"ES256","b64":true})"}) {
    // Before its signature is looked at: nobody can sign it so that it is taken.
    const std::string token = encode_base64url(header) + "." + encode_base64url(claims()) + ".AAAA";
    EXPECT_EQ(read(token).error(), TokenFault::malformed) << header;
  }
  EXPECT_EQ(
      read(encode_base64url(R"({"alg":"ES256"})") + "." + encode_base64url(claims()) + ".AAAA")
          .error(),
      TokenFault::bad_signature);
  for (const std::string_view header : {R"({"alg":"ES256"})", R"({"alg":"ES256","typ":"JWT"})",
                                        R"({"alg":"ES256","typ":"application/AT+JWT"})"}) {
    EXPECT_TRUE(claiming(claims(), header)) << header;
  }
}

TEST_F(AccessTokens, AreRefusedInAnyOtherForm) {
  const std::string token = key_.sign(kHeader, claims());
  const std::string twice = R"({"iss":"https://id.example","iss":"https://evil.example"})";
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(".."), std::string("a.b.c"), token + ".x",
        token + "=", token.substr(0, token.rfind('.')), " " + token, key_.sign(kHeader, "[]"),
        key_.sign(kHeader, "no JSON"), key_.sign(kHeader, twice)}) {
    const auto refused = read(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_TRUE(refused.error() == TokenFault::malformed ||
                refused.error() == TokenFault::bad_signature)
        << text << to_string(refused.error());
  }
  EXPECT_EQ(fault(claims(R"("alice")", '"' + std::string(kMaxTokenBytes, 'x') + '"')),
            TokenFault::malformed);
}

TEST_F(AccessTokens, NameTheirIssuerBeforeTheyAreBelieved) {
  EXPECT_EQ(claimed_issuer(key_.sign(kHeader, claims())), "https://id.example");
  EXPECT_EQ(claimed_issuer(key_.sign(kHeader, "{}")), "");
  EXPECT_EQ(claimed_issuer("x"), "");
}

TEST_F(AccessTokens, EveryFaultHasAWordForTheLog) {
  EXPECT_EQ(to_string(TokenFault::malformed), "malformed");
  EXPECT_EQ(to_string(TokenFault::no_subject), "no subject");
}

}  // namespace
}  // namespace interline::protocols::oauth
