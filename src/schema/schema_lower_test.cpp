// What is decided when compiling, so that validating need not: seen in the program that is left.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "schema/inspect.hpp"
#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

using testing::schema_of;
using testing::verdict;

std::size_t count(const Schema& schema, Op op) {
  return static_cast<std::size_t>(
      std::ranges::count(Inspect::program(schema).instructions, op, &Instruction::op));
}

BlockId root_block(const Schema& schema, json::Kind kind) {
  const Program& program = Inspect::program(schema);
  return program.entries[program.root].block[index_of(kind)];
}

TEST(SchemaLowering, TypeIsDecidedByTheKindOfTheValue) {
  const Schema schema = schema_of(R"({"type": ["string", "null"]})");
  EXPECT_TRUE(Inspect::program(schema).instructions.empty());
  EXPECT_EQ(root_block(schema, json::Kind::string), kPass);
  EXPECT_EQ(root_block(schema, json::Kind::null), kPass);
  EXPECT_EQ(root_block(schema, json::Kind::number), kFail);
}

TEST(SchemaLowering, BranchesThatAKindDecidesAreGone) {
  const Schema schema = schema_of(
      R"({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}, {"type": "integer"}]})");
  EXPECT_EQ(count(schema, Op::any_of), 0U);
  EXPECT_EQ(root_block(schema, json::Kind::null), kPass);
  EXPECT_EQ(root_block(schema, json::Kind::object), kFail);
  EXPECT_EQ(verdict(schema, "\"abc\""), Verdict::valid);
  EXPECT_EQ(verdict(schema, "\"abcd\""), Verdict::invalid);
  EXPECT_EQ(verdict(schema, "1.5"), Verdict::invalid);
  EXPECT_EQ(count(schema_of(R"({"oneOf": [{"type": "array"}, {"type": "object"}]})"), Op::one_of),
            0U);
  EXPECT_EQ(count(schema_of(R"({"if": {"type": "array"}, "then": {"minItems": 1}})"), Op::choose),
            0U);
  EXPECT_EQ(count(schema_of(R"({"not": {"type": "array"}})"), Op::not_block), 0U);
}

TEST(SchemaLowering, AChoiceOfConstantsIsAnEnum) {
  const Schema any = schema_of(R"({"type": "string", "anyOf": [
    {"const": "a", "title": "A"}, {"const": "b", "title": "B"}, {"const": "c"}]})");
  EXPECT_EQ(count(any, Op::any_of), 0U);
  EXPECT_EQ(verdict(any, "\"b\""), Verdict::valid);
  EXPECT_EQ(verdict(any, "\"d\""), Verdict::invalid);
  const Schema one =
      schema_of(R"({"oneOf": [{"const": "a"}, {"const": "b"}, {"const": "b"}, {"const": 1}]})");
  EXPECT_EQ(count(one, Op::one_of), 0U);
  EXPECT_EQ(verdict(one, "\"a\""), Verdict::valid);
  EXPECT_EQ(verdict(one, "\"b\""), Verdict::invalid);
  EXPECT_EQ(verdict(one, "1"), Verdict::valid);
  const Schema none = schema_of(R"({"oneOf": [{"const": "b"}, {"const": "b"}]})");
  EXPECT_EQ(verdict(none, "\"b\""), Verdict::invalid);
}

TEST(SchemaLowering, KeywordsOfOtherKindsAreGone) {
  const Schema schema = schema_of(
      R"({"type": "string", "minimum": 1, "required": ["a"], "minItems": 2, "title": "text"})");
  EXPECT_TRUE(Inspect::program(schema).instructions.empty());
}

TEST(SchemaLowering, SmallReferencesAreCopiedIn) {
  const Schema schema = schema_of(
      R"({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"minimum": 1}}})");
  EXPECT_EQ(count(schema, Op::call), 0U);
  EXPECT_EQ(verdict(schema, "0"), Verdict::invalid);
  EXPECT_EQ(verdict(schema, "1"), Verdict::valid);
}

TEST(SchemaLowering, ObjectKeywordsAreOnePass) {
  const Schema schema = schema_of(R"({
    "properties": {"a": {"type": "string"}, "ab": {"maxLength": 2}}, "required": ["a", "z"],
    "patternProperties": {"^a": {"minLength": 1}}, "additionalProperties": {"type": "integer"}})");
  EXPECT_EQ(count(schema, Op::members), 1U);
  EXPECT_EQ(count(schema, Op::required), 0U);
  EXPECT_EQ(verdict(schema, R"({"a": "x", "z": 1})"), Verdict::valid);
  EXPECT_EQ(verdict(schema, R"({"a": "", "z": 1})"), Verdict::invalid);     // the pattern, too
  EXPECT_EQ(verdict(schema, R"({"a": "x", "z": "1"})"), Verdict::invalid);  // z is additional
  EXPECT_EQ(verdict(schema, R"({"a": "x", "ac": "", "z": 1})"), Verdict::invalid);
  EXPECT_EQ(verdict(schema, R"({"a": "x"})"), Verdict::invalid);
}

