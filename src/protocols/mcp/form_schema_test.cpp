// 2026-07-28, client/elicitation, "Requested Schema"; brief section 14.
#include "protocols/mcp/form_schema.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

constexpr Revision kModern = Revision::v2026_07_28;

std::string object_with(std::string_view field) {
  return R"({"type":"object","properties":{"f":)" + std::string(field) + "}}";
}
bool is_flat(std::string_view field, Revision revision = kModern) {
  return form_for(object_with(field), revision).shape == FormShape::flat;
}

TEST(Mcp_Forms, FieldsOfEveryKindAreFlat) {
  for (const std::string_view field :
       {R"({"type":"string","minLength":3,"format":"email","default":"a@b"})",
        R"({"type":"string","pattern":"^a"})", R"({"type":"number","minimum":0.5,"default":50})",
        R"({"type":"integer"})", R"({"type":"boolean","default":false})",
        R"({"type":"string","enum":["a","b"],"default":"a"})",
        R"({"type":"string","enum":["a"],"enumNames":["A"]})",
        R"({"type":"string","oneOf":[{"const":"a","title":"A"}]})",
        R"({"type":"array","minItems":1,"items":{"type":"string","enum":["a"]},"default":["a"]})",
        R"({"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}})"}) {
    EXPECT_TRUE(is_flat(field)) << field;
    EXPECT_EQ(form_for(object_with(field), kModern).schema, object_with(field));
  }
}

TEST(Mcp_Forms, AnythingElseIsNot) {
  for (const std::string_view field :
       {R"({})", R"(true)", R"({"type":"object"})", R"({"type":"array"})",
        R"({"type":"array","items":{"type":"number"}})", R"({"type":["string","null"]})",
        R"({"type":"string","enum":[]})", R"({"type":"string","enum":[1]})",
        R"({"type":"string","oneOf":[{"const":"a"}]})", R"({"type":"string","default":7})",
        R"({"type":"boolean","default":"x"})", R"({"$ref":"#/$defs/a","type":"string"})",
        R"({"type":"null"})", R"({"type":"number","enum":[1]})"}) {
    EXPECT_FALSE(is_flat(field)) << field;
  }
  for (const std::string_view schema :
       {R"({"type":"object"})", R"({"type":"object","properties":[]})",
        R"({"type":"object","properties":{"a":{"type":"string"}},"required":["b"]})",
        R"({"properties":{"a":{"type":"string"}}})"}) {
    const auto document = parse(schema);
    EXPECT_TRUE(form_fault(document.root(), kModern)) << schema;
  }
  const auto nested = parse(object_with(R"({"type":"object"})"));
  EXPECT_EQ(form_fault(nested.root(), kModern),
            "/properties/f: a field is a text, a number, true or false, or a choice");
}

TEST(Mcp_Forms, LaterKindsAreNotForEarlierRevisions) {
  EXPECT_FALSE(
      is_flat(R"({"type":"string","oneOf":[{"const":"a","title":"A"}]})", Revision::v2025_06_18));
  EXPECT_FALSE(
      is_flat(R"({"type":"array","items":{"type":"string","enum":["a"]}})", Revision::v2025_06_18));
  EXPECT_TRUE(is_flat(R"({"type":"string","enum":["a"]})", Revision::v2025_06_18));
}

TEST(Mcp_Forms, FieldsAreWrittenAsTheSpecificationWritesThem) {
  EXPECT_EQ(form_for(object_with(R"({"type":"string","format":"uuid"})"), kModern).schema,
            object_with(R"({"type":"string"})"));
  EXPECT_EQ(form_for(object_with(R"({"enum":["a"]})"), kModern).schema,
            object_with(R"({"type":"string","enum":["a"]})"));
}

TEST(Mcp_Forms, OtherQuestionsAreOneField) {
  for (const std::string_view any : {"", "{}", "true", " { } "}) {
    const Form form = form_for(any, kModern);
    EXPECT_EQ(form.shape, FormShape::free_text);
    EXPECT_EQ(form.schema,
              R"({"type":"object","properties":{"value":{"type":"string"}},"required":["value"]})");
  }
  const Form boolean = form_for(R"({"type":"boolean"})", kModern);
  EXPECT_EQ(boolean.shape, FormShape::wrapped);
  EXPECT_EQ(boolean.schema,
            R"({"type":"object","properties":{"value":{"type":"boolean"}},"required":["value"]})");
  const Form nested = form_for(object_with(R"({"type":"object"})"), kModern);
  EXPECT_EQ(nested.shape, FormShape::json_text);
  const auto document = parse(nested.schema);
  EXPECT_FALSE(form_fault(document.root(), kModern));
  EXPECT_EQ(form_for("no json", kModern).shape, FormShape::json_text);
}

Result<std::string> value(FormShape shape, std::string_view content) {
  if (content.empty()) return form_value(shape, nullptr);
  const auto document = parse(content);
  return form_value(shape, &document.root());
}

TEST(Mcp_Forms, AnswersBecomeTheValueThatWasAskedFor) {
  EXPECT_EQ(value(FormShape::flat, R"({"a":1.50,"b":["x"],"c":true})"),
            R"({"a":1.50,"b":["x"],"c":true})");
  EXPECT_EQ(value(FormShape::flat, ""), "{}");
  EXPECT_EQ(value(FormShape::wrapped, R"({"value":1.50,"more":"x"})"), "1.50");
  EXPECT_EQ(value(FormShape::free_text, R"({"value":"a\n"})"), R"("a\n")");
  EXPECT_EQ(value(FormShape::json_text, R"({"value":"{\"a\":[]}"})"), R"({"a":[]})");
}

TEST(Mcp_Forms, MalformedAnswersAreRefused) {
  for (const std::string_view content :
       {"[]", "null", R"({"a":{}})", R"({"a":null})", R"({"a":[1]})"}) {
    EXPECT_FALSE(value(FormShape::flat, content)) << content;
  }
  EXPECT_FALSE(value(FormShape::wrapped, ""));
  EXPECT_FALSE(value(FormShape::wrapped, R"({"other":1})"));
  EXPECT_FALSE(value(FormShape::free_text, R"({"value":1})"));
  EXPECT_FALSE(value(FormShape::json_text, R"({"value":"{"})"));
  EXPECT_FALSE(value(FormShape::json_text, R"({"value":"{\"a\":1,\"a\":2}"})"));
}

}  // namespace
}  // namespace interline::protocols::mcp
