// XMPP Agent Gateway ProtoXEP, "Retrieving Tool Schemas": what may be registered.
#include "schema/registration.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

using ::testing::HasSubstr;

std::expected<Schema, CompileError> registered(std::string_view text,
                                               Direction direction = Direction::output,
                                               const CompileOptions& options = {}) {
  const json::Document document = testing::parsed(text);
  return compile_for_registration(document.root(), direction, options);
}

/// The error's "CODE-WORDS at LOCATION: MESSAGE"; "registered" where there is none.
std::string outcome(std::string_view text, Direction direction = Direction::output) {
  const auto schema = registered(text, direction);
  return schema ? "registered" : to_string(schema.error());
}

TEST(ProtoXep_ToolSchemas, AreObjects) {
  for (const char* text : {"true", "false", "[]", "7", "null", "\"object\""}) {
    for (const Direction direction : {Direction::input, Direction::output}) {
      const auto schema = registered(text, direction);
      ASSERT_FALSE(schema) << text;
      EXPECT_EQ(schema.error().code, CompileErrorCode::not_a_schema);
    }
  }
  EXPECT_TRUE(registered("{}"));
}

TEST(ProtoXep_ToolSchemas, InputsHaveAnObjectRoot) {
  EXPECT_TRUE(registered(R"({"type":"object"})", Direction::input));
  EXPECT_TRUE(registered(R"({"type":"array"})", Direction::output));
  for (const char* text :
       {"{}", R"({"type":["object"]})", R"({"type":["object","null"]})", R"({"type":"array"})",
        R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}})", R"({"properties":{}})"}) {
    EXPECT_THAT(outcome(text, Direction::input), HasSubstr("\"type\":\"object\" at its root"));
  }
  EXPECT_TRUE(
      registered(R"({"type":"object","$ref":"#/$defs/a","$defs":{"a":{}}})", Direction::input));
}

TEST(ProtoXep_ToolSchemas, DialectIs202012) {
  EXPECT_TRUE(registered(R"({"$schema":"https://json-schema.org/draft/2020-12/schema"})"));
  for (const char* text :
       {R"({"$schema":"http://json-schema.org/draft-07/schema#","properties":7})",
        R"({"not":{"$id":"x:y","$schema":"http://json-schema.org/draft-07/schema#"}})"}) {
    const auto schema = registered(text);
    ASSERT_FALSE(schema);
    EXPECT_EQ(schema.error().code, CompileErrorCode::unsupported_dialect);
    EXPECT_THAT(schema.error().message, HasSubstr("upgrade"));
  }
  EXPECT_FALSE(registered(R"({"$schema":"https://json-schema.org/draft/2019-09/schema"})"));
  // draft-07 by option alone does not count: an omitted $schema selects 2020-12.
  CompileOptions options;
  options.default_dialect = Dialect::draft_07;
  const auto schema = registered("{}", Direction::output, options);
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->dialect(), Dialect::draft_2020_12);
}

TEST(ProtoXep_ToolSchemas, RequiredVocabulariesMustBeSupported) {
  EXPECT_TRUE(registered(
      R"({"$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"x:y":false}})"));
  for (const char* vocabulary :
       {"x:y", "https://json-schema.org/draft/2020-12/vocab/format-assertion"}) {
    const auto schema =
        registered(R"({"$vocabulary":{")" + std::string(vocabulary) + R"(":true}})");
    ASSERT_FALSE(schema) << vocabulary;
    EXPECT_EQ(schema.error().code, CompileErrorCode::unsupported_vocabulary);
  }
}

struct Foreign {
  const char* schema;
  const char* location;
  const char* message;
};

TEST(ProtoXep_ToolSchemas, KeywordsOfOtherDialectsFailByNameWithWhatToWriteInstead) {
  constexpr Foreign kForeign[] = {
      {R"({"additionalItems":false})", "/additionalItems", "write prefixItems and items"},
      {R"({"items":[true]})", "/items", "items as an array"},
      {R"({"dependencies":{}})", "/dependencies", "dependentRequired or dependentSchemas"},
      {R"({"divisibleBy":2})", "/divisibleBy", "write multipleOf"},
      {R"({"extends":{}})", "/extends", "write allOf"},
      {R"({"disallow":"string"})", "/disallow", "write not"},
      {R"({"$recursiveRef":"#"})", "/$recursiveRef", "write $dynamicRef"},
      {R"({"$recursiveAnchor":true})", "/$recursiveAnchor", "write $dynamicAnchor"},
      {R"({"nullable":true})", "/nullable", "\"null\" in type"},
      {R"({"propertyDependencies":{}})", "/propertyDependencies", "if, then and else"},
      {R"({"formatMinimum":"2020-01-01"})", "/formatMinimum", "write pattern"},
      {R"({"instanceof":"Date"})", "/instanceof", "write type"},
      {R"({"required":true})", "/required", "required as a boolean"},
      {R"({"exclusiveMinimum":true,"minimum":1})", "/exclusiveMinimum", "the bound itself"},
      {R"({"exclusiveMaximum":false})", "/exclusiveMaximum", "the bound itself"},
      {R"({"type":"any"})", "/type", "write no type"},
      {R"({"type":["string",{"enum":[1]}]})", "/type", "write anyOf"},
  };
  for (const Foreign& row : kForeign) {
    const auto schema = registered(row.schema);
    ASSERT_FALSE(schema) << row.schema;
    EXPECT_EQ(schema.error().code, CompileErrorCode::unsupported_keyword) << row.schema;
    EXPECT_EQ(schema.error().location, row.location);
    EXPECT_THAT(schema.error().message, HasSubstr(row.location + 1));
    EXPECT_THAT(schema.error().message, HasSubstr(row.message));
  }
}

TEST(ProtoXep_ToolSchemas, ForeignKeywordsAreFoundWhereverASchemaIs) {
  constexpr Foreign kForeign[] = {
      {R"({"properties":{"a":{"items":{"extends":{}}}}})", "/properties/a/items/extends", ""},
      {R"({"$defs":{"a":{"nullable":true}}})", "/$defs/a/nullable", ""},
      {R"({"definitions":{"a":{"nullable":true}}})", "/definitions/a/nullable", ""},
      {R"({"x-y":{"a":{"nullable":true}},"$ref":"#/x-y/a"})", "/x-y/a/nullable", ""},
      {R"({"if":{},"then":{"allOf":[{"divisibleBy":1}]}})", "/then/allOf/0/divisibleBy", ""},
  };
  for (const Foreign& row : kForeign) {
    const auto schema = registered(row.schema);
    ASSERT_FALSE(schema) << row.schema;
    EXPECT_EQ(schema.error().location, row.location);
  }
}

TEST(ProtoXep_ToolSchemas, UnknownAnnotationsAndDataAreIgnored) {
  for (
      const char* text :
      {R"({"x-order":3,"example":1,"discriminator":{"propertyName":"a"},"id":"a","optional":true})",
       R"({"properties":{"dependencies":{},"extends":{"type":"string"},"nullable":true}})",
       R"({"enum":[{"nullable":true}],"const":{"items":[1]},"default":{"dependencies":{}}})",
       R"({"x-y":{"nullable":true}})", R"({"format":"unknown","examples":[{"extends":1}]})"}) {
    EXPECT_EQ(outcome(text), "registered") << text;
  }
}

TEST(ProtoXep_ToolSchemas, ReferencesStayInTheDocumentOrTheAllowlist) {
  EXPECT_TRUE(registered(R"({"$ref":"#/$defs/a","$defs":{"a":{}}})"));
  EXPECT_TRUE(registered(R"({"$ref":"#a","$defs":{"x":{"$anchor":"a"}}})"));
  EXPECT_TRUE(registered(R"({"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a"}}})"));
  const auto outside = registered(R"({"$ref":"https://example.com/a.json"})");
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, CompileErrorCode::unresolved_reference);

  testing::Documents documents;
  documents.add("https://example.com/a.json", R"({"dependencies":{},"type":"string"})");
  const auto allowed = registered(R"({"$ref":"https://example.com/a.json"})", Direction::output,
                                  documents.options());
  ASSERT_TRUE(allowed) << to_string(allowed.error());
  EXPECT_EQ(testing::verdict(*allowed, "1"), Verdict::invalid);
}

TEST(ProtoXep_ToolSchemas, FormatAnnotates) {
  const auto schema = registered(R"({"format":"ipv4"})");
  ASSERT_TRUE(schema);
  EXPECT_EQ(testing::verdict(*schema, R"("x")"), Verdict::valid);
}

TEST(ProtoXep_ToolSchemas, WhatCompilingRefusesIsRefused) {
  EXPECT_FALSE(registered(R"({"type":"objekt"})"));
  EXPECT_FALSE(registered(R"({"pattern":"("})"));
  EXPECT_FALSE(registered(R"({"minLength":-1})"));
}

}  // namespace
}  // namespace interline::schema
