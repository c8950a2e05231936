#include "schema/keywords.hpp"

#include <algorithm>
#include <array>

namespace interline::schema {
namespace {

using K = KeywordId;
using V = Vocabulary;
using H = Holds;
using S = Shape;

constexpr bool kYes = true;
constexpr bool kNo = false;

// Sorted by name. The last two columns: 2020-12, draft-07.
constexpr auto kKeywords = std::to_array<KeywordRow>({
    {"$anchor", K::anchor, V::core, H::nothing, S::anchor, kYes, kNo},
    {"$comment", K::comment, V::core, H::nothing, S::string, kYes, kYes},
    {"$defs", K::defs, V::core, H::schema_map, S::subschemas, kYes, kNo},
    {"$dynamicAnchor", K::dynamic_anchor, V::core, H::nothing, S::anchor, kYes, kNo},
    {"$dynamicRef", K::dynamic_ref, V::core, H::nothing, S::string, kYes, kNo},
    {"$id", K::id, V::core, H::nothing, S::identifier, kYes, kYes},
    {"$ref", K::ref, V::core, H::nothing, S::string, kYes, kYes},
    {"$schema", K::schema, V::core, H::nothing, S::string, kYes, kYes},
    {"$vocabulary", K::vocabulary, V::core, H::nothing, S::vocabularies, kYes, kNo},
    {"additionalItems", K::items, V::applicator, H::schema, S::subschemas, kNo, kYes},
    {"additionalProperties", K::additional_properties, V::applicator, H::schema, S::subschemas,
     kYes, kYes},
    {"allOf", K::all_of, V::applicator, H::schema_array, S::subschemas, kYes, kYes},
    {"anyOf", K::any_of, V::applicator, H::schema_array, S::subschemas, kYes, kYes},
    {"const", K::const_value, V::validation, H::nothing, S::anything, kYes, kYes},
    {"contains", K::contains, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"contentEncoding", K::annotation, V::content, H::nothing, S::string, kYes, kYes},
    {"contentMediaType", K::annotation, V::content, H::nothing, S::string, kYes, kYes},
    {"contentSchema", K::content_schema, V::content, H::schema, S::subschemas, kYes, kNo},
    {"default", K::annotation, V::meta_data, H::nothing, S::anything, kYes, kYes},
    {"definitions", K::defs, V::core, H::schema_map, S::subschemas, kYes, kYes},
    {"dependencies", K::dependencies, V::applicator, H::dependencies, S::subschemas, kYes, kYes},
    {"dependentRequired", K::dependent_required, V::validation, H::nothing, S::string_set_map, kYes,
     kNo},
    {"dependentSchemas", K::dependent_schemas, V::applicator, H::schema_map, S::subschemas, kYes,
     kNo},
    {"deprecated", K::annotation, V::meta_data, H::nothing, S::boolean, kYes, kNo},
    {"description", K::annotation, V::meta_data, H::nothing, S::string, kYes, kYes},
    {"else", K::else_schema, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"enum", K::enum_values, V::validation, H::nothing, S::array, kYes, kYes},
    {"examples", K::annotation, V::meta_data, H::nothing, S::array, kYes, kYes},
    {"exclusiveMaximum", K::exclusive_maximum, V::validation, H::nothing, S::number, kYes, kYes},
    {"exclusiveMinimum", K::exclusive_minimum, V::validation, H::nothing, S::number, kYes, kYes},
    {"format", K::format, V::format_annotation, H::nothing, S::string, kYes, kYes},
    {"if", K::if_schema, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"items", K::items, V::applicator, H::items, S::subschemas, kYes, kYes},
    {"maxContains", K::max_contains, V::validation, H::nothing, S::count, kYes, kNo},
    {"maxItems", K::max_items, V::validation, H::nothing, S::count, kYes, kYes},
    {"maxLength", K::max_length, V::validation, H::nothing, S::count, kYes, kYes},
    {"maxProperties", K::max_properties, V::validation, H::nothing, S::count, kYes, kYes},
    {"maximum", K::maximum, V::validation, H::nothing, S::number, kYes, kYes},
    {"minContains", K::min_contains, V::validation, H::nothing, S::count, kYes, kNo},
    {"minItems", K::min_items, V::validation, H::nothing, S::count, kYes, kYes},
    {"minLength", K::min_length, V::validation, H::nothing, S::count, kYes, kYes},
    {"minProperties", K::min_properties, V::validation, H::nothing, S::count, kYes, kYes},
    {"minimum", K::minimum, V::validation, H::nothing, S::number, kYes, kYes},
    {"multipleOf", K::multiple_of, V::validation, H::nothing, S::positive_number, kYes, kYes},
    {"not", K::not_schema, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"oneOf", K::one_of, V::applicator, H::schema_array, S::subschemas, kYes, kYes},
    {"pattern", K::pattern, V::validation, H::nothing, S::string, kYes, kYes},
    {"patternProperties", K::pattern_properties, V::applicator, H::pattern_map, S::subschemas, kYes,
     kYes},
    {"prefixItems", K::prefix_items, V::applicator, H::schema_array, S::subschemas, kYes, kNo},
    {"properties", K::properties, V::applicator, H::schema_map, S::subschemas, kYes, kYes},
    {"propertyNames", K::property_names, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"readOnly", K::annotation, V::meta_data, H::nothing, S::boolean, kYes, kYes},
    {"required", K::required, V::validation, H::nothing, S::string_set, kYes, kYes},
    {"then", K::then_schema, V::applicator, H::schema, S::subschemas, kYes, kYes},
    {"title", K::annotation, V::meta_data, H::nothing, S::string, kYes, kYes},
    {"type", K::type, V::validation, H::nothing, S::types, kYes, kYes},
    {"unevaluatedItems", K::unevaluated_items, V::unevaluated, H::schema, S::subschemas, kYes, kNo},
    {"unevaluatedProperties", K::unevaluated_properties, V::unevaluated, H::schema, S::subschemas,
     kYes, kNo},
    {"uniqueItems", K::unique_items, V::validation, H::nothing, S::boolean, kYes, kYes},
    {"writeOnly", K::annotation, V::meta_data, H::nothing, S::boolean, kYes, kYes},
});

static_assert(std::ranges::is_sorted(kKeywords, {}, &KeywordRow::name));
static_assert(std::ranges::adjacent_find(kKeywords, {}, &KeywordRow::name) == kKeywords.end());

}  // namespace

std::span<const KeywordRow> keyword_table() {
  return kKeywords;
}

const KeywordRow* find_keyword(std::string_view name, Dialect dialect) {
  const auto row = std::ranges::lower_bound(kKeywords, name, {}, &KeywordRow::name);
  if (row == kKeywords.end() || row->name != name) return nullptr;
  const bool known = dialect == Dialect::draft_07 ? row->draft_07 : row->draft_2020_12;
  return known ? &*row : nullptr;
}

}  // namespace interline::schema
