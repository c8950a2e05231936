// Reports and the output formats of Core 12.4.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/canonical.hpp"
#include "schema/bounded_text.hpp"
#include "schema/schema.hpp"
#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::parsed;
using testing::schema_of;

// The example of Core 12.4: a polygon of points.
constexpr std::string_view kPolygon = R"({
  "$id": "https://example.com/polygon",
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": {
    "point": {
      "type": "object",
      "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
      "additionalProperties": false,
      "required": ["x", "y"]
    }
  },
  "type": "array",
  "items": {"$ref": "#/$defs/point"},
  "minItems": 3
})";
constexpr std::string_view kTwoPoints = R"([{"x": 2.5, "y": 1.3}, {"x": 1, "z": 6.7}])";

std::string canonical(std::string_view text) {
  return json::canonical(parsed(text).root());
}
std::string output(const Schema& schema, std::string_view instance, OutputFormat format,
                   const ValidateLimits& limits = {}) {
  return schema.output(parsed(instance).root(), format, limits);
}
Report report(const Schema& schema, std::string_view instance, const ValidateLimits& limits = {}) {
  return schema.report(parsed(instance).root(), limits);
}

/// The units of a list, as "keywordLocation instanceLocation".
std::vector<std::string> units(const json::Value& list) {
  std::vector<std::string> out;
  for (const json::Value& unit : list.items()) {
    out.push_back(std::string(unit.find("keywordLocation")->as_string()) + " " +
                  std::string(unit.find("instanceLocation")->as_string()));
  }
  return out;
}

TEST(Core_12_4_1, FlagIsTheVerdictAlone) {
  const Schema schema = schema_of(kPolygon);
  EXPECT_EQ(output(schema, kTwoPoints, OutputFormat::flag), R"({"valid":false})");
  EXPECT_EQ(output(schema, R"([{"x":1,"y":1},{"x":1,"y":2},{"x":3,"y":1}])", OutputFormat::flag),
            R"({"valid":true})");
}

TEST(Core_12_4_2, BasicIsAFlatListOfTheExamplesUnits) {
  const std::string text = output(schema_of(kPolygon), kTwoPoints, OutputFormat::basic);
  const json::Document document = parsed(text);
  EXPECT_EQ(document.root().find("valid")->get_bool(), false);
  auto found = units(*document.root().find("errors"));
  std::ranges::sort(found);
  EXPECT_THAT(found, ElementsAre(" ", "/items/$ref /1", "/items/$ref/additionalProperties /1/z",
                                 "/items/$ref/required /1", "/minItems "));
  EXPECT_THAT(text, HasSubstr(R"("absoluteKeywordLocation":"https://example.com/polygon#/$defs/)"
                              R"(point/additionalProperties")"));
}

TEST(Core_12_4_3, DetailedNestsTheExamplesUnits) {
  const std::string text = output(schema_of(kPolygon), kTwoPoints, OutputFormat::detailed);
  EXPECT_EQ(canonical(text), canonical(R"({
    "valid": false,
    "keywordLocation": "",
    "instanceLocation": "",
    "errors": [
      {
        "valid": false,
        "keywordLocation": "/minItems",
        "absoluteKeywordLocation": "https://example.com/polygon#/minItems",
        "instanceLocation": "",
        "error": "must have at least 3 items"
      },
      {
        "valid": false,
        "keywordLocation": "/items/$ref",
        "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point",
        "instanceLocation": "/1",
        "errors": [
          {
            "valid": false,
            "keywordLocation": "/items/$ref/required",
            "absoluteKeywordLocation": "https://example.com/polygon#/$defs/point/required",
            "instanceLocation": "/1",
            "error": "must have the member \"y\""
          },
          {
            "valid": false,
            "keywordLocation": "/items/$ref/additionalProperties",
            "absoluteKeywordLocation":
              "https://example.com/polygon#/$defs/point/additionalProperties",
            "instanceLocation": "/1/z",
            "error": "is not allowed here"
          }
        ]
      }
    ]
  })"));
}

// Each unit has what the specification's output schema requires.
void expect_unit(const json::Value& unit, bool valid) {
  ASSERT_TRUE(unit.is_object());
  ASSERT_NE(unit.find("valid"), nullptr);
  EXPECT_EQ(unit.find("valid")->get_bool(), valid);
  for (const std::string_view name : {"keywordLocation", "instanceLocation"}) {
    ASSERT_NE(unit.find(name), nullptr);
    const std::string_view pointer = unit.find(name)->as_string();
    EXPECT_TRUE(pointer.empty() || pointer.starts_with('/')) << pointer;
  }
  EXPECT_TRUE(valid || unit.find("error") != nullptr || unit.find("errors") != nullptr);
  EXPECT_EQ(unit.find(valid ? "errors" : "annotations"), nullptr);
  EXPECT_EQ(unit.find(valid ? "error" : "annotation"), nullptr);
  const json::Value* nested = unit.find(valid ? "annotations" : "errors");
  if (nested == nullptr) return;
  for (const json::Value& child : nested->items()) expect_unit(child, valid);
}

TEST(Core_12_4_4, EveryUnitHasTheFormOfTheOutputSchema) {
  const Schema schema = schema_of(R"({
    "$id": "https://example.com/s", "title": "thing", "type": "object",
    "properties": {"a": {"anyOf": [{"type": "string", "title": "text"}, {"minimum": 5}]},
                   "b": {"not": {"const": 1}}},
    "patternProperties": {"^x-": {"$ref": "#/$defs/extension"}},
    "unevaluatedProperties": {"type": "null"},
    "$defs": {"extension": {"description": "an extension", "x-unknown": [1, 2]}}})");
  for (const auto format : {OutputFormat::basic, OutputFormat::detailed}) {
    for (const std::string_view instance :
         {"1", "{}", R"({"a": "x", "b": 2, "x-1": 3, "rest": null})", R"({"a": 1, "b": 1})",
          R"({"c": 1, "d": 2})"}) {
      const json::Document document = parsed(output(schema, instance, format));
      expect_unit(document.root(), testing::verdict(schema, instance) == Verdict::valid);
    }
  }
}

