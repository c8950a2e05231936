// Regular expressions as schemas have them: compiling and matching, beside PCRE2's JIT and
// std::regex in the same run; then hostile ones, and a healthy one before and after them.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <pcre2.h>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "schema/pattern.hpp"

namespace interline::schema {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRounds = 41;
constexpr auto kRoundTime = std::chrono::microseconds(500);

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

template <class Value>
void keep(const Value& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// One round: nanoseconds a call, over enough calls to fill kRoundTime.
double round_of(const auto& call, std::size_t& calls) {
  while (true) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) call();
    const auto taken = Clock::now() - start;
    if (taken >= kRoundTime / 2 || calls > (1U << 26U)) {
      return nanoseconds(taken) / static_cast<double>(calls);
    }
    calls *= 2;
  }
}

struct Race {
  double first = 0;            ///< nanoseconds a call of the first
  std::vector<double> ratios;  ///< how many times as long each of the others takes
};

/// Calls that take turns in short rounds. Each ratio is of two calls in the same round, so that
/// whatever else the machine does meets both; all numbers are medians.
template <class First, class... Others>
Race race(const First& first, const Others&... others) {
  std::vector<double> base;
  std::vector<std::vector<double>> ratios(sizeof...(others));
  std::vector<std::size_t> counts(sizeof...(others) + 1, 1);
  for (std::size_t round = 0; round < kRounds; ++round) {
    const double own = round_of(first, counts[0]);
    base.push_back(own);
    std::size_t i = 0;
    ((ratios[i].push_back(round_of(others, counts[i + 1]) / own), ++i), ...);
  }
  Race result{.first = median(std::move(base)), .ratios = {}};
  for (auto& one : ratios) result.ratios.push_back(median(std::move(one)));
  return result;
}

class Pcre2 {
 public:
  explicit Pcre2(std::string_view expression) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                              PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
                                  PCRE2_ALLOW_EMPTY_CLASS | PCRE2_NEVER_BACKSLASH_C,
                              &error, &offset, nullptr));
    if (!code_) throw std::runtime_error("PCRE2 refuses " + std::string(expression));
    pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);
    match_.reset(pcre2_match_data_create(1, nullptr));
  }

  /// The match, 0 or 1; anything else is an error of PCRE2's.
  [[nodiscard]] int search(std::string_view text) const {
    const int count = pcre2_jit_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                      text.size(), 0, 0, match_.get(), nullptr);
    return count >= 0 ? 1 : count == PCRE2_ERROR_NOMATCH ? 0 : count;
  }

 private:
  struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  std::unique_ptr<pcre2_code, Free> code_;
  std::unique_ptr<pcre2_match_data, Free> match_;
};

struct Row {
  const char* name;
  const char* expression;
  std::string text;
  bool standard = true;  ///< std::regex can read it and means the same
};

