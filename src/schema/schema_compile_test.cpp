// What Schema::compile refuses, and how it says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/keywords.hpp"
#include "schema/schema.hpp"
#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

using testing::compiled;
using testing::Documents;
using testing::draft_07;
using ::testing::HasSubstr;

struct Refused {
  std::string_view schema;
  CompileErrorCode code;
  std::string_view location;
  std::string_view message;  ///< a part of it
};

void expect_refused(const Refused& row, const CompileOptions& options = {}) {
  SCOPED_TRACE(row.schema);
  const auto schema = compiled(row.schema, options);
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().code, row.code) << to_string(schema.error());
  EXPECT_EQ(schema.error().location, row.location);
  EXPECT_THAT(schema.error().message, HasSubstr(std::string(row.message)));
  EXPECT_LE(schema.error().message.size(), 512U);
}

TEST(SchemaCompile, WhatIsNeitherObjectNorBooleanIsNoSchema) {
  using enum CompileErrorCode;
  expect_refused({"1", not_a_schema, "", "an object or a boolean"});
  expect_refused({"null", not_a_schema, "", "an object or a boolean"});
  expect_refused({R"({"properties": {"a/b": 7}})", not_a_schema, "/properties/a~1b", "an object"});
  expect_refused({R"({"anyOf": [true, "x"]})", not_a_schema, "/anyOf/1", "an object"});
}

