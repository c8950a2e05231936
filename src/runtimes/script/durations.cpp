#include "runtimes/script/durations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace interline::runtimes::script {
namespace {

struct UnitRow {
  std::string_view word;
  double seconds;
};
constexpr std::array<UnitRow, 4> kUnits = {{{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3'600}}};

}  // namespace

std::optional<std::chrono::nanoseconds> read_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view word(unit, static_cast<std::size_t>(end - unit));
  const auto row = std::ranges::find(kUnits, word, &UnitRow::word);
  if (row == kUnits.end()) return std::nullopt;
  const std::chrono::duration<double> duration(number * row->seconds);
  if (duration > kLongestWait) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration);
}

}  // namespace interline::runtimes::script
