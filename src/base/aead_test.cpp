#include "base/aead.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace interline {
namespace {

TEST(NistSp800_38d, ZeroKeyZeroNonce) {
  // Test cases 13 and 14 of McGrew and Viega, "The Galois/Counter Mode of Operation".
  const OneTimeKey key{};
  EXPECT_EQ(to_hex(as_bytes(aead_seal(key, "", ""))), "530f8afbc74536b9a963b4f1c4cb738b");
  EXPECT_EQ(to_hex(as_bytes(aead_seal(key, "", std::string(16, '\0')))),
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
}

TEST(Aead, OpensWhatWasSealed) {
  OneTimeKey key{};
  key[5] = 7;
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 100'000U}) {
    const std::string text(size, 'x');
    const std::string sealed = aead_seal(key, "bound", text);
    EXPECT_EQ(sealed.size(), size + kAeadTagSize);
    EXPECT_EQ(aead_open(key, "bound", sealed), text);
  }
}

TEST(Aead, AnyChangedBitIsRefused) {
  OneTimeKey key{};
  const std::string sealed = aead_seal(key, "bound", "text");
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string changed = sealed;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(aead_open(key, "bound", changed)) << at;
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_FALSE(aead_open(key, "bound", std::string_view(sealed).substr(0, size))) << size;
  }
  EXPECT_FALSE(aead_open(key, "bounD", sealed));
  EXPECT_FALSE(aead_open(key, "", sealed));
  key[0] = 1;
  EXPECT_FALSE(aead_open(key, "bound", sealed));
}

}  // namespace
}  // namespace interline
