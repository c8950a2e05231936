// A healthy validator beside a hostile one: how far its slowest validations move while another
// thread spends its whole budget on schemas and patterns that were made to be slow.
//
// Prints p50 and p99 of one healthy validation, alone and with the neighbour, and their ratios.
// With two cores or more the two threads do not share one; whatever moves is contention inside us.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "json/parse.hpp"
#include "schema/schema.hpp"

namespace {

using namespace interline;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kHealthySchema = R"({
  "type":"object","required":["city","days"],"additionalProperties":false,
  "properties":{"city":{"type":"string","pattern":"^[A-Z][a-z]+$"},
                "days":{"type":"integer","minimum":1,"maximum":14}}})";
constexpr std::string_view kHealthyInstance = R"({"city":"Riga","days":3})";

struct Hostile {
  std::string schema;
  std::string instance;
};

std::vector<Hostile> hostile() {
  const std::string letters(5'000, 'a');
  return {
      {R"({"pattern":"^(a+)+\\1$"})", '"' + letters + "b\""},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}]},"c":{"items":{"$ref":"#/$defs/a"},"maxItems":0}}})",
       "[[[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]]]"},
      {R"({"type":"array","uniqueItems":true})",
       "[" + std::string(R"({"a":[1,2,3]},)") + std::string(R"({"a":[3,2,1]})") + "]"},
  };
}

struct Percentiles {
  double p50;
  double p99;
};

Percentiles measure(const schema::Schema& schema, const json::Value& instance) {
  constexpr int kRounds = 200'000;
  std::vector<double> times;
  times.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i) {
    const auto begin = Clock::now();
    if (schema.validate(instance) != schema::Verdict::valid) std::abort();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  std::ranges::sort(times);
  return {times[kRounds / 2], times[kRounds * 99 / 100]};
}

}  // namespace

int main() {
  const auto schema_document = json::parse(kHealthySchema);
  const auto instance = json::parse(kHealthyInstance);
  const auto healthy = schema::Schema::compile(schema_document->root());
  if (!healthy) return 2;
  measure(*healthy, instance->root());
  const Percentiles alone = measure(*healthy, instance->root());

  std::atomic<bool> stop = false;
  std::atomic<std::size_t> exceeded = 0;
  std::jthread neighbour([&stop, &exceeded] {
    const auto attacks = hostile();
    while (!stop) {
      for (const Hostile& attack : attacks) {
        const auto document = json::parse(attack.schema);
        const auto compiled = document ? schema::Schema::compile(document->root())
                                       : std::unexpected(schema::CompileError{});
        const auto input = json::parse(attack.instance);
        if (!compiled || !input) continue;
        exceeded += compiled->validate(input->root()) == schema::Verdict::budget_exceeded ? 1 : 0;
      }
    }
  });
  const Percentiles beside = measure(*healthy, instance->root());
  stop = true;
  neighbour.join();
  std::printf("%-12s%10s%10s\n", "", "p50", "p99");
  std::printf("%-12s%8.0fns%8.0fns\n", "alone", alone.p50, alone.p99);
  std::printf("%-12s%8.0fns%8.0fns\n", "beside", beside.p50, beside.p99);
  std::printf("%-12s%10.2f%10.2f   (%zu validations of the neighbour ran out of budget)\n", "ratio",
              beside.p50 / alone.p50, beside.p99 / alone.p99, exceeded.load());
}
