// Schemas and instances made to cost much: each ends with a clear answer, in bounded work and
// memory.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "schema/inspect.hpp"
#include "schema/machine.hpp"
#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

using testing::compiled;
using testing::parsed;

constexpr std::string_view kVerdicts[] = {"valid", "invalid", "budget_exceeded"};
struct CodeName {
  std::string_view name;
  CompileErrorCode code;
};
constexpr CodeName kCodes[] = {{"too_large", CompileErrorCode::too_large},
                               {"endless_loop", CompileErrorCode::endless_loop},
                               {"invalid_pattern", CompileErrorCode::invalid_pattern}};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(HostileCorpus, EachFileEndsAsItSays) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(INTERLINE_SOURCE_DIR "/tests/vectors/hostile")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++files;
    const json::Document document = parsed(read(entry.path()));
    const json::Value& schema_value = *document.root().find("schema");
    const std::string_view expected = document.root().find("compile")->as_string();
    const auto schema = Schema::compile(schema_value);
    if (expected != "ok") {
      ASSERT_FALSE(schema);
      const auto* code = std::ranges::find(kCodes, expected, &CodeName::name);
      ASSERT_NE(code, std::end(kCodes));
      EXPECT_EQ(schema.error().code, code->code) << to_string(schema.error());
      continue;
    }
    ASSERT_TRUE(schema) << to_string(schema.error());
    // The compiled form stays in proportion to the text; patterns have their own limits.
    EXPECT_LT(schema->memory(), 200 * schema_value.source().size() + (8U << 20U));
    const json::Value& instance = *document.root().find("instance");
    ValidateLimits limits;
    limits.steps = 1'000'000;  // a fifth of the default: these grow without end, and tests are slow
    const auto verdict = static_cast<std::size_t>(schema->validate(instance, limits));
    EXPECT_EQ(kVerdicts[verdict], document.root().find("verdict")->as_string());
    const Report report = schema->report(instance, limits);
    EXPECT_EQ(static_cast<std::size_t>(report.verdict), verdict);
    EXPECT_LE(report.errors.size(), 16U);
  }
  EXPECT_GT(files, 20U);
}

std::string repeated(std::size_t count, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + part(i);
  return text;
}

void expect_too_large(std::string_view text) {
  const auto schema = compiled(text);
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().code, CompileErrorCode::too_large) << to_string(schema.error());
}

