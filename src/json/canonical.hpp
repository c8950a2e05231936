// RFC 8785, JSON Canonicalization Scheme: the exact bytes that are hashed and compared.
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace interline::json {

/// The canonical form of a value parsed with Numbers::ieee754. No recursion, linear but for the
/// sorting of names (UTF-16 code units, RFC 8785 section 3.2.3). A number that Numbers::faithful
/// let pass although it overflows has no canonical form: it keeps its text, which is still valid
/// JSON.
[[nodiscard]] std::string canonical(const Value& value);
/// The same, appended: for reuse of one buffer.
void append_canonical(std::string& out, const Value& value);

/// RFC 8785 section 3.2.2.3: a finite double as ECMAScript's Number::toString writes it. (Checked
/// by assert; without assertions, null is written for others, as JSON.stringify does.)
void append_number(std::string& out, double number);
/// RFC 8785 section 3.2.2.2: a string with its quotes. The text must be valid UTF-8.
void append_string(std::string& out, std::string_view text);

/// Order of member names: by UTF-16 code units, of valid UTF-8 texts.
[[nodiscard]] bool utf16_less(std::string_view a, std::string_view b);

}  // namespace interline::json