TEST(Core_12_4, AnnotationsOfAValidInstance) {
  const Schema schema = schema_of(R"({
    "title": "thing",
    "$comment": "not an annotation",
    "properties": {"a": {"title": "text", "default": "x"}, "b": true},
    "patternProperties": {"^x-": {"x-unknown": {"kept": true}}},
    "additionalProperties": {"format": "date"},
    "if": {"required": ["a"]}, "then": {"description": "has a"}, "else": {"description": "has none"},
    "anyOf": [{"required": ["none"], "title": "dropped"}, {"readOnly": true}],
    "not": {"title": "dropped", "required": ["none"]}})");
  const json::Document document =
      parsed(output(schema, R"({"a": 1, "x-1": 2, "rest": "no date"})", OutputFormat::basic));
  std::vector<std::string> found;
  for (const json::Value& unit : document.root().find("annotations")->items()) {
    found.push_back(std::string(unit.find("keywordLocation")->as_string()) + " " +
                    std::string(unit.find("instanceLocation")->as_string()) + " " +
                    json::canonical(*unit.find("annotation")));
  }
  EXPECT_THAT(
      found, ::testing::UnorderedElementsAre(
                 "/title  \"thing\"", "/properties  [\"a\"]", "/properties/a/title /a \"text\"",
                 "/properties/a/default /a \"x\"", "/patternProperties  [\"x-1\"]",
                 "/patternProperties/^x-/x-unknown /x-1 {\"kept\":true}",
                 "/additionalProperties  [\"rest\"]", "/additionalProperties/format /rest \"date\"",
                 "/then/description  \"has a\"", "/anyOf/1/readOnly  true"));
}

TEST(Core_12_4, AnnotationsOfItems) {
  const Schema schema = schema_of(R"({
    "prefixItems": [{"title": "first"}], "items": true,
    "contains": {"const": 7}})");
  const json::Document document = parsed(output(schema, "[1, 7, 7]", OutputFormat::detailed));
  EXPECT_EQ(json::canonical(*document.root().find("annotations")), canonical(R"([
    {"valid": true, "keywordLocation": "/prefixItems", "instanceLocation": "", "annotation": 0,
     "annotations": [{"valid": true, "keywordLocation": "/prefixItems/0/title",
                      "instanceLocation": "/0", "annotation": "first"}]},
    {"valid": true, "keywordLocation": "/items", "instanceLocation": "", "annotation": true},
    {"valid": true, "keywordLocation": "/contains", "instanceLocation": "", "annotation": [1, 2]}
  ])"));
}

