// Sorting member names as RFC 8785 section 3.2.3 asks. Internal to json/.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/load.hpp"
#include "json/canonical.hpp"
#include "json/value.hpp"

namespace interline::json::detail {

/// A byte of UTF-8 such that comparing bytes compares UTF-16 code units. UTF-8 orders like code
/// points, and so do code units, but for one case: what is beyond U+FFFF (lead bytes F0 to F4)
/// begins with a surrogate, which is below U+E000..U+FFFF (lead bytes EE and EF).
[[nodiscard]] constexpr std::uint8_t utf16_rank(std::uint8_t byte) {
  if (byte < 0xEE) return byte;
  return static_cast<std::uint8_t>(byte >= 0xF0 ? byte - 2 : byte + 5);
}

/// The ranks of the first 8 bytes as one integer: where two differ, they order the names.
[[nodiscard]] inline std::uint64_t order_key(std::string_view name) {
  const std::uint64_t bytes = load_up_to_64(name.data(), std::min<std::size_t>(name.size(), 8));
  const std::uint64_t key = __builtin_bswap64(bytes);
  if ((bytes & 0x8080808080808080U) == 0) return key;
  std::uint64_t ranks = 0;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    ranks |= std::uint64_t{utf16_rank(static_cast<std::uint8_t>(key >> shift))} << shift;
  }
  return ranks;
}

struct OrderedMember {
  std::uint64_t key;
  const Member* member;

  friend bool operator<(const OrderedMember& a, const OrderedMember& b) {
    return a.key != b.key ? a.key < b.key : utf16_less(a.member->name(), b.member->name());
  }
};

inline void sort_members(std::span<OrderedMember> members) {
  constexpr std::size_t kInsertionSort = 16;
  if (members.size() > kInsertionSort) {
    std::sort(members.begin(), members.end());
    return;
  }
  for (std::size_t i = 1; i < members.size(); ++i) {
    const OrderedMember member = members[i];
    std::size_t at = i;
    for (; at > 0 && member < members[at - 1]; --at) members[at] = members[at - 1];
    members[at] = member;
  }
}

}  // namespace interline::json::detail
