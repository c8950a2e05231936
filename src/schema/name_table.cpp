#include "schema/name_table.hpp"

#include <algorithm>
#include <bit>

#include "json/hash.hpp"

namespace interline::schema {
namespace {

constexpr std::uint32_t kHashBits = 32;

/// The longest run of occupied slots from a name's own to where it lands.
std::uint32_t probes_with(std::span<const NameSlot> names, std::uint32_t mask, std::uint32_t shift,
                          std::vector<bool>& taken) {
  taken.assign(mask + std::size_t{1}, false);
  std::uint32_t worst = 0;
  for (const NameSlot& slot : names) {
    std::uint32_t at = slot.name.hash >> shift;
    std::uint32_t probes = 0;
    for (; taken[at & mask]; ++at) ++probes;
    taken[at & mask] = true;
    worst = std::max(worst, probes);
  }
  return worst;
}

}  // namespace

Name make_name(std::string_view text) {
  return {text.empty() ? "" : text.data(), static_cast<std::uint32_t>(text.size()),
          json::name_hash(text)};
}

const NameSlot* find_displaced_name(const NameSlot* slots, const NameTable& table,
                                    std::string_view text, std::uint32_t hash) {
  std::uint32_t at = hash >> table.shift;
  for (std::uint32_t probe = 0; probe < table.probes; ++probe) {
    const NameSlot& slot = slots[table.first + (++at & table.mask)];
    if (slot.name.hash == hash && equal_text(slot.name.view(), text)) return &slot;
  }
  return nullptr;
}

NameTable make_name_table(std::vector<NameSlot>& slots, std::span<const NameSlot> names) {
  NameTable best;
  best.first = static_cast<std::uint32_t>(slots.size());
  best.mask =
      static_cast<std::uint32_t>(std::bit_ceil(std::max<std::size_t>(names.size() * 2, 2)) - 1);
  const auto bits = static_cast<std::uint32_t>(std::popcount(best.mask));
  std::vector<bool> taken;
  best.probes = kNoSize;
  for (std::uint32_t shift = 0; shift + bits <= kHashBits && best.probes > 0; ++shift) {
    const std::uint32_t probes = probes_with(names, best.mask, shift, taken);
    if (probes >= best.probes) continue;
    best.probes = probes;
    best.shift = shift;
    if (names.size() > 256)
      break;  // placing is for small tables; large ones have short runs anyway
  }
  NameSlot empty;
  empty.name.size = kNoSize;
  slots.resize(slots.size() + best.mask + 1, empty);
  for (const NameSlot& slot : names) {
    std::uint32_t at = slot.name.hash >> best.shift;
    while (slots[best.first + (at & best.mask)].name.size != kNoSize) ++at;
    slots[best.first + (at & best.mask)] = slot;
  }
  return best;
}

}  // namespace interline::schema
