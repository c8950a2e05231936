// Regular expressions: bytes up to the first 0xFF are the expression, those after it the subject
// (the expression is its own subject where there is none). All matchers that can decide a pair
// decide it alike, limits hold, and a smaller budget gives the same answer or none.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.hpp"
#include "schema/pattern.hpp"
#include "schema/pattern_engines.hpp"

namespace {

using interline::schema::Match;
using interline::schema::Pattern;
using interline::schema::PatternLimits;

constexpr PatternLimits kLimits{
    .pattern_bytes = 256, .depth = 60, .program_bytes = 64U << 10U, .work = 20'000};
constexpr std::size_t kSteps = 5'000;

void require(bool condition) {
  if (!condition) std::abort();
}

Match search(const Pattern& pattern, std::string_view text, std::size_t budget) {
  std::size_t steps = budget;
  const Match match = pattern.search(text, steps);
  require(steps <= budget);
  require(match != Match::budget_exceeded || steps == 0);
  return match;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\xFF'), size);
  const std::string_view expression = bytes.substr(0, end);
  std::string_view text = end < size ? bytes.substr(end + 1) : expression;
  text = text.substr(0, std::min<std::size_t>(interline::valid_utf8_prefix(text), 512));
  text = text.substr(0, interline::valid_utf8_prefix(text));

  const auto pattern = Pattern::compile(expression, kLimits);
  const auto engines = interline::schema::pattern::Engines::make(expression, kLimits);
  if (!pattern) {
    require(pattern.error().offset <= expression.size() && !pattern.error().message.empty());
    require(!engines || pattern.error().too_large);
    return 0;
  }
  require(pattern->memory() <= kLimits.program_bytes);
  const Match match = search(*pattern, text, kSteps);
  const Match hurried = search(*pattern, text, kSteps / 500);
  require(hurried == match || hurried == Match::budget_exceeded);
  if (!engines) return 0;
  auto answers = engines->search(text, kSteps);
  answers.push_back({"pattern", match});
  require(interline::schema::pattern::agreed(answers).has_value());
  return 0;
}
