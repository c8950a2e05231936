// Reading and canonicalising JSON, beside Boost.JSON in the same run. Two texts: the arguments of a
// tool call (1 KB) and a page of 30 KB; and the second once more with indentation.
//
//   build/release/bench/json_bench --benchmark_min_time=0.5
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/json/src.hpp>  // header-only: its library needs one more package

#include <benchmark/benchmark.h>

#include "base/sha256.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"

namespace {

using interline::json::parse_borrowed;

constexpr std::string_view kArguments =
    R"({"query":"hotels near the old town","location":{"city":"Riga","country":"LV",)"
    R"("coordinates":{"latitude":56.9496487,"longitude":24.1051846}},"dates":{"checkIn":)"
    R"("2026-07-14","checkOut":"2026-07-18","flexible":true},"guests":[{"type":"adult","age":41},)"
    R"({"type":"adult","age":39},{"type":"child","age":7}],"budget":{"currency":"EUR","minimum":)"
    R"(80,"maximum":240.5,"perNight":true},"amenities":["wifi","breakfast","parking","sauna",)"
    R"("pet friendly"],"rating":{"minimum":4.2,"reviews":150},"sort":"price","page":{"number":1,)"
    R"("size":20},"filters":{"freeCancellation":true,"excludeSoldOut":true,"chains":[],"radiusKm":)"
    R"(2.75,"accessible":null},"notes":"Late arrival, about 23:30.\nPlease keep the room; ask )"
    R"(for \"quiet side\" if there is one.","locale":"lv-LV","traceId":)"
    R"("0af7651916cd43dd8448eb211c80319c","requestedAt":"2026-06-30T09:12:44.120Z","customer":)"
    R"({"id":"c-829104","name":"Anna B\u0113rzi\u0146a","email":"anna@example.test","loyalty":)"
    R"({"tier":"gold","points":18250}},"dryRun":false})";

std::string make_page(bool pretty) {
  const std::string newline = pretty ? "\n      " : "";
  std::string text = R"({"items":[)";
  for (int i = 0; text.size() < 30'000; ++i) {
    const std::string n = std::to_string(i);
    if (i != 0) text += ',';
    text += newline + R"({"id":"order-)" + std::to_string(100'000 + 37 * i) + R"(",)" + newline;
    text += R"("status":")" + std::string(i % 3 == 0 ? "delivered" : "in transit") + R"(",)";
    text += newline + R"("total":)" + std::to_string(12.5 + 3.17 * i) + R"(,"currency":"EUR",)";
    text += newline + R"("quantity":)" + std::to_string(i % 7 + 1) + R"(,"gift":false,)";
    text += newline + R"("createdAt":"2026-05-0)" + std::to_string(i % 9 + 1);
    text += R"(T08:15:30Z","customer":{"name":"Customer )" + n + R"(","city":"Daugavpils",)";
    text += newline + R"("position":[)" + std::to_string(55.8 + 0.0137 * i) + R"(,26.5)" + n;
    text += R"(]},"lines":[{"sku":"A-)" + n + R"(","count":2},{"sku":"B-)" + n;
    text += R"(","count":1}],"comment":"leave it with the neighbour on the left, please"})";
  }
  return text + R"(],"next":"cursor-000000183"})";
}

const std::string& text_of(std::int64_t which) {
  static const std::string kTexts[] = {std::string(kArguments), make_page(false), make_page(true)};
  return kTexts[which];
}

void finish(benchmark::State& state) {
  const std::size_t bytes = text_of(state.range(0)).size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.SetLabel(std::to_string(bytes) + " bytes");
}

void parse_ours(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(parse_borrowed(text));
  finish(state);
}

void parse_boost(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  for (auto _ : state) {
    boost::json::monotonic_resource memory(text.size() * 2);
    benchmark::DoNotOptimize(boost::json::parse(text, &memory));
  }
  finish(state);
}

void canonical(benchmark::State& state) {
  const auto document = parse_borrowed(text_of(state.range(0)));
  if (!document) std::abort();
  std::string out;
  for (auto _ : state) {
    out.clear();
    interline::json::append_canonical(out, document->root());
    benchmark::DoNotOptimize(out.data());
  }
  finish(state);
}

/// What a call's arguments cost before anything is done with them, validation apart.
void parse_canonical_sha256(benchmark::State& state) {
  const std::string& text = text_of(state.range(0));
  std::string out;
  for (auto _ : state) {
    const auto document = parse_borrowed(text);
    out.clear();
    interline::json::append_canonical(out, document->root());
    benchmark::DoNotOptimize(interline::sha256(out));
  }
  finish(state);
}

BENCHMARK(parse_boost)->DenseRange(0, 2);
BENCHMARK(parse_ours)->DenseRange(0, 2);
BENCHMARK(canonical)->DenseRange(0, 2);
BENCHMARK(parse_canonical_sha256)->DenseRange(0, 2);

}  // namespace