TEST(HostileSchemas, CountsBeyondTheLimitsAreRefused) {
  expect_too_large(R"({"allOf": [)" + repeated(20'001, [](std::size_t) { return "{}"; }) + "]}");
  expect_too_large(R"({"enum": [)" +
                   repeated(50'001, [](std::size_t i) { return std::to_string(i); }) + "]}");
  expect_too_large(R"({"allOf": [)" +
                   repeated(10'001, [](std::size_t) { return R"({"$ref": "#/$defs/a"})"; }) +
                   R"(], "$defs": {"a": true}})");
  expect_too_large(
      R"({"patternProperties": {)" +
      repeated(2'001, [](std::size_t i) { return "\"^a" + std::to_string(i) + "\": true"; }) +
      "}}");
}

// 6,000 names and 1,500 patterns: nine million matches, if they were all made.
TEST(HostileSchemas, NamesTimesPatternsAreBounded) {
  expect_too_large(
      R"({"properties": {)" +
      repeated(6'000, [](std::size_t i) { return "\"name" + std::to_string(i) + "\": true"; }) +
      R"(}, "patternProperties": {)" +
      repeated(1'500,
               [](std::size_t i) {
                 return "\"^(x|y)*z" + std::to_string(i) + R"(": {"type": "string"})";
               }) +
      "}}");
}

TEST(HostileSchemas, ALongIdentifierIsRefusedBeforeItIsCopiedForEachReference) {
  expect_too_large(R"({"$id": "https://example.com/)" + std::string(10'000, 'a') + "\"}");
}

// Each of many dynamic references could lead to each of many anchors.
TEST(HostileSchemas, DynamicReferencesTimesAnchorsStayLinear) {
  const std::string text =
      R"({"$id": "https://example.com/", "allOf": [)" +
      repeated(3'000,
               [](std::size_t i) {
                 const std::string n = std::to_string(i);
                 return R"({"$id": "r)" + n +
                        R"(", "items": {"$dynamicRef": "#x"}, "$defs": {"x": {)" +
                        R"("$dynamicAnchor": "x", "minimum": )" + n + "}}}";
               }) +
      "]}";
  const auto schema = compiled(text);
  ASSERT_TRUE(schema) << to_string(schema.error());
  EXPECT_LT(schema->memory(), 60 * text.size());
  EXPECT_EQ(testing::verdict(*schema, "[5000]"), Verdict::valid);
  EXPECT_EQ(testing::verdict(*schema, "[5]"), Verdict::invalid);
}

// allOf of references to one large definition: copied in where small, called where large.
TEST(HostileSchemas, LoweringStaysInProportion) {
  const std::string text =
      R"({"$defs": {"large": {"allOf": [)" +
      repeated(16, [](std::size_t i) { return R"({"minimum": )" + std::to_string(i) + "}"; }) +
      R"(]}}, "allOf": [)" +
      repeated(5'000,
               [](std::size_t i) {
                 return R"({"$ref": "#/$defs/large", "maximum": )" + std::to_string(1'000 + i) +
                        "}";
               }) +
      "]}";
  const auto schema = compiled(text);
  ASSERT_TRUE(schema) << to_string(schema.error());
  EXPECT_LE(Inspect::program(*schema).instructions.size(), 1'000'000U);
  EXPECT_LT(schema->memory(), 100 * text.size());
  EXPECT_EQ(testing::verdict(*schema, "15"), Verdict::valid);
  EXPECT_EQ(testing::verdict(*schema, "14"), Verdict::invalid);
}

TEST(HostileInstances, ManyMembersAgainstManyPatternsSpendTheBudget) {
  const auto schema =
      compiled(R"({"patternProperties": {)" +
               repeated(1'000,
                        [](std::size_t i) {
                          return "\"" + std::to_string(i) + R"($": {"type": "integer"})";
                        }) +
               "}}");
  ASSERT_TRUE(schema);
  const std::string instance =
      "{" + repeated(9'000, [](std::size_t i) { return "\"n" + std::to_string(i) + "\": 1"; }) +
      "}";
  EXPECT_EQ(testing::verdict(*schema, instance), Verdict::budget_exceeded);
}

// Names that would collide in a table without a key are nothing special in one with a key.
TEST(HostileInstances, NamesByTheThousandAreOneLookUpEach) {
  const auto schema =
      compiled(R"({"properties": {)" +
               repeated(5'000,
                        [](std::size_t i) {
                          return "\"n" + std::to_string(i) + R"(": {"type": "integer"})";
                        }) +
               R"(}, "additionalProperties": false})");
  ASSERT_TRUE(schema);
  const std::string text =
      "{" + repeated(5'000, [](std::size_t i) { return "\"n" + std::to_string(i) + "\": 1"; }) +
      "}";
  const json::Document instance = parsed(text);
  const ValidateLimits limits;
  Machine machine(Inspect::model(*schema), Inspect::program(*schema), limits);
  EXPECT_EQ(machine.validate(instance.root()), Verdict::valid);
  EXPECT_LT(limits.steps - machine.steps_left(), 10'010U);
  EXPECT_LT(Inspect::program(*schema).members.front().names.probes, 64U);
}

TEST(HostileInstances, ReportsOfAMillionErrorsAreSmall) {
  const auto schema = compiled(R"({"items": {"anyOf": [{"type": "string"}, {"minimum": 1}]}})");
  ASSERT_TRUE(schema);
  const std::string text = "[" + repeated(50'000, [](std::size_t) { return "0"; }) + "]";
  const json::Document instance = parsed(text);
  const Report report = schema->report(instance.root());
  EXPECT_EQ(report.errors.size(), 16U);
  EXPECT_TRUE(report.more);
  EXPECT_LT(schema->output(instance.root(), OutputFormat::detailed).size(), 16'384U);
}

}  // namespace
}  // namespace interline::schema
