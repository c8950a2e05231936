// The names of a schema as a hash table over json::name_hash, placed when compiling so that a
// look-up is one comparison almost always.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "schema/equal_text.hpp"

namespace interline::schema {

/// A name of the schema's with its hash, json::name_hash.
struct Name {
  const char* text = nullptr;
  std::uint32_t size = 0;
  std::uint32_t hash = 0;

  [[nodiscard]] std::string_view view() const { return {text, size}; }
};

[[nodiscard]] Name make_name(std::string_view text);

/// A name and what is asked of the member that has it: a SchemaId, and whether it must be there.
struct NameSlot {
  Name name;
  std::uint32_t schema = 0;
  std::uint32_t required = 0;  ///< 1 or 0
};

/// Slots [first, first + mask] of a common array. An empty slot has a size that no name has.
struct NameTable {
  std::uint32_t first = 0;
  std::uint32_t mask = 0;
  std::uint32_t shift = 0;   ///< which bits of the hash choose the slot
  std::uint32_t probes = 0;  ///< how many slots further a name may stand
};

inline constexpr std::uint32_t kNoSize = std::numeric_limits<std::uint32_t>::max();

/// A name that does not stand in its own slot.
[[nodiscard]] const NameSlot* find_displaced_name(const NameSlot* slots, const NameTable& table,
                                                  std::string_view text, std::uint32_t hash);

[[nodiscard]] inline const NameSlot* find_name(const NameSlot* slots, const NameTable& table,
                                               std::string_view text, std::uint32_t hash) {
  const NameSlot& own = slots[table.first + ((hash >> table.shift) & table.mask)];
  if (own.name.hash == hash && own.name.size == text.size() &&
      equal_bytes(own.name.text, text.data(), text.size())) {
    return &own;
  }
  return table.probes == 0 ? nullptr : find_displaced_name(slots, table, text, hash);
}

/// Appends a table of these names to the slots.
[[nodiscard]] NameTable make_name_table(std::vector<NameSlot>& slots,
                                        std::span<const NameSlot> names);

}  // namespace interline::schema