TEST(SchemaCompile, AKeywordOfTheWrongShapeIsNamedWithWhatIsExpected) {
  using enum CompileErrorCode;
  for (const Refused& row : std::initializer_list<Refused>{
           {R"({"type": "text"})", invalid_keyword, "/type", "type must be one of array"},
           {R"({"type": []})", invalid_keyword, "/type", "type must be one of"},
           {R"({"properties": []})", invalid_keyword, "/properties",
            "properties must be an object"},
           {R"({"required": ["a", "a"]})", invalid_keyword, "/required", "different strings"},
           {R"({"required": true})", invalid_keyword, "/required", "required must be an array"},
           {R"({"maxLength": -1})", invalid_keyword, "/maxLength", "a non-negative integer"},
           {R"({"minItems": 1.5})", invalid_keyword, "/minItems", "a non-negative integer"},
           {R"({"multipleOf": 0})", invalid_keyword, "/multipleOf", "above 0"},
           {R"({"minimum": "1"})", invalid_keyword, "/minimum", "a number"},
           {R"({"pattern": 1})", invalid_keyword, "/pattern", "a string"},
           {R"({"enum": "a"})", invalid_keyword, "/enum", "an array"},
           {R"({"allOf": []})", invalid_keyword, "/allOf", "non-empty array of schemas"},
           {R"({"$id": "https://example.com/#a"})", invalid_keyword, "/$id", "without fragment"},
           {R"({"$anchor": "1a"})", invalid_keyword, "/$anchor", "a name"},
           {R"({"items": [true]})", invalid_keyword, "/items", "written as prefixItems"},
           {R"({"$defs": {"a": {"not": {"uniqueItems": 1}}}})", invalid_keyword,
            "/$defs/a/not/uniqueItems", "a boolean"}}) {
    expect_refused(row);
  }
  expect_refused({R"({"items": []})", invalid_keyword, "/items", "non-empty"}, draft_07());
  expect_refused({R"({"dependencies": {"a": ["b", "b"]}})", invalid_keyword, "/dependencies/a",
                  "different strings"},
                 draft_07());
}

// The table of shapes against the meta-schemas themselves: each keyword with each of these values.
TEST(SchemaCompile, ShapesAgreeWithTheMetaSchemas) {
  constexpr std::string_view kValues[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "1",
                                          "-1",
                                          "0.5",
                                          "1.0",
                                          "1e400",
                                          R"("")",
                                          R"("a")",
                                          R"("string")",
                                          R"("#")",
                                          R"("#a")",
                                          R"("a#")",
                                          R"("a#b")",
                                          "[]",
                                          "[1]",
                                          "[{}]",
                                          "[true]",
                                          R"(["string"])",
                                          "[[]]",
                                          R"(["a"])",
                                          "{}",
                                          R"({"a": 1})",
                                          R"(["string", "string"])",
                                          R"({"a": {}})",
                                          R"({"a": true})",
                                          R"({"a": ["b"]})",
                                          R"({"a": "b"})",
                                          R"({"a": ["b", "b"]})"};
  for (const Dialect dialect : {Dialect::draft_2020_12, Dialect::draft_07}) {
    const Schema meta = testing::schema_of("{\"$ref\": \"" + std::string(uri_of(dialect)) + "\"}");
    CompileOptions options;
    options.default_dialect = dialect;
    for (const KeywordRow& row : keyword_table()) {
      if (find_keyword(row.name, dialect) == nullptr) continue;
      for (const std::string_view value : kValues) {
        const std::string text = "{\"" + std::string(row.name) + "\": " + std::string(value) + "}";
        SCOPED_TRACE(text);
        const auto schema = compiled(text, options);
        const bool misshapen =
            !schema && (schema.error().code == CompileErrorCode::invalid_keyword ||
                        schema.error().code == CompileErrorCode::not_a_schema);
        // draft-07, 6.1.2: an enum SHOULD have elements, and different ones; the meta-schema's
        // MUST would refuse schemas that are in use.
        if (dialect == Dialect::draft_07 && row.name == "enum" && !misshapen) continue;
        EXPECT_EQ(!misshapen, testing::verdict(meta, text) == Verdict::valid)
            << (schema ? "" : to_string(schema.error()));
      }
    }
  }
}

TEST(SchemaCompile, ADialectThatIsNotBuiltInOrSuppliedIsRefused) {
  using enum CompileErrorCode;
  expect_refused({R"({"$schema": "https://json-schema.org/draft/2019-09/schema"})",
                  unsupported_dialect, "/$schema",
                  "must be https://json-schema.org/draft/2020-12"});
  expect_refused({R"({"$schema": 1})", invalid_keyword, "/$schema", "a string"});
  // Beside a subschema without $id it means nothing (Core 8.1.1).
  EXPECT_TRUE(compiled(R"({"not": {"$schema": "https://example.com/unknown"}})"));
  expect_refused(
      {R"({"not": {"$id": "https://example.com/a", "$schema": "https://example.com/b"}})",
       unsupported_dialect, "/not/$schema", "must be"});
}

TEST(SchemaCompile, TheDialectIsTheOneOfDollarSchema) {
  for (const std::string_view uri :
       {"http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft-07/schema#"}) {
    const auto schema = compiled("{\"$schema\": \"" + std::string(uri) + "\"}");
    ASSERT_TRUE(schema) << to_string(schema.error());
    EXPECT_EQ(schema->dialect(), Dialect::draft_07);
  }
  EXPECT_EQ(testing::schema_of("{}").dialect(), Dialect::draft_2020_12);
  EXPECT_EQ(testing::schema_of("true", draft_07()).dialect(), Dialect::draft_07);
}

TEST(SchemaCompile, VocabulariesOfACustomMetaSchema) {
  Documents documents;
  documents
      .add("https://example.com/strange", R"({"$vocabulary": {"https://example.com/v": true}})")
      .add("https://example.com/fine", R"({"$vocabulary": {"https://example.com/v": false,
             "https://json-schema.org/draft/2020-12/vocab/validation": true}})")
      .add("https://example.com/old", R"({"$schema": "http://json-schema.org/draft-07/schema#"})")
      .add("https://example.com/assert", R"({"$vocabulary": {
             "https://json-schema.org/draft/2020-12/vocab/format-assertion": true}})");
  const CompileOptions options = documents.options();
  expect_refused({R"({"$schema": "https://example.com/strange"})",
                  CompileErrorCode::unsupported_vocabulary, "/$schema", "https://example.com/v"},
                 options);
  // No applicator vocabulary: `properties` is an unknown keyword, and may be anything.
  const Schema fine = testing::schema_of(
      R"({"$schema": "https://example.com/fine", "type": "object", "properties": 1})", options);
  EXPECT_EQ(testing::verdict(fine, "{}"), Verdict::valid);
  EXPECT_EQ(testing::verdict(fine, "1"), Verdict::invalid);
  EXPECT_EQ(testing::schema_of(R"({"$schema": "https://example.com/old"})", options).dialect(),
            Dialect::draft_07);
  // Validation 7.2.3: with the vocabulary, unknown formats must fail.
  expect_refused({R"({"$schema": "https://example.com/assert", "format": "odd"})",
                  CompileErrorCode::invalid_keyword, "/format", "format-assertion"},
                 options);
}

TEST(SchemaCompile, ReferencesResolveOrFail) {
  using enum CompileErrorCode;
  for (const std::string_view reference :
       {"#/$defs/none", "#none", "https://example.com/none", "none.json", "#/$defs/a/x", "#%zz",
        "#/prefixItems/01", "#/prefixItems/2", "#/prefixItems/-"}) {
    const std::string text = R"({"$defs": {"a": true}, "prefixItems": [true, true], "$ref": ")" +
                             std::string(reference) + "\"}";
    expect_refused({text, unresolved_reference, "/$ref", "must name a schema"});
  }
  // Also where nothing leads to it.
  expect_refused({R"({"$defs": {"unused": {"$ref": "#/nowhere"}}})", unresolved_reference,
                  "/$defs/unused/$ref", "#/nowhere"});
  EXPECT_TRUE(compiled(R"({"prefixItems": [true, true], "$ref": "#/prefixItems/1"})"));
}

TEST(SchemaCompile, AnErrorInASuppliedDocumentNamesTheDocument) {
  Documents documents;
  documents.add("https://example.com/lib", R"({"$defs": {"a": {"maxLength": "long"}}})");
  const auto schema =
      compiled(R"({"$ref": "https://example.com/lib#/$defs/a"})", documents.options());
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().document, "https://example.com/lib");
  EXPECT_EQ(schema.error().location, "/$defs/a/maxLength");
  EXPECT_EQ(to_error(schema.error()).kind, ErrorKind::not_acceptable);
}

TEST(SchemaCompile, BaseUriIsWhatRelativeReferencesAreReadAgainst) {
  Documents documents;
  documents.add("https://example.com/b.json", R"({"type": "integer"})");
  CompileOptions options = documents.options();
  options.base_uri = "https://example.com/dir/../a.json#";
  const auto unresolved = compiled(R"({"$ref": "https://example.com/a.json"})", options);
  EXPECT_FALSE(unresolved);  // the base is taken as it is given
  options.base_uri = "https://example.com/a.json";
  const Schema schema = testing::schema_of(R"({"$ref": "b.json"})", options);
  EXPECT_EQ(testing::verdict(schema, "1"), Verdict::valid);
  EXPECT_EQ(testing::verdict(schema, "\"1\""), Verdict::invalid);
}

TEST(SchemaCompile, ALoopWithoutProgressIsRefused) {
  using enum CompileErrorCode;
  for (const std::string_view schema :
       {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})", R"({"not": {"$ref": "#"}})",
        R"({"if": {"$ref": "#"}})", R"({"dependentSchemas": {"a": {"$ref": "#"}}})",
        R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, true]}}})",
        R"({"$dynamicAnchor": "x", "oneOf": [true, {"$dynamicRef": "#x"}]})"}) {
    const auto refused = compiled(schema);
    ASSERT_FALSE(refused) << schema;
    EXPECT_EQ(refused.error().code, endless_loop) << schema << to_string(refused.error());
    EXPECT_THAT(refused.error().message, HasSubstr("never end"));
  }
  EXPECT_TRUE(compiled(R"({"properties": {"child": {"$ref": "#"}}})"));
  EXPECT_TRUE(compiled(R"({"items": {"anyOf": [{"type": "string"}, {"$ref": "#"}]}})"));
}

TEST(Core_10_2_2, ThenAndElseWithoutIfAreNoLoop) {
  for (const CompileOptions& options : {CompileOptions{}, draft_07()}) {
    for (const std::string_view text :
         {R"({"then": {"$ref": "#"}, "type": "integer"})",
          R"({"else": {"$ref": "#"}, "type": "integer"})",
          R"({"then": {"$ref": "#"}, "type": "integer", "unevaluatedItems": false})"}) {
      const auto schema = compiled(text, options);
      ASSERT_TRUE(schema) << to_string(schema.error());
      EXPECT_EQ(testing::verdict(*schema, "1"), Verdict::valid);
      EXPECT_EQ(testing::verdict(*schema, "\"a\""), Verdict::invalid);
    }
    const auto refused = compiled(R"({"if": {"minimum": 1}, "then": {"$ref": "#"}})", options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, CompileErrorCode::endless_loop);
  }
}

TEST(SchemaCompile, ALongChainOfReferencesIsNoLoop) {
  std::string text = R"({"$ref": "#/$defs/d0", "$defs": {)";
  for (int i = 0; i < 9'000; ++i) {
    text +=
        "\"d" + std::to_string(i) + R"(": {"$ref": "#/$defs/d)" + std::to_string(i + 1) + "\"},";
  }
  text += R"("d9000": {"type": "integer"}}})";
  const Schema schema = testing::schema_of(text);
  EXPECT_EQ(testing::verdict(schema, "1"), Verdict::valid);
  EXPECT_EQ(testing::verdict(schema, "null"), Verdict::invalid);
}

TEST(SchemaCompile, AnIdentifierTwiceIsRefused) {
  using enum CompileErrorCode;
  expect_refused({R"({"$id": "https://example.com/a", "not": {"$id": "a"}})", duplicate_identifier,
                  "/not/$id", "https://example.com/a"});
  expect_refused({R"({"$anchor": "a", "not": {"$anchor": "a"}})", duplicate_identifier,
                  "/not/$anchor", "\"a\""});
  expect_refused({R"({"$anchor": "a", "not": {"$dynamicAnchor": "a"}})", duplicate_identifier,
                  "/not/$dynamicAnchor", "\"a\""});
  expect_refused({R"({"definitions": {"a": {"$id": "#x"}, "b": {"$id": "#x"}}})",
                  duplicate_identifier, "/definitions/b/$id", "\"x\""},
                 draft_07());
  EXPECT_TRUE(compiled(R"({"$anchor": "a", "not": {"$id": "b", "$anchor": "a"}})"));
}

TEST(SchemaCompile, ABadPatternIsNamedWithItsPlace) {
  using enum CompileErrorCode;
  expect_refused({R"({"pattern": "a("})", invalid_pattern, "/pattern", "regular expression"});
  expect_refused({R"({"patternProperties": {"a(": true}})", invalid_pattern,
                  "/patternProperties/a(", "regular expression"});
}

struct Bound {
  std::string_view schema;
  void (*tighten)(CompileLimits&);
  std::string_view location;
};

TEST(SchemaCompile, EveryLimitIsHeldAndNamed) {
  for (const Bound& bound : std::initializer_list<Bound>{
           {R"({"allOf": [true, true, {}]})", [](CompileLimits& l) { l.subschemas = 3; },
            "/allOf/2"},
           {R"({"not": {"not": {}}})", [](CompileLimits& l) { l.depth = 2; }, "/not/not"},
           {R"({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": true}})",
            [](CompileLimits& l) { l.references = 1; }, "/allOf/1/$ref"},
           {R"({"enum": [1, 2, 3]})", [](CompileLimits& l) { l.enum_values = 2; }, "/enum"},
           {R"({"patternProperties": {"a": true, "b": true}})",
            [](CompileLimits& l) { l.patterns = 1; }, "/patternProperties/b"},
           {R"({"$id": "x:a", "allOf": [{"$id": "x:b"}, {"$id": "x:c"}]})",
            [](CompileLimits& l) { l.all_uri_bytes = 8; }, "/allOf/1/$id"},
           {R"({"pattern": "abcdef"})", [](CompileLimits& l) { l.pattern_bytes = 5; }, "/pattern"},
           {R"({"pattern": "abcdef"})", [](CompileLimits& l) { l.program_bytes = 16; },
            "/pattern"}}) {
    SCOPED_TRACE(bound.schema);
    EXPECT_TRUE(compiled(bound.schema));
    CompileOptions options;
    bound.tighten(options.limits);
    const auto schema = compiled(bound.schema, options);
    ASSERT_FALSE(schema);
    EXPECT_EQ(schema.error().code, CompileErrorCode::too_large) << to_string(schema.error());
    EXPECT_EQ(schema.error().location, bound.location);
    EXPECT_EQ(to_error(schema.error()).reason, ErrorReason::too_large);
  }
}

TEST(SchemaCompile, IdentifiersUnderALongBaseAreBoundedTogether) {
  const std::string base = "https://example.com/" + std::string(4'000, 'p') + "/";
  const auto schema = [&base](int count) {
    std::string text = "{\"$id\": \"" + base + "\", \"allOf\": [true";
    for (int i = 0; i < count; ++i) text += ", {\"$id\": \"" + std::to_string(i) + "\"}";
    return text + "]}";
  };
  const auto refused = compiled(schema(19'800));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, CompileErrorCode::too_large);
  EXPECT_THAT(refused.error().message, HasSubstr("all $id together"));
  const auto taken = compiled(schema(1'000));
  ASSERT_TRUE(taken) << to_string(taken.error());
  EXPECT_GT(taken->memory(), 4'000'000U);
  EXPECT_LT(taken->memory(), 6'000'000U);  // each once
}

TEST(SchemaCompile, TheBuiltInMetaSchemasDescribeThemselves) {
  for (const Dialect dialect : {Dialect::draft_2020_12, Dialect::draft_07}) {
    const Schema meta = testing::schema_of("{\"$ref\": \"" + std::string(uri_of(dialect)) + "\"}");
    EXPECT_EQ(testing::verdict(meta, R"({"properties": {"a": {"type": "string"}}})"),
              Verdict::valid);
    EXPECT_EQ(testing::verdict(meta, R"({"properties": {"a": {"type": "strong"}}})"),
              Verdict::invalid);
  }
}

TEST(SchemaCompile, TheSchemaOutlivesTheDocumentItWasCompiledFrom) {
  std::optional<Schema> schema;
  {
    const json::Document document =
        testing::parsed(R"({"properties": {"a": {"enum": ["x", {"y": 1}]}}, "required": ["a"]})");
    schema = Schema::compile(document.root()).value();
  }
  EXPECT_EQ(testing::verdict(*schema, R"({"a": {"y": 1.0}})"), Verdict::valid);
  EXPECT_EQ(testing::verdict(*schema, R"({"a": "y"})"), Verdict::invalid);
  EXPECT_GT(schema->memory(), 1'000U);
}

}  // namespace
}  // namespace interline::schema
