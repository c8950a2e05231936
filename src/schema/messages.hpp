// What a failed keyword says: a fixed sentence with what the schema asks for, at most 256 bytes.
// Nothing of the instance is in it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "schema/model.hpp"

namespace interline::schema {

/// For keywords that test the value itself: type, const, enum and those with a limit.
[[nodiscard]] std::string expectation(const Keyword& keyword);

/// `required` and the like: the names that are missing.
[[nodiscard]] std::string missing_names(std::span<const std::string_view> names,
                                        std::string_view because_of = {});

/// minContains and maxContains.
[[nodiscard]] std::string too_few_matching(const json::Value* minimum);
[[nodiscard]] std::string too_many_matching(const json::Value& maximum);

inline constexpr std::string_view kNothingAllowed = "is not allowed here";
inline constexpr std::string_view kNoBranch = "must match at least one of the schemas";
inline constexpr std::string_view kNotOneBranch = "must match exactly one of the schemas";
inline constexpr std::string_view kTwoBranches =
    "must match exactly one of the schemas, and matches more";
inline constexpr std::string_view kNegated = "must not match the schema";
inline constexpr std::string_view kSubschema = "does not match a subschema";

}  // namespace interline::schema
