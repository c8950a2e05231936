// SipHash-c-d (Aumasson, Bernstein 2012): a keyed 64-bit hash for tables whose keys an attacker may
// choose. SipHash-1-3 is the variant for hash tables; no security beyond that is claimed for it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/load.hpp"
#include "base/random.hpp"

namespace interline {

/// The 128-bit key, as two little-endian words.
struct SipKey {
  std::uint64_t k0 = 0;
  std::uint64_t k1 = 0;

  /// A fresh key from the system's CSPRNG.
  [[nodiscard]] static SipKey random() { return {random_uint64(), random_uint64()}; }
};

namespace detail {

class SipState {
 public:
  explicit SipState(SipKey key)
      : v0_(key.k0 ^ 0x736f6d6570736575U),
        v1_(key.k1 ^ 0x646f72616e646f6dU),
        v2_(key.k0 ^ 0x6c7967656e657261U),
        v3_(key.k1 ^ 0x7465646279746573U) {}

  template <int rounds>
  void absorb(std::uint64_t word) {
    v3_ ^= word;
    for (int i = 0; i < rounds; ++i) round();
    v0_ ^= word;
  }

  template <int rounds>
  [[nodiscard]] std::uint64_t finish() {
    v2_ ^= 0xFFU;
    for (int i = 0; i < rounds; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void round() {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace detail

template <int compression_rounds, int finalization_rounds>
[[nodiscard]] std::uint64_t sip_hash(SipKey key, std::string_view data) {
  detail::SipState state(key);
  const char* at = data.data();
  std::size_t left = data.size();
  for (; left >= 8; at += 8, left -= 8) {
    state.absorb<compression_rounds>(load_64(at));
  }
  const std::uint64_t size = static_cast<std::uint64_t>(data.size()) << 56U;
  state.absorb<compression_rounds>(size | load_up_to_64(at, left));
  return state.finish<finalization_rounds>();
}

/// For hash tables over outside names. Keep the key as long as the table, and secret.
[[nodiscard]] inline std::uint64_t sip_hash_1_3(SipKey key, std::string_view data) {
  return sip_hash<1, 3>(key, data);
}

}  // namespace interline
