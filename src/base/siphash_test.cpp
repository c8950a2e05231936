#include "base/siphash.hpp"

#include <array>
#include <memory>
#include <string>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <gtest/gtest.h>

namespace interline {
namespace {

constexpr SipKey kPaperKey{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};

std::string counting(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text.push_back(static_cast<char>(i));
  return text;
}

/// OpenSSL's own SipHash, with the rounds given.
std::uint64_t openssl_sip_hash(unsigned c, unsigned d, SipKey key, std::string_view data) {
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(
      EVP_MAC_fetch(nullptr, "SIPHASH", nullptr), &EVP_MAC_free);
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(
      EVP_MAC_CTX_new(mac.get()), &EVP_MAC_CTX_free);
  std::size_t size = sizeof(std::uint64_t);
  const std::array<OSSL_PARAM, 4> params = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                            OSSL_PARAM_construct_uint(OSSL_MAC_PARAM_C_ROUNDS, &c),
                                            OSSL_PARAM_construct_uint(OSSL_MAC_PARAM_D_ROUNDS, &d),
                                            OSSL_PARAM_construct_end()};
  std::array<std::uint8_t, 16> key_bytes{};
  std::memcpy(key_bytes.data(), &key.k0, 8);
  std::memcpy(key_bytes.data() + 8, &key.k1, 8);
  std::uint64_t out = 0;
  std::size_t written = 0;
  EXPECT_EQ(EVP_MAC_init(context.get(), key_bytes.data(), key_bytes.size(), params.data()), 1);
  EXPECT_EQ(EVP_MAC_update(context.get(), reinterpret_cast<const std::uint8_t*>(data.data()),
                           data.size()),
            1);
  EXPECT_EQ(EVP_MAC_final(context.get(), reinterpret_cast<std::uint8_t*>(&out), &written, 8), 1);
  return out;
}

TEST(SipHash, PaperAppendixA) {
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, counting(15))), 0xa129ca6149be45e5U);
}

TEST(SipHash, ReferenceVectorsOf24) {
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, "")), 0x726fdb47dd0e0e31U);
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, counting(1))), 0x74f839c593dc67fdU);
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, counting(7))), 0xab0200f58b01d137U);
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, counting(8))), 0x93f5f5799a932462U);
  EXPECT_EQ((sip_hash<2, 4>(kPaperKey, counting(63))), 0x958a324ceb064572U);
}

TEST(SipHash, VectorsOf13) {
  EXPECT_EQ(sip_hash_1_3(kPaperKey, ""), 0xabac0158050fc4dcU);
  EXPECT_EQ(sip_hash_1_3(kPaperKey, counting(8)), 0x369095118d299a8eU);
  EXPECT_EQ(sip_hash_1_3(kPaperKey, counting(15)), 0xd320d86d2a519956U);
}

TEST(SipHash, EqualsOpensslForEveryLengthTo200) {
  for (std::size_t size = 0; size <= 200; ++size) {
    std::string text(size, '\0');
    random_bytes({reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    const SipKey key = SipKey::random();
    EXPECT_EQ(sip_hash_1_3(key, text), openssl_sip_hash(1, 3, key, text)) << size;
    EXPECT_EQ((sip_hash<2, 4>(key, text)), openssl_sip_hash(2, 4, key, text)) << size;
  }
}

TEST(SipHash, AnotherKeyGivesAnotherHash) {
  EXPECT_NE(sip_hash_1_3(SipKey::random(), "name"), sip_hash_1_3(SipKey::random(), "name"));
}

}  // namespace
}  // namespace interline
