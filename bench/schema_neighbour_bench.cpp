// A healthy validator beside a hostile one: how far its slowest validations move while another
// thread spends its whole budget, again and again, on the hostile schemas and patterns of the
// tests.
//
// Prints p50 and p99 of one healthy validation, alone and with the neighbour, and their ratios.
// With two cores or more the two threads do not share one; whatever moves is contention inside us.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
  schema::Schema schema;
  json::Document document;
  const json::Value* instance;
};

/// The corpus of tests/vectors/hostile, as far as it compiles: compiled once, as a gateway does.
std::vector<Hostile> hostile() {
  std::vector<Hostile> attacks;
  for (const auto& entry :
       std::filesystem::directory_iterator(INTERLINE_SOURCE_DIR "/tests/vectors/hostile")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    json::Limits limits;
    limits.depth = 1'000;
    auto document = json::parse(std::string(std::istreambuf_iterator<char>(file), {}), limits);
    if (!document) continue;
    const json::Value* instance = document->root().find("instance");
    auto compiled = schema::Schema::compile(*document->root().find("schema"));
    if (compiled && instance != nullptr) {
      attacks.push_back({std::move(*compiled), std::move(*document), instance});
    }
  }
  return attacks;
}

struct Percentiles {
  double p50;
  double p99;
};

Percentiles measure(const schema::Schema& schema, const json::Value& instance) {
  constexpr int kRounds = 20'000'000;  // about a second: the neighbour needs time, too
  std::vector<float> times;
  times.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i) {
    const auto begin = Clock::now();
    if (schema.validate(instance) != schema::Verdict::valid) std::abort();
    times.push_back(std::chrono::duration<float, std::nano>(Clock::now() - begin).count());
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
        if (stop) break;
        const schema::Verdict verdict = attack.schema.validate(*attack.instance);
        exceeded += verdict == schema::Verdict::budget_exceeded ? 1 : 0;
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
