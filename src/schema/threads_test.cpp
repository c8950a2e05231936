// One compiled Schema, used by several threads at once: the answers stay right, and under
// ThreadSanitizer nothing is written that another thread reads.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/schema.hpp"

namespace interline::schema {
namespace {

// Of each part that could be tempted to keep something between calls: patterns (both engines),
// formats, unique items, dynamic references, unevaluated properties.
constexpr const char* kSchema = R"({
  "$id": "https://example.test/root",
  "$dynamicAnchor": "node",
  "type": "object",
  "properties": {
    "name": {"type": "string", "pattern": "^(?:[a-z]+-)*[a-z]+\\d{1,8}$"},
    "twice": {"type": "string", "pattern": "^(\\w+)-\\1$"},
    "day": {"type": "string", "format": "date"},
    "tags": {"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", {"c": [1, 2]}]}},
    "child": {"$dynamicRef": "#node"}
  },
  "patternProperties": {"^x-[^-]*$": true},
  "unevaluatedProperties": false
})";

struct Row {
  const char* instance;
  Verdict verdict;
};
constexpr Row kRows[] = {
    {R"({"name": "some-long-name42", "twice": "ab-ab", "day": "2026-02-28"})", Verdict::valid},
    {R"({"name": "some-long-name", "twice": "ab-ab"})", Verdict::invalid},
    {R"({"twice": "ab-ac"})", Verdict::invalid},
    {R"({"day": "2026-02-30"})", Verdict::invalid},
    {R"({"tags": ["a", {"c": [1, 2]}], "x-more": 1})", Verdict::valid},
    {R"({"tags": ["a", {"c": [1, 2]}, {"c": [1, 2]}]})", Verdict::invalid},
    {R"({"child": {"child": {"name": "a1"}}})", Verdict::valid},
    {R"({"child": {"child": {"other": "a1"}}})", Verdict::invalid},
};

TEST(Schema_Threads, OneCompiledSchemaServesMany) {
  const auto document = json::parse(kSchema);
  ASSERT_TRUE(document);
  CompileOptions options;
  options.assert_format = true;
  const auto schema = Schema::compile(document->root(), options);
  ASSERT_TRUE(schema) << to_string(schema.error());

  std::atomic<int> right = 0;
  const auto work = [&schema, &right](std::size_t start) {
    const Schema copy = *schema;  // copies share the program
    for (std::size_t i = 0; i < 50 * std::size(kRows); ++i) {
      const Row& row = kRows[(start + i) % std::size(kRows)];
      const auto instance = json::parse(row.instance);
      const bool same = copy.validate(instance->root()) == row.verdict &&
                        schema->report(instance->root()).verdict == row.verdict &&
                        !schema->output(instance->root(), OutputFormat::basic).empty();
      right += same ? 1 : 0;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) threads.emplace_back(work, i * 3);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4 * 50 * static_cast<int>(std::size(kRows)));
}

}  // namespace
}  // namespace interline::schema
