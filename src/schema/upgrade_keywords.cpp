#include "schema/upgrade_keywords.hpp"

#include <algorithm>
#include <array>

namespace interline::schema::upgrading {
namespace {

struct Row {
  std::string_view keyword;
  Treatment treatment;
};

/// Sorted. Keywords that are not here are data in both drafts: assertions whose meaning did not
/// change, annotations, and what neither knows.
constexpr auto kTreatments = std::to_array<Row>({
    {"$anchor", Treatment::removed},
    {"$comment", Treatment::words},
    {"$defs", Treatment::definitions},
    {"$dynamicAnchor", Treatment::removed},
    {"$dynamicRef", Treatment::removed},
    {"$id", Treatment::identifier},
    {"$recursiveAnchor", Treatment::removed},
    {"$recursiveRef", Treatment::removed},
    {"$ref", Treatment::reference},
    {"$schema", Treatment::dialect},
    {"$vocabulary", Treatment::removed},
    {"additionalItems", Treatment::additional_items},
    {"additionalProperties", Treatment::schema},
    {"allOf", Treatment::schema_array},
    {"anyOf", Treatment::schema_array},
    {"contains", Treatment::schema},
    {"contentSchema", Treatment::schema},
    {"definitions", Treatment::definitions},
    {"dependencies", Treatment::dependencies},
    {"dependentRequired", Treatment::removed},
    {"dependentSchemas", Treatment::removed},
    {"deprecated", Treatment::boolean},
    {"description", Treatment::words},
    {"else", Treatment::schema},
    {"if", Treatment::schema},
    {"items", Treatment::items},
    {"maxContains", Treatment::removed},
    {"minContains", Treatment::removed},
    {"not", Treatment::schema},
    {"oneOf", Treatment::schema_array},
    {"patternProperties", Treatment::schema_map},
    {"prefixItems", Treatment::removed},
    {"properties", Treatment::schema_map},
    {"propertyNames", Treatment::schema},
    {"then", Treatment::schema},
    {"title", Treatment::words},
    {"unevaluatedItems", Treatment::removed},
    {"unevaluatedProperties", Treatment::removed},
});
static_assert(std::ranges::is_sorted(kTreatments, {}, &Row::keyword));

bool has_items_array(const json::Value& schema) {
  const json::Value* const items = schema.find("items");
  return items != nullptr && items->is_array();
}

}  // namespace

Treatment treatment_of(std::string_view keyword) {
  const auto* const row = std::ranges::lower_bound(kTreatments, keyword, {}, &Row::keyword);
  return row != kTreatments.end() && row->keyword == keyword ? row->treatment : Treatment::data;
}

bool is_reference(const json::Value& schema) {
  return schema.find("$ref") != nullptr;
}

Place place_of(const json::Value& schema, std::string_view keyword) {
  using Holds = Place::Holds;
  const Treatment treatment = treatment_of(keyword);
  if (treatment == Treatment::definitions) return {Holds::schema_map, "$defs"};
  if (is_reference(schema)) return {};
  switch (treatment) {
    case Treatment::schema:
      return {Holds::schema, keyword};
    case Treatment::schema_array:
      return {Holds::schema_array, keyword};
    case Treatment::schema_map:
      return {Holds::schema_map, keyword};
    case Treatment::items:
      if (has_items_array(schema)) return {Holds::schema_array, "prefixItems"};
      return {Holds::schema, keyword};
    case Treatment::additional_items:
      if (has_items_array(schema)) return {Holds::schema, "items"};
      return {};
    case Treatment::dependencies:
      return {Holds::dependencies, "dependentSchemas"};
    default:
      return {};
  }
}

}  // namespace interline::schema::upgrading
