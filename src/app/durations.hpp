// Durations as the configuration writes them: "500ms", "60s", "15m", "24h", "7d".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace interline::app {

[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);
/// In the largest unit that leaves no fraction; whole milliseconds.
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace interline::app
