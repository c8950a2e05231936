// Times compiling a schema, validating an instance, and the whole way of a call's arguments (parse,
// validate, canonicalise, hash). bench/schema/compare runs it beside ajv and Blaze.
//
//   schema_bench SCHEMA INSTANCE
//
// Prints one JSON object: medians of CPU time, in nanoseconds.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "schema/schema.hpp"

namespace {

using namespace interline;

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Median over `rounds` of the time of one call, each round long enough to be measured.
double median(int rounds, const std::function<void()>& call) {
  constexpr double kRound = 20e6;
  call();
  double begin = cpu_nanoseconds();
  call();
  const double once = std::max(1.0, cpu_nanoseconds() - begin);
  const int calls = std::max(1, static_cast<int>(kRound / once));
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    begin = cpu_nanoseconds();
    for (int i = 0; i < calls; ++i) call();
    times.push_back((cpu_nanoseconds() - begin) / calls);
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[static_cast<std::size_t>(rounds / 2)];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: schema_bench SCHEMA INSTANCE\n");
    return 2;
  }
  const std::string schema_text = read(argv[1]);
  const std::string instance_text = read(argv[2]);
  const auto schema_document = json::parse(schema_text);
  const auto instance = json::parse(instance_text);
  if (!schema_document || !instance) {
    std::fprintf(stderr, "schema_bench: one of the files is no JSON\n");
    return 2;
  }
  const auto compiled = schema::Schema::compile(schema_document->root());
  if (!compiled) {
    std::fprintf(stderr, "schema_bench: %s\n", to_string(compiled.error()).c_str());
    return 2;
  }
  bool valid = true;
  std::size_t bytes = 0;
  const double compile = median(
      9, [&] { valid = valid && schema::Schema::compile(schema_document->root()).has_value(); });
  const double validate = median(
      9, [&] { valid = valid && compiled->validate(instance->root()) == schema::Verdict::valid; });
  std::string canonical;
  const double whole = median(9, [&] {
    const auto parsed = json::parse_borrowed(instance_text);
    valid = valid && compiled->validate(parsed->root()) == schema::Verdict::valid;
    canonical.clear();
    json::append_canonical(canonical, parsed->root());
    bytes += sha256(canonical)[0];
  });
  std::printf(R"({"valid":%s,"compile":%.0f,"validate":%.1f,"whole":%.1f,"check":%zu})"
              "\n",
              valid ? "true" : "false", compile, validate, whole, bytes % 2);
  return valid ? 0 : 1;
}
