// Unicode properties by name, for \p{...} (ECMA-262 22.2.2.9, tables "Non-binary Unicode property
// aliases" and "Binary Unicode property aliases"): the names listed there, spelled exactly.
// The data is ICU's.
#pragma once

#include <optional>
#include <string_view>

#include "schema/pattern_class.hpp"

namespace interline::schema::pattern {

/// \p{name}: a General_Category value or a binary property. Nothing if ECMA-262 lists neither.
[[nodiscard]] std::optional<CodePointSet> property_set(std::string_view name);

/// \p{name=value}: General_Category, Script or Script_Extensions.
[[nodiscard]] std::optional<CodePointSet> property_set(std::string_view name,
                                                       std::string_view value);

/// IdentifierStartChar and IdentifierPartChar of ECMA-262 12.7, for the names of groups.
[[nodiscard]] bool is_identifier_start(char32_t code_point);
[[nodiscard]] bool is_identifier_part(char32_t code_point);

}  // namespace interline::schema::pattern
