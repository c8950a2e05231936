// Machine: the keywords of arrays.
#include <algorithm>
#include <bit>
#include <cmath>

#include "schema/machine.hpp"
#include "schema/value_hash.hpp"

namespace interline::schema {
namespace {

// Up to so many items, comparing each pair costs less than hashing all.
constexpr std::size_t kPairwiseItems = 8;
// A table of this size fits the stack; more items than half of it are hashed on the heap.
constexpr std::size_t kStackTable = 256;

/// json::equal for two of a kind, without the call where they are short scalars.
bool equal_items(const json::Value& a, const json::Value& b) {
  constexpr double kExactIntegers = 9007199254740992.0;
  if (a.is_string()) return equal_text(a.as_string(), b.as_string());
  if (a.is_number()) {
    if (a.as_double() != b.as_double()) return false;
    if (std::abs(a.as_double()) < kExactIntegers) return true;
  }
  return json::equal(a, b);
}

}  // namespace

bool Machine::prefix(const Instruction& in, std::span<const json::Value> items) {
  const std::size_t count = std::min<std::size_t>(in.b, items.size());
  if (!spend(count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!apply(program_.lists[in.a + i], items[i])) return false;
  }
  return true;
}

bool Machine::items(const Instruction& in, std::span<const json::Value> items) {
  if (items.size() <= in.b) return true;
  if (!spend(items.size() - in.b)) return false;
  for (const json::Value& item : items.subspan(in.b)) {
    if (!apply(in.a, item)) return false;
  }
  return true;
}

bool Machine::contains(const Instruction& in, std::span<const json::Value> items) {
  if (items.size() < in.b || !spend(items.size())) return false;
  std::size_t found = 0;
  for (const json::Value& item : items) {
    if (apply(in.a, item)) {
      ++found;
      if (found > in.c) return false;
      if (found >= in.b && in.c == kNone) return true;
    } else if (exceeded_) {
      return false;
    }
  }
  return found >= in.b;
}

bool Machine::unique_items(std::span<const json::Value> items) {
  if (items.size() < 2) return true;
  if (items.size() <= kPairwiseItems) return unique_pairwise(items);
  const std::size_t capacity = std::bit_ceil(items.size() * 2);
  if (!spend(items.size())) return false;
  if (capacity <= kStackTable) {
    std::array<std::uint64_t, kStackTable> table;
    return unique_hashed(items, std::span(table).first(capacity));
  }
  std::vector<std::uint64_t> table(capacity);
  return unique_hashed(items, table);
}

bool Machine::unique_pairwise(std::span<const json::Value> items) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const json::Value& a = items[i];
      const json::Value& b = items[j];
      if (a.kind() != b.kind()) continue;
      if (!spend(std::min(value_cost(a), value_cost(b)))) return false;
      if (equal_items(a, b)) return false;
    }
  }
  return true;
}

/// A slot holds the upper half of an item's hash and its index + 1. Equal hashes are compared, at
/// the price of the comparison, so that collisions cost budget and never an answer.
bool Machine::unique_hashed(std::span<const json::Value> items, std::span<std::uint64_t> table) {
  std::ranges::fill(table, 0);
  const std::uint64_t mask = table.size() - 1;
  constexpr std::uint64_t kIndexBits = 0xFFFFFFFFU;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!spend(value_cost(items[i]))) return false;
    const std::uint64_t hash = value_hash(items[i]);
    std::uint64_t at = hash & mask;
    for (; table[at] != 0; at = (at + 1) & mask) {
      if (!spend(1)) return false;
      if ((table[at] & ~kIndexBits) != (hash & ~kIndexBits)) continue;
      const json::Value& other = items[(table[at] & kIndexBits) - 1];
      if (!spend(value_cost(other))) return false;
      if (json::equal(items[i], other)) return false;
    }
    table[at] = (hash & ~kIndexBits) | (i + 1);
  }
  return true;
}

}  // namespace interline::schema
