#include "protocols/oauth/key_set.hpp"

#include <gtest/gtest.h>

#include "protocols/oauth/test_support.hpp"

namespace interline::protocols::oauth {
namespace {

using testing::key_set;
using testing::TestKey;

TEST(Rfc7517_KeySet, HasItsPublicKeysForSignatures) {
  const auto read = KeySet::read(key_set({TestKey::rsa("a").jwk(), TestKey::elliptic("b").jwk(),
                                          TestKey::elliptic("c").jwk(R"("use":"sig")")}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 3U);
  EXPECT_TRUE(read->has("a") && read->has("b") && read->has("c"));
  EXPECT_FALSE(read->has("d"));
}

TEST(Rfc7517_KeySet, LeavesOutWhatIsOfNoUseHere) {
  const auto read = KeySet::read(key_set({
      TestKey::secret("a shared secret of some length..").jwk({}, true),
      TestKey::elliptic("encrypts").jwk(R"("use":"enc")"),
      TestKey::elliptic("signs").jwk(R"("key_ops":["sign"])"),
      TestKey::rsa("short", 1'024).jwk(),
      R"({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})",
      R"({"kty":"RSA","kid":"half","e":"AQAB"})",
      R"({"kty":"EC","kid":"off","crv":"P-256","x":"AAAA","y":"AAAA"})",
      R"("no key")",
      TestKey::elliptic("good").jwk(R"("key_ops":["verify"])"),
  }));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 1U);
  EXPECT_TRUE(read->has("good"));
}

TEST(Rfc7517_KeySet, IsRefusedWhereItIsNone) {
  for (const std::string_view text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[)"}) {
    EXPECT_FALSE(KeySet::read(text)) << text;
  }
}

TEST(Rfc7517_KeySet, HasBounds) {
  std::string many = R"({"keys":[0)";
  for (int i = 0; i < 99; ++i) many += ",0";
  EXPECT_TRUE(KeySet::read(many + "]}"));
  EXPECT_FALSE(KeySet::read(many + ",0]}"));
  EXPECT_FALSE(KeySet::read(R"({"keys":[],"x":")" + std::string(KeySet::kMaxBytes, 'x') + "\"}"));
}

TEST(Rfc7518_Signatures, AreOfTheAlgorithmsThatHaveAPublicKey) {
  for (const std::string_view name :
       {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"}) {
    EXPECT_TRUE(SignatureCheck::known(name)) << name;
  }
  for (const std::string_view name : {"none", "None", "HS256", "HS512", "rs256", "", "EdDSA"}) {
    EXPECT_FALSE(SignatureCheck::known(name)) << name;
  }
}

TEST(Rfc7518_Signatures, AreVerifiedWithEachAlgorithm) {
  const TestKey rsa = TestKey::rsa("r");
  const TestKey p256 = TestKey::elliptic("p256", CJOSE_JWK_EC_P_256);
  const TestKey p384 = TestKey::elliptic("p384", CJOSE_JWK_EC_P_384);
  const TestKey p521 = TestKey::elliptic("p521", CJOSE_JWK_EC_P_521);
  const auto keys = KeySet::read(key_set({rsa.jwk(), p256.jwk(), p384.jwk(), p521.jwk()}));
  ASSERT_TRUE(keys);
  const std::pair<const TestKey*, std::string> rows[] = {
      {&rsa, "RS256"}, {&rsa, "RS384"},  {&rsa, "RS512"},  {&rsa, "PS256"},  {&rsa, "PS384"},
      {&rsa, "PS512"}, {&p256, "ES256"}, {&p384, "ES384"}, {&p521, "ES512"},
  };
  for (const auto& [key, algorithm] : rows) {
    const std::string token = key->sign(R"({"alg":")" + algorithm + R"("})", "payload");
    EXPECT_EQ(SignatureCheck::verify(*keys, token, algorithm, ""), Signature::valid) << algorithm;
    std::string other = token;
    other[other.find('.') + 2] = other[other.find('.') + 2] == 'A' ? 'B' : 'A';
    EXPECT_EQ(SignatureCheck::verify(*keys, other, algorithm, ""), Signature::invalid) << algorithm;
  }
}

TEST(Rfc7518_Signatures, AreVerifiedWithTheKeyTheyName) {
  const TestKey ours = TestKey::elliptic("ours");
  const TestKey other = TestKey::elliptic("other");
  const auto keys = KeySet::read(key_set({ours.jwk(), other.jwk()}));
  ASSERT_TRUE(keys);
  const std::string token = ours.sign(R"({"alg":"ES256"})", "payload");
  EXPECT_EQ(SignatureCheck::verify(*keys, token, "ES256", "ours"), Signature::valid);
  EXPECT_EQ(SignatureCheck::verify(*keys, token, "ES256", "other"), Signature::invalid);
  EXPECT_EQ(SignatureCheck::verify(*keys, token, "ES256", "gone"), Signature::unknown_key);
  EXPECT_EQ(SignatureCheck::verify(*keys, token, "ES384", ""), Signature::unknown_key);
  EXPECT_EQ(SignatureCheck::verify(KeySet(), token, "ES256", ""), Signature::unknown_key);
}

TEST(Rfc7518_Signatures, AreOfTheAlgorithmThatTheKeyIsFor) {
  const TestKey key = TestKey::rsa("r");
  const auto keys = KeySet::read(key_set({key.jwk(R"("alg":"PS256")")}));
  ASSERT_TRUE(keys);
  const std::string token = key.sign(R"({"alg":"RS256"})", "payload");
  EXPECT_EQ(SignatureCheck::verify(*keys, token, "RS256", "r"), Signature::unknown_key);
}

}  // namespace
}  // namespace interline::protocols::oauth
