// A hash that agrees with json::equal: numbers by value, members in any order. Keyed for this
// process, so that nobody outside can choose values that collide.
#pragma once

#include <cstdint>

#include "json/value.hpp"

namespace interline::schema {

/// Linear in the value; what is deeper than 128 levels does not count.
[[nodiscard]] std::uint64_t value_hash(const json::Value& value);

/// Steps that hashing or comparing a value costs: a few bytes each.
[[nodiscard]] inline std::size_t value_cost(const json::Value& value) {
  return 1 + value.source().size() / 16;
}

}  // namespace interline::schema
