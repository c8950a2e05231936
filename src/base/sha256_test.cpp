#include "base/sha256.hpp"

#include <string>
#include <utility>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace interline {
namespace {

TEST(Fips180, Sha256Examples) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameDigestHoweverCut) {
  std::string text;
  for (int i = 0; i < 300; ++i) text.push_back(static_cast<char>(i * 7));
  const Digest whole = sha256(text);
  Sha256 hash;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    hash.update(std::string_view(text).substr(0, cut));
    hash.update(std::string_view(text).substr(cut));
    EXPECT_EQ(hash.finish(), whole) << cut;
  }
}

TEST(Sha256, BeginsAnewAfterFinish) {
  Sha256 hash;
  hash.update("abc");
  EXPECT_EQ(hash.finish(), sha256("abc"));
  EXPECT_EQ(hash.finish(), sha256(""));
}

TEST(Sha256, MovesWithWhatItHasSeen) {
  Sha256 first;
  first.update("ab");
  Sha256 second = std::move(first);
  second.update("c");
  EXPECT_EQ(second.finish(), sha256("abc"));
}

struct HmacVector {
  std::string key;
  std::string data;
  std::string_view digest;
};

TEST(Rfc4231, HmacSha256TestCases) {
  std::string counting;
  for (int i = 1; i <= 25; ++i) counting.push_back(static_cast<char>(i));
  const HmacVector vectors[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {counting, std::string(50, '\xcd'),
       "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {std::string(131, '\xaa'),
       "This is a test using a larger than block-size key and a larger than block-size data. The "
       "key needs to be hashed before being used by the HMAC algorithm.",
       "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
  };
  for (const HmacVector& vector : vectors) {
    EXPECT_EQ(to_hex(hmac_sha256(vector.key, vector.data)), vector.digest);
  }
}

TEST(HmacSha256, AgreesWithOpensslForEveryKeyLengthTo130) {
  for (std::size_t size = 0; size <= 130; ++size) {
    const std::string key(size, 'k');
    Digest expected;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(size), as_bytes("data").data(), 4,
         expected.data(), nullptr);
    EXPECT_EQ(hmac_sha256(key, "data"), expected) << size;
  }
}

TEST(HmacSha256, PartsAreOneText) {
  EXPECT_EQ(hmac_sha256("key", {"12", "", ".body"}), hmac_sha256("key", "12.body"));
  EXPECT_EQ(hmac_sha256("key", {}), hmac_sha256("key", ""));
}

}  // namespace
}  // namespace interline
