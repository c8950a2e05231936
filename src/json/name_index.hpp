// Finding a member by name, and the first name that occurs twice. Internal to json/.
//
// Up to kScannedMembers members are compared pairwise by hash; more get an open-addressing table of
// slots (member number + 1, 0 is empty) at most half full, which stands in the arena right before
// the members. Its size follows from the number of members, so nothing points to it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "json/value.hpp"

namespace interline::json::detail {

inline constexpr std::size_t kScannedMembers = 16;

/// Slots of the table of that many members: a power of two, at least twice as many.
[[nodiscard]] inline std::size_t slot_count(std::size_t members) {
  return members <= kScannedMembers ? 0 : std::bit_ceil(2 * members);
}

[[nodiscard]] inline bool same_name(const Member& member, std::string_view name,
                                    std::uint32_t hash) {
  return member.name_hash == hash && member.name() == name;
}

/// Number of the first member whose name an earlier one has; members.size() if all are distinct.
[[nodiscard]] inline std::size_t first_duplicate_scanned(std::span<const Member> members) {
  std::uint64_t seen = 0;  // one bit for six bits of the hash: mostly, no pair need be looked at
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (members[i].name_hash >> 26U);
    if ((seen & bit) != 0) {
      for (std::size_t j = 0; j < i; ++j) {
        if (same_name(members[j], members[i].name(), members[i].name_hash)) return i;
      }
    }
    seen |= bit;
  }
  return members.size();
}

/// The same for more members; fills `slots`, which are slot_count(members.size()) zeros.
[[nodiscard]] inline std::size_t first_duplicate_indexed(std::span<const Member> members,
                                                         std::span<std::uint32_t> slots) {
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::size_t at = members[i].name_hash & mask;
    for (; slots[at] != 0; at = (at + 1) & mask) {
      if (same_name(members[slots[at] - 1], members[i].name(), members[i].name_hash)) return i;
    }
    slots[at] = static_cast<std::uint32_t>(i + 1);
  }
  return members.size();
}

/// The member of that name, of an object whose table (if it has one) stands before its members.
[[nodiscard]] inline const Member* find_member(std::span<const Member> members,
                                               std::string_view name, std::uint32_t hash) {
  if (members.size() <= kScannedMembers) {
    for (const Member& member : members) {
      if (same_name(member, name, hash)) return &member;
    }
    return nullptr;
  }
  const std::size_t count = slot_count(members.size());
  const auto* slots = reinterpret_cast<const std::uint32_t*>(members.data()) - count;
  for (std::size_t at = hash & (count - 1); slots[at] != 0; at = (at + 1) & (count - 1)) {
    if (same_name(members[slots[at] - 1], name, hash)) return &members[slots[at] - 1];
  }
  return nullptr;
}

}  // namespace interline::json::detail
