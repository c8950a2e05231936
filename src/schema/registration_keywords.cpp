#include "schema/registration_keywords.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "schema/dialect.hpp"

namespace interline::schema {
namespace {

struct Row {
  std::string_view keyword;
  std::string_view instead;
};

/// Sorted. 2020-12 would ignore each of them, while its author meant it to decide something.
constexpr auto kForeign = std::to_array<Row>({
    {"$recursiveAnchor", "$dynamicAnchor"},                               // 2019-09
    {"$recursiveRef", "$dynamicRef"},                                     // 2019-09
    {"additionalItems", "prefixItems and items"},                         // 2019-09 and before
    {"allRequired", "required"},                                          // ajv-keywords
    {"anyRequired", "anyOf of required"},                                 // ajv-keywords
    {"deepProperties", "properties"},                                     // ajv-keywords
    {"deepRequired", "properties and required"},                          // ajv-keywords
    {"dependencies", "dependentRequired or dependentSchemas"},            // draft-07 and before
    {"disallow", "not"},                                                  // draft-03
    {"divisibleBy", "multipleOf"},                                        // draft-03
    {"extends", "allOf"},                                                 // draft-03
    {"formatExclusiveMaximum", "pattern"},                                // ajv-formats
    {"formatExclusiveMinimum", "pattern"},                                // ajv-formats
    {"formatMaximum", "pattern"},                                         // ajv-formats
    {"formatMinimum", "pattern"},                                         // ajv-formats
    {"instanceof", "type"},                                               // ajv-keywords
    {"maxDecimal", "multipleOf"},                                         // draft-01
    {"maximumCanEqual", "exclusiveMaximum"},                              // draft-02
    {"minimumCanEqual", "exclusiveMinimum"},                              // draft-02
    {"nullable", "\"null\" in type, or anyOf with {\"type\":\"null\"}"},  // OpenAPI 3.0
    {"oneRequired", "oneOf of required"},                                 // ajv-keywords
    {"patternRequired", "not with patternProperties"},                    // ajv-keywords
    {"prohibited", "not with required, or false in properties"},          // ajv-keywords
    {"propertyDependencies", "if, then and else"},                        // after 2020-12
    {"regexp", "pattern"},                                                // ajv-keywords
    {"typeof", "type"},                                                   // ajv-keywords
    {"uniqueItemProperties", "uniqueItems"},                              // ajv-keywords
});
static_assert(std::ranges::is_sorted(kForeign, {}, &Row::keyword));

/// The vocabularies of the 2020-12 meta-schema: what registration supports. Format-Assertion is not
/// among them: there `format` annotates (ProtoXEP, "Retrieving Tool Schemas").
constexpr std::array<std::string_view, 7> kVocabularies = {
    "https://json-schema.org/draft/2020-12/vocab/core",
    "https://json-schema.org/draft/2020-12/vocab/applicator",
    "https://json-schema.org/draft/2020-12/vocab/unevaluated",
    "https://json-schema.org/draft/2020-12/vocab/validation",
    "https://json-schema.org/draft/2020-12/vocab/meta-data",
    "https://json-schema.org/draft/2020-12/vocab/format-annotation",
    "https://json-schema.org/draft/2020-12/vocab/content",
};

std::optional<KeywordRefusal> instead(std::string_view keyword, std::string_view replacement) {
  std::string message(keyword);
  message += " does not assert this in JSON Schema 2020-12: write ";
  message += replacement;
  return KeywordRefusal{CompileErrorCode::unsupported_keyword, std::move(message)};
}

/// Keywords of 2020-12 whose value is one of an earlier draft.
std::optional<KeywordRefusal> old_value(std::string_view keyword, const json::Value& value) {
  if (keyword == "items" && value.is_array()) {
    return instead("items as an array", "prefixItems");
  }
  if (keyword == "required" && value.is_boolean()) {
    return instead("required as a boolean", "the property's name in required around properties");
  }
  if ((keyword == "exclusiveMaximum" || keyword == "exclusiveMinimum") && value.is_boolean()) {
    return instead(std::string(keyword) + " as a boolean", "the bound itself");
  }
  if (keyword != "type") return std::nullopt;
  if (value.get_string() == "any") return instead("type \"any\"", "no type");
  const auto is_schema = [](const json::Value& item) { return item.is_object(); };
  if (value.is_array() && std::ranges::any_of(value.items(), is_schema)) {
    return instead("type with schemas", "anyOf");
  }
  return std::nullopt;
}

std::optional<KeywordRefusal> required_vocabulary(const json::Value& vocabularies) {
  for (const json::Member& member : vocabularies.members()) {
    const bool required = member.value.get_bool().value_or(true);
    if (!required || std::ranges::find(kVocabularies, member.name()) != kVocabularies.end()) {
      continue;
    }
    return KeywordRefusal{CompileErrorCode::unsupported_vocabulary,
                          "must not require a vocabulary beyond those of the 2020-12 meta-schema"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<KeywordRefusal> refuse_for_registration(const json::Member& keyword) {
  const std::string_view name = keyword.name();
  const auto* const row = std::ranges::lower_bound(kForeign, name, {}, &Row::keyword);
  if (row != kForeign.end() && row->keyword == name) return instead(name, row->instead);
  if (name == "$vocabulary" && keyword.value.is_object()) {
    return required_vocabulary(keyword.value);
  }
  if (name == "$schema" && keyword.value.is_string() &&
      builtin_dialect(keyword.value.as_string()) == Dialect::draft_07) {
    return KeywordRefusal{CompileErrorCode::unsupported_dialect,
                          "names draft-07: upgrade the schema to 2020-12"};
  }
  return old_value(name, keyword.value);
}

}  // namespace interline::schema
