// Random schemas and instances: the machine and the collector are two implementations of one
// specification, and must be of one opinion.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "schema/collector.hpp"
#include "schema/inspect.hpp"
#include "schema/schema_generator.hpp"
#include "schema/schema_test_support.hpp"

namespace interline::schema {
namespace {

/// INTERLINE_SCHEMA_SEED chooses other schemas, INTERLINE_SCHEMA_ROUNDS more of them.
std::uint64_t from_environment(const char* name, std::uint64_t value) {
  const char* text = std::getenv(name);
  return text == nullptr ? value : std::strtoull(text, nullptr, 10);
}

TEST(RandomSchemas, MachineAndCollectorAgree) {
  const std::uint64_t seed = from_environment("INTERLINE_SCHEMA_SEED", 1);
  const std::uint64_t rounds = from_environment("INTERLINE_SCHEMA_ROUNDS", 1'000);
  std::size_t compiled = 0;
  std::size_t verdicts[3] = {};
  for (std::uint64_t round = 0; round < rounds; ++round) {
    testing::Generator generator(seed * 1'000'003 + round);
    const std::string text = generator.schema();
    const auto schema = testing::compiled(text);
    if (!schema) {
      // References may lead back to themselves or nowhere, by chance.
      EXPECT_TRUE(schema.error().code == CompileErrorCode::endless_loop ||
                  schema.error().code == CompileErrorCode::unresolved_reference)
          << to_string(schema.error()) << "\n"
          << text;
      continue;
    }
    ++compiled;
    for (int i = 0; i < 12; ++i) {
      const std::string instance_text = generator.instance();
      const json::Document instance = testing::parsed(instance_text);
      const Verdict verdict = schema->validate(instance.root());
      ++verdicts[static_cast<std::size_t>(verdict)];
      if (verdict == Verdict::budget_exceeded) continue;
      for (const auto gather : {Collector::Gather::errors, Collector::Gather::annotations}) {
        Collector collector(Inspect::model(*schema), {}, gather);
        ASSERT_EQ(collector.evaluate(instance.root()), verdict)
            << "seed " << seed << ", round " << round << "\n"
            << text << "\n"
            << instance_text;
      }
    }
  }
  // What is generated is neither all refused nor all of one verdict.
  EXPECT_GT(compiled, rounds / 2);
  EXPECT_GT(verdicts[0], rounds);
  EXPECT_GT(verdicts[1], rounds);
}

}  // namespace
}  // namespace interline::schema
