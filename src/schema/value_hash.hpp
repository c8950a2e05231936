// A hash that agrees with json::equal: numbers by value, members in any order. Keyed for this
// process, so that nobody outside can choose values that collide.
#pragma once

#include <cstdint>

#include "json/value.hpp"

namespace interline::schema {

/// Recursion is bounded by the depth limit the value was parsed with.
[[nodiscard]] std::uint64_t value_hash(const json::Value& value);

/// Steps that hashing or comparing a value costs: a few bytes each.
[[nodiscard]] inline std::size_t value_cost(const json::Value& value) {
  return 1 + value.source().size() / 16;
}

}  // namespace interline::schema
