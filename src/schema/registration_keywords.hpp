// Keywords that assert in another dialect, and what 2020-12 has instead.
#pragma once

#include <optional>

#include "json/value.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

/// Why a tool's schema may not have this keyword, or not with this value; nothing where it may.
[[nodiscard]] std::optional<KeywordRefusal> refuse_for_registration(const json::Member& keyword);

}  // namespace interline::schema
