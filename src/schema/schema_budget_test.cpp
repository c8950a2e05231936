// What validating may cost: steps, depth, stack, memory. Work is counted, never timed.
#include <pthread.h>
#include <string>

#include <gtest/gtest.h>

#include "schema/collector.hpp"
#include "schema/inspect.hpp"
#include "schema/machine.hpp"
#include "schema/schema_test_support.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERLINE_SANITIZED 1
#else
#define INTERLINE_SANITIZED 0
#endif

namespace interline::schema {
namespace {

using testing::parsed;
using testing::schema_of;

/// Steps that validating takes, and its verdict.
struct Work {
  Verdict verdict;
  std::size_t steps;
};

Work work_of(const Schema& schema, std::string_view instance, const ValidateLimits& limits = {}) {
  const json::Document document = parsed(instance);
  Machine machine(Inspect::model(schema), Inspect::program(schema), limits);
  const Verdict verdict = machine.validate(document.root());
  return {verdict, limits.steps - machine.steps_left()};
}

std::string nested_arrays(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

std::string numbers(int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(i);
  return text + "]";
}

TEST(SchemaBudget, StepsGrowWithTheInstance) {
  const Schema schema = schema_of(R"({"items": {"type": "integer", "minimum": 0}})");
  const Work small = work_of(schema, numbers(100));
  const Work large = work_of(schema, numbers(10'000));
  EXPECT_EQ(large.verdict, Verdict::valid);
  EXPECT_GT(large.steps, 10'000U);
  EXPECT_LT(large.steps, small.steps * 110);
}

TEST(SchemaBudget, SpentStepsAreNeitherValidNorInvalid) {
  for (const std::string_view text :
       {R"({"items": {"minimum": 0}})", R"({"not": {"items": {"minimum": 0}}})",
        R"({"anyOf": [{"items": {"minimum": 0}}, {"maxItems": 50}]})",
        R"({"oneOf": [{"items": {"minimum": 0}}, {"maxItems": 50}]})",
        R"({"if": {"items": {"minimum": 0}}, "then": {"maxItems": 1}, "else": {"maxItems": 2}})",
        R"({"contains": {"minimum": 1000}, "minContains": 0, "maxContains": 5})",
        R"({"uniqueItems": true})",
        R"({"prefixItems": [{"items": false}], "items": {"minimum": 0}})",
        R"({"anyOf": [{"contains": {"minimum": 1000}}, {"minItems": 1}], "unevaluatedItems": true,
            "items": {"minimum": 0}})"}) {
    SCOPED_TRACE(text);
    const Schema schema = schema_of(text);
    ValidateLimits limits;
    limits.steps = 60;
    EXPECT_EQ(work_of(schema, numbers(100), limits).verdict, Verdict::budget_exceeded);
    const json::Document document = parsed(numbers(100));
    EXPECT_EQ(schema.report(document.root(), limits).verdict, Verdict::budget_exceeded);
  }
}

// Whatever the budget, the verdict is the true one or none.
TEST(SchemaBudget, NoBudgetChangesAVerdict) {
  const Schema schema = schema_of(R"({
    "type": "object",
    "properties": {"a": {"not": {"contains": {"const": 3}}}, "b": {"oneOf": [{"maxLength": 3},
      {"pattern": "^x+$"}]}, "c": {"anyOf": [{"type": "integer"}, {"uniqueItems": true}]}},
    "patternProperties": {"^p": {"if": {"minimum": 2}, "then": {"multipleOf": 2}}},
    "anyOf": [{"required": ["a"], "properties": {"q": true}}, {"required": ["z"]}],
    "unevaluatedProperties": {"type": "null"}})");
  for (const std::string_view instance :
       {R"({"a": [1, 2], "b": "xxxx", "c": [1, 2, 3], "p1": 4, "q": 1, "r": null})",
        R"({"a": [1, 2, 3], "b": "xxxx"})", R"({"a": [1], "b": "xxx"})", R"({"a": 1, "p": 3})",
        R"({"a": 1, "c": [1, 1]})", R"({"a": 1, "r": 1})", R"({"y": 1})"}) {
    const Verdict truth = work_of(schema, instance).verdict;
    const std::size_t needed = work_of(schema, instance).steps;
    for (std::size_t steps = 0; steps <= needed; ++steps) {
      ValidateLimits limits;
      limits.steps = steps;
      const Verdict verdict = work_of(schema, instance, limits).verdict;
      EXPECT_TRUE(verdict == truth || verdict == Verdict::budget_exceeded)
          << instance << " with " << steps << " steps";
      EXPECT_TRUE(steps < needed || verdict == truth);
    }
    for (std::size_t depth = 0; depth < 10; ++depth) {
      ValidateLimits limits;
      limits.depth = depth;
      const Verdict verdict = work_of(schema, instance, limits).verdict;
      EXPECT_TRUE(verdict == truth || verdict == Verdict::budget_exceeded);
    }
  }
}

TEST(SchemaBudget, DepthIsBounded) {
  const Schema schema = schema_of(R"({"items": {"$ref": "#"}})");
  EXPECT_EQ(work_of(schema, nested_arrays(500)).verdict, Verdict::valid);
  EXPECT_EQ(work_of(schema, nested_arrays(600)).verdict, Verdict::budget_exceeded);
  // Where nothing is asked of what is deep, its depth is nothing to us.
  EXPECT_EQ(work_of(schema_of(R"({"type": "array"})"), nested_arrays(600)).verdict, Verdict::valid);
}

/// Runs a function on a thread with a stack of that size.
template <class Function>
void on_stack(std::size_t bytes, Function function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread{};
  const auto start = [](void* argument) -> void* {
    (*static_cast<Function*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &function), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

// The deepest evaluations: each level through another handler.
TEST(SchemaBudget, TheDeepestValidationFitsASmallStack) {
  constexpr std::size_t kStack = INTERLINE_SANITIZED ? 8U << 20U : 256U << 10U;
  std::string objects = "1";
  for (int i = 0; i < 700; ++i) objects = R"({"a":)" + objects + "}";
  for (const std::string_view text :
       {R"({"items": {"$ref": "#"}})", R"({"contains": {"$ref": "#"}})",
        R"({"properties": {"a": {"$ref": "#"}}})",
        R"({"patternProperties": {"a|^b": {"$ref": "#"}}})",
        R"({"anyOf": [{"required": ["c"]}, {"properties": {"a": {"$ref": "#"}}}],
            "unevaluatedProperties": {"$ref": "#"}})",
        R"({"oneOf": [{"minProperties": 2}, {"additionalProperties": {"$ref": "#"}}]})",
        R"({"if": {"properties": {"a": {"$ref": "#"}}}, "then": {"minProperties": 1}})"}) {
    SCOPED_TRACE(text);
    const Schema schema = schema_of(text);
    const json::Document deep_objects = parsed(objects);
    const json::Document deep_arrays = parsed(nested_arrays(700));
    std::size_t exceeded = 0;
    on_stack(kStack, [&] {
      for (const json::Document* document : {&deep_objects, &deep_arrays}) {
        if (schema.validate(document->root()) == Verdict::budget_exceeded) ++exceeded;
      }
    });
    EXPECT_EQ(exceeded, 1U);  // the one whose kind the schema descends into
  }
}

TEST(SchemaBudget, TheDeepestReportFitsAnEighthOfAnOrdinaryStack) {
  std::string objects = "1";
  for (int i = 0; i < 500; ++i) objects = R"({"a":)" + objects + "}";
  const json::Document document = parsed(objects);
  const Schema schema = schema_of(R"({"properties": {"a": {"allOf": [{"$ref": "#"}]}},
                                      "type": "object"})");
  on_stack(INTERLINE_SANITIZED ? 32U << 20U : 1U << 20U, [&] {
    const Report report = schema.report(document.root());
    EXPECT_EQ(report.verdict, Verdict::invalid);
    const std::string output = schema.output(document.root(), OutputFormat::detailed);
    EXPECT_TRUE(json::parse(output));
  });
}

TEST(SchemaBudget, UniqueItemsIsLinear) {
  const Schema schema = schema_of(R"({"uniqueItems": true})");
  const Work small = work_of(schema, numbers(1'000));
  const Work large = work_of(schema, numbers(100'000));
  EXPECT_EQ(large.verdict, Verdict::valid);
  EXPECT_LT(large.steps, small.steps * 150);
}

TEST(SchemaBudget, AHugeEnumIsOneLookup) {
  std::string text = R"({"enum": [)";
  for (int i = 0; i < 40'000; ++i) text += "\"value" + std::to_string(i) + "\",";
  text += R"({"a": [1]}, 12, null]})";
  const Schema schema = schema_of(text);
  for (const std::string_view instance :
       {"\"value39999\"", "\"none\"", R"({"a": [1.0]})", "12", "13", "null"}) {
    EXPECT_LT(work_of(schema, instance).steps, 20U) << instance;
  }
  EXPECT_EQ(work_of(schema, "\"value39999\"").verdict, Verdict::valid);
  EXPECT_EQ(work_of(schema, "\"value40000\"").verdict, Verdict::invalid);
  EXPECT_EQ(work_of(schema, R"({"a": [1.0]})").verdict, Verdict::valid);
}

}  // namespace
}  // namespace interline::schema