TEST(SchemaOutput, AnnotationsAreBounded) {
  const Schema schema = schema_of(R"({"items": {"title": "one"}})");
  ValidateLimits limits;
  limits.annotations = 2;
  const json::Document document =
      parsed(output(schema, "[1, 2, 3, 4]", OutputFormat::basic, limits));
  EXPECT_EQ(document.root().find("annotations")->size(), 2U);
  EXPECT_EQ(document.root().find("truncated")->get_bool(), true);
}

struct Message {
  std::string_view schema;
  std::string_view instance;
  std::string_view instance_location;
  std::string_view keyword_location;
  std::string_view message;
};

TEST(SchemaReport, EachKeywordSaysWhatItExpects) {
  for (const Message& row : std::initializer_list<Message>{
           {R"({"type": "string"})", "1", "", "/type", "must be of type string"},
           {R"({"type": ["string", "null", "integer"]})", "1.5", "", "/type",
            "must be of type string, null or integer"},
           {R"({"const": "a"})", "1", "", "/const", "must be equal to \"a\""},
           {R"({"enum": ["a", 1, null]})", "2", "", "/enum", "must be one of \"a\", 1 or null"},
           {R"({"enum": []})", "2", "", "/enum", "has no allowed value"},
           {R"({"multipleOf": 0.5})", "0.7", "", "/multipleOf", "must be a multiple of 0.5"},
           {R"({"maximum": 10})", "11", "", "/maximum", "must be at most 10"},
           {R"({"exclusiveMaximum": 10})", "10", "", "/exclusiveMaximum", "must be below 10"},
           {R"({"minimum": 10})", "9", "", "/minimum", "must be at least 10"},
           {R"({"exclusiveMinimum": 10})", "10", "", "/exclusiveMinimum", "must be above 10"},
           {R"({"maxLength": 1})", "\"ab\"", "", "/maxLength", "must have at most 1 characters"},
           {R"({"minLength": 3})", "\"ab\"", "", "/minLength", "must have at least 3 characters"},
           {R"({"pattern": "^a"})", "\"b\"", "", "/pattern", "must match the pattern \"^a\""},
           {R"({"maxItems": 1})", "[1, 2]", "", "/maxItems", "must have at most 1 items"},
           {R"({"uniqueItems": true})", "[1, 1.0]", "", "/uniqueItems",
            "must not have equal items"},
           {R"({"contains": {"const": 1}})", "[2]", "", "/contains",
            "must have at least 1 items that match the schema"},
           {R"({"contains": true, "maxContains": 1})", "[2, 3]", "", "/contains",
            "must have at most 1 items that match the schema"},
           {R"({"maxProperties": 0})", R"({"a": 1})", "", "/maxProperties",
            "must have at most 0 members"},
           {R"({"required": ["a", "b", "c"]})", R"({"b": 1})", "", "/required",
            "must have the members \"a\", \"c\""},
           {R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})", "", "/dependentRequired",
            "must have the member \"b\" beside \"a\""},
           {R"({"properties": {"a": false}})", R"({"a": 1})", "/a", "/properties/a",
            "is not allowed here"},
           {R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 1})", "/ab",
            "/propertyNames/maxLength", "must have at most 1 characters"},
           {R"({"not": {}})", "1", "", "/not", "must not match the schema"},
           {R"({"oneOf": [true, {}]})", "1", "", "/oneOf",
            "must match exactly one of the schemas, and matches more"}}) {
    SCOPED_TRACE(row.schema);
    const Report found = report(schema_of(row.schema), row.instance);
    EXPECT_EQ(found.verdict, Verdict::invalid);
    ASSERT_EQ(found.errors.size(), 1U);
    EXPECT_EQ(found.errors[0].instance_location, row.instance_location);
    EXPECT_EQ(found.errors[0].keyword_location, row.keyword_location);
    EXPECT_EQ(found.errors[0].message, row.message);
    EXPECT_FALSE(found.more);
  }
}

TEST(SchemaReport, FailedBranchesStandWithTheirCombination) {
  const Report found = report(schema_of(R"({"anyOf": [{"type": "string"}, {"minimum": 5}]})"), "1");
  std::vector<std::string> places;
  for (const ValidationError& error : found.errors) places.push_back(error.keyword_location);
  EXPECT_THAT(places, ElementsAre("/anyOf", "/anyOf/0/type", "/anyOf/1/minimum"));
}