std::vector<Row> rows() {
  static const std::string kSemver =
      "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
      "(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)"
      "(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
      "(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$";
  std::string kilobyte;
  while (kilobyte.size() < 1'024) kilobyte += "The quick brown fox jumps over the lazy dog. ";
  std::string cyrillic;
  while (cyrillic.size() < 1'024) cyrillic += "Съешь ещё этих мягких французских булок, ";
  return {
      {"uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
       "3f2b8c1e-9d47-4a6b-8c2d-0e1f2a3b4c5d"},
      {"uuid, no", "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
       "3f2b8c1e-9d47-4a6b-8c2d-0e1f2a3b4c5x"},
      {"semver", kSemver.c_str(), "1.14.0-rc.2+build.5114"},
      {"slug", "^[a-z0-9-]+$", "weather-forecast-service"},
      {"slug, no", "^[a-z0-9-]+$", "weather forecast service"},
      {"identifier", "^[A-Za-z_][A-Za-z0-9_]{0,63}$", "forecast_get_daily"},
      {"date", "^\\d{4}-\\d{2}-\\d{2}$", "2026-07-28"},
      {"date-time",
       "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$",
       "2026-07-28T12:34:56.789+02:00"},
      {"email-ish", "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "alice.example@mail.example.org"},
      {"ipv4", "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)$",
       "192.168.254.17"},
      {"url", "^https?://[^\\s/$.?#][^\\s]*$", "https://agents.example.org/a2a/weather/v1?x=1"},
      {"enumeration", "^(?:red|orange|yellow|green|blue|indigo|violet)$", "indigo"},
      {"prefix", "^x-", "x-internal-note"},
      {"contains", "secret", "the quick brown fox has no such word in it"},
      {"1 KB, all", "^[^<>]*$", kilobyte},
      {"1 KB, find", "[<>]", kilobyte},
      {"1 KB, word", "\\bcat\\b", kilobyte},
      {"name", "^\\p{L}[\\p{L}\\p{M}' .-]{0,63}$", "Žofie Nováková-Žižková", false},
      {"1 KB Cyrillic", "^[\\p{L}\\p{P}\\p{Z}]+$", cyrillic, false},
      {"password", "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,64}$", "Correct7Horse9battery"},
      {"host name", "^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$",
       "agents.internal.example.org"},
      {"no dots", "^(?!.*\\.\\.)[a-z0-9.]+$", "agents.internal.example.org"},
      {"same quote", "^(['\"]).*\\1$", "'a quoted piece of text'"},
      {"no foo inside", "^(?:(?!foo).)*$", "a text without that word"},
      {"no letter twice", "^(?!.*(\\w).*\\1)\\w{3,}$", "abcdefgh"},
  };
}

void bench_row(const Row& row) {
  const Pattern ours = Pattern::compile(row.expression).value();
  const Pcre2 pcre2(row.expression);
  std::optional<std::regex> standard;
  if (row.standard) standard.emplace(row.expression, std::regex::ECMAScript | std::regex::optimize);
  const auto search = [&] {
    std::size_t steps = 1'000'000;
    return ours.search(row.text, steps);
  };
  if ((search() == Match::yes) != (pcre2.search(row.text) == 1)) {
    throw std::runtime_error(std::string("the matchers disagree about ") + row.name);
  }
  const auto pcre2_search = [&] { keep(pcre2.search(row.text)); };
  const auto standard_search = [&] {
    if (standard) keep(std::regex_search(row.text, *standard));
  };
  const Race matching = race([&] { keep(search()); }, pcre2_search, standard_search);
  const Race compiling =
      race([&] { keep(Pattern::compile(row.expression)); }, [&] { keep(Pcre2(row.expression)); });
  std::printf("%-15s %-6s %8.1f %8.2f", row.name, ours.linear() ? "linear" : "steps",
              matching.first, matching.ratios[0]);
  if (standard) {
    std::printf(" %8.1f", matching.ratios[1]);
  } else {
    std::printf(" %8s", "-");
  }
  std::printf(" %9.1f %8.2f %8zu\n", compiling.first / 1'000, compiling.ratios[0], ours.memory());
}

struct Hostile {
  std::string expression;
  std::string text;
};

std::vector<Hostile> hostile() {
  const std::string many(100'000, 'a');
  return {
      {"(a+)+$", many + "b"},
      {"(a|a)*b", many},
      {"(?:a?){100}a{100}$", many + "b"},
      {"(a*)*(a*)*(a*)*b", many},
      {"[ab]*a[ab]{20}c", many},
      {"(?=(a+))\\1b", many},
      {"^(a+)+\\1$", many + "b"},
      {"^(?=(a+)+$)b", many + "b"},
      {"(?<=(a+)+b)c", many},
      {"(x+x+)+y(?=z)", std::string(100'000, 'x')},
  };
}

void bench_hostile() {
  const Pattern healthy = Pattern::compile("^[a-z0-9-]+$").value();
  const auto healthy_call = [&] {
    std::size_t steps = 1'000'000;
    keep(healthy.search("weather-forecast-service", steps));
  };
  std::size_t calls = 1;
  std::vector<double> before;
  for (std::size_t i = 0; i < kRounds; ++i) before.push_back(round_of(healthy_call, calls));
  std::vector<double> beside;
  std::printf("\n%-24s %-16s %10s %12s %12s\n", "hostile, 100,000 bytes", "verdict", "steps",
              "compile, us", "match, ms");
  for (const Hostile& one : hostile()) {
    const auto start = Clock::now();
    const Pattern pattern = Pattern::compile(one.expression).value();
    const auto compiled = Clock::now();
    std::size_t steps = 5'000'000;
    const Match match = pattern.search(one.text, steps);
    const auto matched = Clock::now();
    std::printf("%-24s %-16s %10zu %12.1f %12.2f\n", one.expression.c_str(),
                match == Match::yes  ? "yes"
                : match == Match::no ? "no"
                                     : "budget exceeded",
                5'000'000 - steps, nanoseconds(compiled - start) / 1'000,
                nanoseconds(matched - compiled) / 1'000'000);
    beside.push_back(round_of(healthy_call, calls));
  }
  std::printf("a healthy one: %.1f ns before, %.1f ns after each of them\n", median(before),
              median(beside));
}

void run() {
  std::printf("%-15s %-6s %8s %8s %8s %9s %8s %8s\n", "", "", "search", "PCRE2", "std", "compile",
              "PCRE2", "memory");
  std::printf("%-15s %-6s %8s %8s %8s %9s %8s %8s\n", "", "", "ns", "times", "times", "us", "times",
              "bytes");
  for (const Row& row : rows()) bench_row(row);
  bench_hostile();
}

}  // namespace
}  // namespace interline::schema

int main() {
  interline::schema::run();
}
