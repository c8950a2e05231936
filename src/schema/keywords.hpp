// The keywords of JSON Schema 2020-12 and draft-07 as one table: which vocabulary each belongs to,
// which subschemas it holds, what its value must look like.
//
// A keyword that draft-07 spells or shapes differently is mapped to the 2020-12 keyword of the same
// meaning (`definitions` to `$defs`, an `items` array to `prefixItems`), so that only one set of
// meanings is implemented; the spelling stays with the keyword for locations and messages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/schema.hpp"

namespace interline::schema {

/// In the order in which the keywords of one schema object are evaluated.
enum class KeywordId : std::uint8_t {
  type,
  const_value,
  enum_values,
  multiple_of,
  maximum,
  exclusive_maximum,
  minimum,
  exclusive_minimum,
  max_length,
  min_length,
  pattern,
  format,
  max_items,
  min_items,
  unique_items,
  max_properties,
  min_properties,
  required,
  dependent_required,
  ref,
  dynamic_ref,
  all_of,
  any_of,
  one_of,
  not_schema,
  if_schema,
  then_schema,
  else_schema,
  dependent_schemas,
  dependencies,
  prefix_items,
  items,
  contains,
  max_contains,
  min_contains,
  properties,
  pattern_properties,
  additional_properties,
  property_names,
  unevaluated_items,       // after all that evaluates items
  unevaluated_properties,  // after all that evaluates properties
  annotation,              // kept for output, decides nothing
  content_schema,
  id,
  schema,
  vocabulary,
  anchor,
  dynamic_anchor,
  defs,
  comment,
};

/// 2020-12's vocabularies (Core 8.1.2); draft-07 is treated as having all of its keywords in them.
enum class Vocabulary : std::uint8_t {
  core,
  applicator,
  unevaluated,
  validation,
  meta_data,
  format_annotation,
  format_assertion,
  content,
};

/// Which subschemas a keyword's value holds.
enum class Holds : std::uint8_t {
  nothing,
  schema,
  schema_array,
  schema_map,
  pattern_map,   ///< the names are regular expressions
  items,         ///< draft-07: one schema or an array of them
  dependencies,  ///< a map of schemas and string arrays
};

/// What a keyword's value must look like, beyond what Holds says.
enum class Shape : std::uint8_t {
  anything,
  string,
  anchor,
  identifier,  ///< $id of 2020-12: no fragment
  boolean,
  number,
  positive_number,
  count,  ///< a non-negative integer
  types,
  array,
  string_set,
  string_set_map,
  vocabularies,
  subschemas,  ///< as Holds says
};

struct KeywordRow {
  std::string_view name{};
  KeywordId id = KeywordId::annotation;
  Vocabulary vocabulary = Vocabulary::core;
  Holds holds = Holds::nothing;
  Shape shape = Shape::anything;
  bool draft_2020_12 = false;
  bool draft_07 = false;
};

/// The row of that name in a dialect; nullptr for unknown keywords.
[[nodiscard]] const KeywordRow* find_keyword(std::string_view name, Dialect dialect);

[[nodiscard]] std::span<const KeywordRow> keyword_table();

}  // namespace interline::schema
