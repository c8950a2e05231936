// Reading bytes as integers without reading beyond them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace interline {

static_assert(std::endian::native == std::endian::little, "words are read in native order");

/// 8 bytes as a little-endian integer.
[[nodiscard]] inline std::uint64_t load_64(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// `size` bytes, at most 8, as a little-endian integer. Overlapping loads instead of a loop.
[[nodiscard]] inline std::uint64_t load_up_to_64(const char* at, std::size_t size) {
  if (size >= 4) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    std::memcpy(&low, at, sizeof low);
    std::memcpy(&high, at + size - 4, sizeof high);
    return low | static_cast<std::uint64_t>(high) << (8 * (size - 4));
  }
  if (size == 0) return 0;
  const auto byte = [at](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<std::uint8_t>(at[i]));
  };
  return byte(0) | byte(size / 2) << (8 * (size / 2)) | byte(size - 1) << (8 * (size - 1));
}

}  // namespace interline
