// JSON Pointer, RFC 6901: resolving one, and building one step by step.
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace interline::json {

/// The value at `pointer` ("" is the root, "/a/0/b~1c"); nullptr where there is none or the pointer
/// is malformed. Array indices have no leading zeros and no sign (RFC 6901 section 4).
[[nodiscard]] const Value* resolve(const Value& root, std::string_view pointer);

/// Appends "/" and the token with ~ and / escaped.
void append_token(std::string& pointer, std::string_view token);
void append_index(std::string& pointer, std::size_t index);

}  // namespace interline::json
