#include "app/durations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace interline::app {
namespace {

using std::chrono::nanoseconds;

struct Unit {
  std::string_view suffix;
  nanoseconds length;
};
constexpr std::array<Unit, 5> kUnits = {{{"ms", std::chrono::milliseconds(1)},
                                         {"s", std::chrono::seconds(1)},
                                         {"m", std::chrono::minutes(1)},
                                         {"h", std::chrono::hours(1)},
                                         {"d", std::chrono::hours(24)}}};
constexpr std::int64_t kLargestCount = 1'000'000'000;

}  // namespace

std::optional<nanoseconds> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 0 || count > kLargestCount) return std::nullopt;
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit = std::ranges::find(kUnits, suffix, &Unit::suffix);
  if (unit == kUnits.end()) return std::nullopt;
  if (count > nanoseconds::max() / unit->length) return std::nullopt;
  return unit->length * count;
}

std::string duration_text(nanoseconds duration) {
  if (duration == nanoseconds::zero()) return "0s";
  for (auto unit = kUnits.rbegin(); unit != kUnits.rend(); ++unit) {
    if (duration % unit->length == nanoseconds::zero()) {
      return std::to_string(duration / unit->length).append(unit->suffix);
    }
  }
  return std::to_string(duration / std::chrono::milliseconds(1)) + "ms";
}

}  // namespace interline::app
