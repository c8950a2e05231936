// What the pieces of base/ cost, beside what they are compared with in the same run.
#include <string>
#include <vector>

#include <openssl/evp.h>

#include <benchmark/benchmark.h>

#include "base/base64.hpp"
#include "base/id.hpp"
#include "base/instant.hpp"
#include "base/log.hpp"
#include "base/manual_clock.hpp"
#include "base/sha256.hpp"
#include "base/siphash.hpp"
#include "base/utf8.hpp"

namespace interline {
namespace {

const std::string kKilobyte(1024, 'x');

void set_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(kKilobyte.size()) * state.iterations());
}

void sha256_1k(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(sha256(kKilobyte));
  set_bytes(state);
}
BENCHMARK(sha256_1k);

void sha256_1k_fetching_each_time(benchmark::State& state) {
  Digest digest;
  for (auto _ : state) {
    EVP_Digest(kKilobyte.data(), kKilobyte.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    benchmark::DoNotOptimize(digest);
  }
  set_bytes(state);
}
BENCHMARK(sha256_1k_fetching_each_time);

void hmac_sha256_1k(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(hmac_sha256("a key of some length", kKilobyte));
  set_bytes(state);
}
BENCHMARK(hmac_sha256_1k);

void base64_encode_1k(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(encode_base64(kKilobyte));
  set_bytes(state);
}
BENCHMARK(base64_encode_1k);

void base64_decode_1k(benchmark::State& state) {
  const std::string text = encode_base64(kKilobyte);
  for (auto _ : state) benchmark::DoNotOptimize(decode_base64(text));
  set_bytes(state);
}
BENCHMARK(base64_decode_1k);

void utf8_ascii_1k(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(is_valid_utf8(kKilobyte));
  set_bytes(state);
}
BENCHMARK(utf8_ascii_1k);

void utf8_mixed_1k(benchmark::State& state) {
  std::string text;
  while (text.size() < 1020) text += "aé€";
  for (auto _ : state) benchmark::DoNotOptimize(is_valid_utf8(text));
  set_bytes(state);
}
BENCHMARK(utf8_mixed_1k);

void siphash_of_a_name(benchmark::State& state) {
  const SipKey key = SipKey::random();
  const std::string name = "structuredContent";
  for (auto _ : state) benchmark::DoNotOptimize(sip_hash_1_3(key, name));
}
BENCHMARK(siphash_of_a_name);

void id_next(benchmark::State& state) {
  const ManualClock clock;
  IdSource source;
  for (auto _ : state) benchmark::DoNotOptimize(source.next(clock.now()));
}
BENCHMARK(id_next);

void instant_parse(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(Instant::parse_xep0082("2026-01-02T03:04:05.678+05:30"));
  }
}
BENCHMARK(instant_parse);

void instant_to_string(benchmark::State& state) {
  const Instant instant = Instant::from_unix_seconds(1'767'323'045);
  for (auto _ : state) benchmark::DoNotOptimize(instant.to_string(3));
}
BENCHMARK(instant_to_string);

class NullLogSink final : public LogSink {
 public:
  explicit NullLogSink(LogLevel threshold) : LogSink(threshold) {}
  void write(const LogRecord& record) override { benchmark::DoNotOptimize(record.fields.data()); }
};

void log_line_below_the_threshold(benchmark::State& state) {
  const ManualClock clock;
  const Logger log(std::make_shared<NullLogSink>(LogLevel::warning), clock);
  for (auto _ : state) log.info("message", {{"task", kKilobyte}, {"n", 1}});
}
BENCHMARK(log_line_below_the_threshold);

void log_line_to_a_sink(benchmark::State& state) {
  const ManualClock clock;
  const Logger log(std::make_shared<NullLogSink>(LogLevel::info), clock);
  const Logger session = log.with({{"peer", "alice@example.org/resource"}});
  for (auto _ : state) session.info("message", {{"task", "abc"}, {"n", 1}});
}
BENCHMARK(log_line_to_a_sink);

}  // namespace
}  // namespace interline

BENCHMARK_MAIN();
