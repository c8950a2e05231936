// What the meta-schemas ask of each keyword's value, checked while compiling.
#pragma once

#include <optional>
#include <string>

#include "json/value.hpp"
#include "schema/keywords.hpp"

namespace interline::schema {

/// Nothing if the value has the keyword's shape; else what was expected: "must be a non-negative
/// integer". Subschemas inside are not looked at.
[[nodiscard]] std::optional<std::string_view> shape_mismatch(const KeywordRow& row, Dialect dialect,
                                                             const json::Value& value);

/// The number of a `count` keyword, beyond 2^63 the largest there is.
[[nodiscard]] std::uint64_t count_of(const json::Value& value);

/// Core 8.2.2: `^[A-Za-z_][-A-Za-z0-9._]*$`.
[[nodiscard]] bool is_anchor_name(std::string_view text);

}  // namespace interline::schema