TEST(SchemaLowering, UnevaluatedIsAdditionalWhereNothingIsConditional) {
  const Schema schema = schema_of(R"({
    "$ref": "#/$defs/base", "allOf": [{"patternProperties": {"^x-": true}}],
    "properties": {"own": {"type": "string"}}, "unevaluatedProperties": false,
    "$defs": {"base": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}}})");
  EXPECT_EQ(count(schema, Op::unevaluated_members), 0U);
  EXPECT_EQ(verdict(schema, R"({"id": 1, "own": "a", "x-1": 2})"), Verdict::valid);
  EXPECT_EQ(verdict(schema, R"({"id": 1, "other": 2})"), Verdict::invalid);
  const Schema items = schema_of(
      R"({"allOf": [{"prefixItems": [true, true]}, {"prefixItems": [true]}], "unevaluatedItems": false})");
  EXPECT_EQ(count(items, Op::unevaluated_items), 0U);
  EXPECT_EQ(verdict(items, "[1, 2]"), Verdict::valid);
  EXPECT_EQ(verdict(items, "[1, 2, 3]"), Verdict::invalid);
}

TEST(SchemaLowering, UnevaluatedIsGoneWhereAllIsEvaluated) {
  EXPECT_EQ(count(schema_of(R"({"anyOf": [{"properties": {"a": true}}, {"minProperties": 1}],
                                "additionalProperties": true, "unevaluatedProperties": false})"),
                  Op::unevaluated_members),
            0U);
  EXPECT_EQ(
      count(schema_of(R"({"contains": {"const": 1}, "items": true, "unevaluatedItems": false})"),
            Op::unevaluated_items),
      0U);
}

TEST(SchemaLowering, ADynamicReferenceIsStaticWhereOneAnchorCanBeMeant) {
  const Schema tree = schema_of(R"({"$dynamicAnchor": "node", "type": "object",
                                    "properties": {"child": {"$dynamicRef": "#node"}}})");
  EXPECT_EQ(count(tree, Op::dynamic), 0U);
  EXPECT_FALSE(Inspect::program(tree).dynamic_scope);
  EXPECT_EQ(verdict(tree, R"({"child": {"child": 1}})"), Verdict::invalid);
  const Schema meta = schema_of(R"({"$ref": "https://json-schema.org/draft/2020-12/schema"})");
  EXPECT_TRUE(Inspect::program(meta).dynamic_scope);
}

TEST(SchemaLowering, NumbersBeyondTwoTo53AreComparedByTheirDigits) {
  const Schema schema = schema_of(R"({"enum": [1, 9007199254740993, 1e400]})");
  EXPECT_EQ(verdict(schema, "1.0"), Verdict::valid);
  EXPECT_EQ(verdict(schema, "9007199254740993"), Verdict::valid);
  EXPECT_EQ(verdict(schema, "9007199254740992"), Verdict::invalid);
  EXPECT_EQ(verdict(schema, "10e399"), Verdict::valid);
  EXPECT_EQ(verdict(schema, "1e401"), Verdict::invalid);
}

TEST(SchemaLowering, EmptyNamesAndTextsAreNamesAndTexts) {
  const Schema schema = schema_of(R"({"properties": {"": {"const": ""}}, "required": [""],
                                      "additionalProperties": false})");
  EXPECT_EQ(verdict(schema, R"({"": ""})"), Verdict::valid);
  EXPECT_EQ(verdict(schema, R"({"": "a"})"), Verdict::invalid);
  EXPECT_EQ(verdict(schema, "{}"), Verdict::invalid);
  EXPECT_EQ(verdict(schema, R"({"": "", "a": 1})"), Verdict::invalid);
  const Schema texts = schema_of(R"({"enum": ["", "a", "b", "c", "d", "e", "f", "g"]})");
  EXPECT_EQ(verdict(texts, "\"\""), Verdict::valid);
  EXPECT_EQ(verdict(texts, "\"h\""), Verdict::invalid);
}

}  // namespace
}  // namespace interline::schema