TEST(SchemaReport, WhatHoldsLeavesNoTrace) {
  const Schema schema = schema_of(R"({
    "anyOf": [{"type": "string"}, {"type": "number"}], "if": {"minimum": 5}, "maximum": 3})");
  const Report found = report(schema, "4");
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].keyword_location, "/maximum");
  EXPECT_THAT(report(schema, "2").errors, IsEmpty());
}

TEST(SchemaReport, ErrorsAreBoundedInNumberAndSaySo) {
  const Schema schema = schema_of(R"({"items": {"type": "string"}})");
  ValidateLimits limits;
  limits.errors = 3;
  const Report found = report(schema, "[1, 2, 3, 4, 5]", limits);
  EXPECT_EQ(found.errors.size(), 3U);
  EXPECT_TRUE(found.more);
  limits.errors = 5;
  EXPECT_FALSE(report(schema, "[1, 2, 3, 4, 5]", limits).more);
  limits.errors = 0;
  EXPECT_TRUE(report(schema, "[1]", limits).more);
}

TEST(SchemaReport, NothingOfTheInstanceIsInTheMessages) {
  const Schema schema = schema_of(R"({
    "properties": {"a": {"type": "string", "maxLength": 3, "pattern": "^x", "enum": ["b"],
                         "const": "c", "not": {"minLength": 1}}}})");
  const Report found = report(schema, R"({"a": "secret words"})");
  EXPECT_GE(found.errors.size(), 5U);
  for (const ValidationError& error : found.errors) {
    EXPECT_THAT(error.message, Not(HasSubstr("secret")));
    EXPECT_EQ(error.instance_location, "/a");
  }
}

TEST(SchemaReport, LongLocationsAreCutInTheMiddle) {
  std::string instance = "1";
  std::string pointer;
  for (int i = 0; i < 60; ++i) instance = "{\"member" + std::to_string(i) + "\":" + instance + "}";
  for (int i = 59; i >= 0; --i) pointer += "/member" + std::to_string(i);
  const Schema schema = schema_of(R"({"type": "object", "additionalProperties": {"$ref": "#"}})");
  const Report found = report(schema, instance);
  ASSERT_EQ(found.errors.size(), 1U);
  const std::string& cut = found.errors[0].instance_location;
  EXPECT_LE(cut.size(), 256U);
  EXPECT_GT(cut.size(), 240U);
  const std::size_t dots = cut.find("...");
  ASSERT_NE(dots, std::string::npos);
  EXPECT_TRUE(pointer.starts_with(cut.substr(0, dots)));
  EXPECT_TRUE(pointer.ends_with(cut.substr(dots + 3)));
  EXPECT_LE(found.errors[0].keyword_location.size(), 256U);
}

TEST(SchemaReport, CutsFallBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 300; ++i) name += "\u00e9";
  const Report found =
      report(schema_of(R"({"additionalProperties": false})"), "{\"" + name + "\": 1}");
  ASSERT_EQ(found.errors.size(), 1U);
  std::string text = "\"" + found.errors[0].instance_location + "\"";
  EXPECT_TRUE(json::parse(text)) << text;
}

TEST(SchemaReport, LocationsEscapeWhatPointersAndUrisAsk) {
  const Report found = report(
      schema_of(
          R"({"$id": "https://example.com/s", "properties": {"~a/b \u00e9": {"type": "null"}}})"),
      R"({"~a/b \u00e9": 1})");
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].instance_location, "/~0a~1b \u00e9");
  EXPECT_EQ(found.errors[0].absolute_keyword_location,
            "https://example.com/s#/properties/~0a~1b%20%C3%A9/type");
}

TEST(SchemaReport, AbsoluteLocationsFollowReferencesAndEmbeddedResources) {
  const Report found = report(schema_of(R"({
    "$id": "https://example.com/a", "$ref": "b",
    "$defs": {"b": {"$id": "b", "items": {"type": "null"}}}})"),
                              "[1]");
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].keyword_location, "/$ref/items/type");
  EXPECT_EQ(found.errors[0].absolute_keyword_location, "https://example.com/b#/items/type");
}

