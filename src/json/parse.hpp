// The JSON parser: RFC 8259 with the rules of I-JSON (RFC 7493) that RFC 8785 builds on.
//
// Refuses duplicate names (compared after unescaping), lone surrogates, invalid UTF-8, numbers that
// overflow an IEEE-754 double, anything after the value, and anything beyond the limits. Linear in
// the input; no recursion; no error repeats what it read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::json {

/// What one text may cost. The defaults are those of `[limits]` in the configuration. Whatever is
/// asked for, a text has less than 2^32 bytes, and a string, a number, an array or an object less
/// than 2^28 bytes, elements or members. Each limit is enforced before the memory is taken.
struct Limits {
  std::size_t bytes = 1U << 20U;         ///< of the whole text
  std::size_t depth = 64;                ///< arrays and objects inside each other; [] is 1
  std::size_t string_bytes = 1U << 20U;  ///< of one string or name, unescaped
  std::size_t members = 10'000;          ///< members of one object
  std::size_t elements = 100'000;        ///< elements of one array
  std::size_t nodes = 1'000'000;         ///< values in the whole text
  std::size_t number_bytes = 1'024;      ///< digits of one number
};

/// What is done with a number that no finite double is near to (1e400).
enum class Numbers : std::uint8_t {
  ieee754,   ///< refuse it: I-JSON, canonical JSON
  faithful,  ///< keep its text: JSON that only passes through
};

enum class ParseErrorCode : std::uint8_t {
  syntax,
  unexpected_end,
  trailing_data,
  invalid_utf8,
  lone_surrogate,
  invalid_escape,
  control_character,
  invalid_number,
  number_overflow,
  duplicate_name,
  too_many_bytes,
  too_deep,
  string_too_long,
  too_many_members,
  too_many_elements,
  too_many_nodes,
  number_too_long,
};

/// The first error of the text, in the order of reading. `offset` counts bytes from 0; `line` and
/// `column` count from 1, columns in bytes. It is the place of
/// - the byte that cannot stand there (syntax, trailing_data, control_character, invalid_number),
/// - the end of the text (unexpected_end),
/// - the first byte of the ill-formed sequence (invalid_utf8),
/// - the backslash of the escape (invalid_escape, lone_surrogate),
/// - the opening quote (duplicate_name: of the second; string_too_long, too_many_members),
/// - the number's first byte (number_overflow, number_too_long),
/// - the bracket (too_deep) or the first byte of the value that is one too many (too_many_elements,
///   too_many_nodes), or the first byte too many (too_many_bytes, which comes before all others).
/// What begins at one byte is counted before it is read: elements, nodes, depth, then content.
struct ParseError {
  ParseErrorCode code;
  std::size_t offset;
  std::size_t line;
  std::size_t column;
};

/// A fixed sentence for the code: "duplicate member name".
[[nodiscard]] std::string_view describe(ParseErrorCode code);
/// Whether the code is a limit (resource_constraint) rather than bad JSON (malformed) or JSON that
/// is no I-JSON (not_acceptable: duplicate names, lone surrogates, numbers that overflow).
[[nodiscard]] bool is_limit(ParseErrorCode code);
/// "line 3, column 14: duplicate member name".
[[nodiscard]] std::string to_string(const ParseError& error);
[[nodiscard]] Error to_error(const ParseError& error);

/// Parses a copy of the text, which the Document keeps.
[[nodiscard]] std::expected<Document, ParseError> parse(std::string_view text,
                                                        const Limits& limits = {},
                                                        Numbers numbers = Numbers::ieee754);
/// Parses a text that the Document takes over.
[[nodiscard]] std::expected<Document, ParseError> parse(std::string&& text,
                                                        const Limits& limits = {},
                                                        Numbers numbers = Numbers::ieee754);
/// For literals, which would fit both of the above.
[[nodiscard]] inline std::expected<Document, ParseError> parse(const char* text,
                                                               const Limits& limits = {},
                                                               Numbers numbers = Numbers::ieee754) {
  return parse(std::string_view(text), limits, numbers);
}
/// Parses a text that the caller keeps alive and unchanged as long as the Document lives.
[[nodiscard]] std::expected<Document, ParseError> parse_borrowed(
    std::string_view text, const Limits& limits = {}, Numbers numbers = Numbers::ieee754);

}  // namespace interline::json
