// What a ParseError says, and to whom it is which kind of Error.
#include <algorithm>
#include <iterator>
#include <string>

#include "json/parse.hpp"
#include "json/parser.hpp"

namespace interline::json {
namespace {

// RFC 7493's rules are apart from the grammar: such a text is JSON, but not acceptable as I-JSON.
enum class Class : std::uint8_t { bad, not_i_json, too_large, too_many };

struct Row {
  ParseErrorCode code;
  std::string_view sentence;
  Class error_class;
};

constexpr Row kRows[] = {
    {ParseErrorCode::syntax, "unexpected character", Class::bad},
    {ParseErrorCode::unexpected_end, "the text ends too early", Class::bad},
    {ParseErrorCode::trailing_data, "something follows the value", Class::bad},
    {ParseErrorCode::invalid_utf8, "invalid UTF-8", Class::bad},
    {ParseErrorCode::lone_surrogate, "a surrogate without its other half", Class::not_i_json},
    {ParseErrorCode::invalid_escape, "invalid escape sequence", Class::bad},
    {ParseErrorCode::control_character, "unescaped control character", Class::bad},
    {ParseErrorCode::invalid_number, "invalid number", Class::bad},
    {ParseErrorCode::number_overflow, "number beyond the range of a double", Class::not_i_json},
    {ParseErrorCode::duplicate_name, "duplicate member name", Class::not_i_json},
    {ParseErrorCode::too_many_bytes, "text too large", Class::too_large},
    {ParseErrorCode::too_deep, "nested too deeply", Class::too_large},
    {ParseErrorCode::string_too_long, "string too long", Class::too_large},
    {ParseErrorCode::too_many_members, "too many members in one object", Class::too_many},
    {ParseErrorCode::too_many_elements, "too many elements in one array", Class::too_many},
    {ParseErrorCode::too_many_nodes, "too many values", Class::too_many},
    {ParseErrorCode::number_too_long, "number too long", Class::too_large},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].code != static_cast<ParseErrorCode>(i)) return false;
  }
  return std::size(kRows) == static_cast<std::size_t>(ParseErrorCode::number_too_long) + 1;
}
static_assert(in_order(), "one row a code, in the order of the enumeration");

const Row& row(ParseErrorCode code) {
  return kRows[static_cast<std::size_t>(code)];
}

}  // namespace

std::string_view describe(ParseErrorCode code) {
  return row(code).sentence;
}

bool is_limit(ParseErrorCode code) {
  const Class error_class = row(code).error_class;
  return error_class == Class::too_large || error_class == Class::too_many;
}

std::string to_string(const ParseError& error) {
  std::string text = "line ";
  text += std::to_string(error.line);
  text += ", column ";
  text += std::to_string(error.column);
  text += ": ";
  text += describe(error.code);
  return text;
}

Error to_error(const ParseError& error) {
  switch (row(error.code).error_class) {
    case Class::too_large:
      return {ErrorKind::resource_constraint, ErrorReason::too_large, to_string(error)};
    case Class::too_many:
      return {ErrorKind::resource_constraint, ErrorReason::too_many, to_string(error)};
    case Class::not_i_json:
      return {ErrorKind::not_acceptable, to_string(error)};
    case Class::bad:
      break;
  }
  return {ErrorKind::malformed, to_string(error)};
}

ParseError locate(std::string_view text, std::size_t offset, ParseErrorCode code) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  return {code, offset, lines + 1, offset - line_begin + 1};
}

}  // namespace interline::json
