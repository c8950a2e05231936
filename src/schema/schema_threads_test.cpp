// One Schema, many threads: run under the thread sanitizer.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

TEST(SchemaThreads, OneSchemaIsSharedByAll) {
  const Schema schema = testing::schema_of(R"({
    "$id": "https://example.com/root", "type": "object",
    "properties": {"name": {"type": "string", "pattern": "^(a|b)+$", "format": "hostname"},
                   "kind": {"enum": ["a", "b", "c", "d", "e", "f", "g", {"x": 1}]},
                   "list": {"uniqueItems": true, "contains": {"const": 1}}},
    "anyOf": [{"properties": {"extra": true}, "required": ["extra"]}, {"maxProperties": 3}],
    "unevaluatedProperties": {"$dynamicRef": "other#node"},
    "$defs": {"other": {"$id": "other", "$dynamicAnchor": "node", "type": "integer"},
              "more": {"$id": "more", "$dynamicAnchor": "node", "type": "null"}}})");
  const json::Document valid = testing::parsed(
      R"({"name": "abab", "kind": {"x": 1.0}, "list": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]})");
  const json::Document invalid = testing::parsed(R"({"name": "abc", "list": [2, 2], "rest": "x"})");
  const Report expected = schema.report(invalid.root());
  ASSERT_EQ(expected.verdict, Verdict::invalid);
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        if (schema.validate(valid.root()) != Verdict::valid) ++wrong;
        if (schema.validate(invalid.root()) != Verdict::invalid) ++wrong;
        if (schema.report(invalid.root()).errors.size() != expected.errors.size()) ++wrong;
        if (schema.output(valid.root(), OutputFormat::basic).empty()) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(SchemaThreads, CompilingSharesNothing) {
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const auto schema = testing::compiled(
            R"({"$ref": "https://json-schema.org/draft/2020-12/schema", "maxProperties": )" +
            std::to_string(i) + "}");
        if (!schema || testing::verdict(*schema, "{}") != Verdict::valid) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace interline::schema
