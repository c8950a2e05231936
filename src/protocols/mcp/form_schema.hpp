// Forms of elicitation: flat objects of texts, numbers, truth values and choices (2026-07-28,
// client/elicitation, "Requested Schema"). Our questions have any JSON Schema, so one that is not
// such a form is asked as one field, and its answer put back into the value that was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {

/// How a question's schema is asked. Follows from schema and revision alone, so that whoever reads
/// the answer knows it without being told.
enum class FormShape : std::uint8_t {
  flat,       ///< as it is
  wrapped,    ///< the schema is that of one field, `value`
  free_text,  ///< anything is taken: a text in `value`
  json_text,  ///< `value` is a text that is JSON
};

struct Form {
  FormShape shape = FormShape::flat;
  std::string schema;  ///< `requestedSchema`
};

/// `schema`: JSON text; "" stands for {}.
[[nodiscard]] Form form_for(std::string_view schema, Revision revision);

/// Why an object schema is no form of the revision: a place and a fixed sentence; nothing if it is.
[[nodiscard]] std::optional<std::string> form_fault(const json::Value& schema, Revision revision);

/// The value that was asked for, JSON text, out of an accepted answer's `content` (nullptr: it has
/// none). malformed: not an object of strings, numbers, truth values and arrays of strings, or not
/// the field that was asked for. Whether it fits the question's schema is another matter.
[[nodiscard]] Result<std::string> form_value(FormShape shape, const json::Value* content);

}  // namespace interline::protocols::mcp