TEST(SchemaReport, ASpentBudgetIsNoVerdict) {
  const Schema schema = schema_of(R"({"items": {"type": "integer", "minimum": 0}})");
  ValidateLimits limits;
  limits.steps = 3;
  const Report found = report(schema, "[1, 2, 3, 4, 5, 6]", limits);
  EXPECT_EQ(found.verdict, Verdict::budget_exceeded);
  EXPECT_THAT(found.errors, IsEmpty());
  const json::Document document =
      parsed(output(schema, "[1, 2, 3, 4, 5, 6]", OutputFormat::basic, limits));
  EXPECT_EQ(document.root().find("valid")->get_bool(), false);
  EXPECT_THAT(std::string(document.root().find("error")->as_string()), HasSubstr("budget"));
}

TEST(Core_12_4_1, AFlagWithoutAVerdictSaysThatItIsUndecided) {
  const Schema schema = schema_of(R"({"items": {"type": "integer", "minimum": 0}})");
  ValidateLimits limits;
  limits.steps = 3;
  EXPECT_EQ(output(schema, "[1, 2, 3, 4, 5, 6]", OutputFormat::flag, limits),
            R"({"valid":false,"error":"undecided: the budget for validating was spent"})");
  EXPECT_EQ(output(schema, "[1]", OutputFormat::flag), R"({"valid":true})");
  EXPECT_EQ(output(schema, "[-1]", OutputFormat::flag), R"({"valid":false})");
}

TEST(Validation_8_5, ContentSchemaAnnotatesOnlyBesideAMediaType) {
  const Schema alone = schema_of(R"({"contentSchema": {"type": "object"}})");
  EXPECT_THAT(output(alone, R"("{}")", OutputFormat::basic), Not(HasSubstr("contentSchema")));
  const Schema both =
      schema_of(R"({"contentMediaType": "application/json", "contentSchema": {"type": "object"}})");
  EXPECT_THAT(output(both, R"("{}")", OutputFormat::basic), HasSubstr("/contentSchema"));
  EXPECT_THAT(output(both, "1", OutputFormat::basic), Not(HasSubstr("/contentSchema")));
}

// C0, DEL, C1, line separators, bidirectional controls: none may reach a terminal.
TEST(SchemaMessages, PrintableTextHasNoControlCharacters) {
  EXPECT_EQ(printable("a\nb\tc\x1b[31m\x7f"), "a\\u{a}b\\u{9}c\\u{1b}[31m\\u{7f}");
  EXPECT_EQ(printable("\u009b2J\u0085"), "\\u{9b}2J\\u{85}");
  EXPECT_EQ(printable("\u202e\u2066\u2069\u2028\u200f\u061c"),
            "\\u{202e}\\u{2066}\\u{2069}\\u{2028}\\u{200f}\\u{61c}");
  EXPECT_EQ(printable("\xc3\xa9 \u00a0\u2027\u202f\U0001F600"),
            "\xc3\xa9 \u00a0\u2027\u202f\U0001F600");
  EXPECT_EQ(printable("a\x9b\xff"), "a\ufffd\ufffd");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\u{0}");
}

TEST(SchemaMessages, TextsOfTheSchemaArePrintableAndBounded) {
  std::string hostile;
  for (int i = 0; i < 40; ++i) hostile += "\u009b\u202e";
  for (const std::string& text :
       {R"({"const": ")" + hostile + "\"}", R"({"enum": [")" + hostile + R"(", "b"]})",
        R"({"required": [")" + hostile + "\"]}"}) {
    const Report found = report(schema_of(text), "{}");
    ASSERT_EQ(found.errors.size(), 1U);
    const std::string& message = found.errors[0].message;
    EXPECT_EQ(message, printable(message));
    EXPECT_THAT(message, HasSubstr("\\u{9b}\\u{202e}"));
    EXPECT_LE(message.size(), 256U);
  }
}

TEST(SchemaMessages, ACompileErrorIsOneLine) {
  const auto refused = testing::compiled("{\"properties\": {\"a\\n\u009b\u202e\": 1}}");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().location, "/properties/a\n\u009b\u202e");
  EXPECT_THAT(to_string(refused.error()), HasSubstr("#/properties/a\\u{a}\\u{9b}\\u{202e}: "));
}

}  // namespace
}  // namespace interline::schema
