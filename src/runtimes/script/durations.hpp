// How long a script waits: "50ms", "1.5s", "2m", "1h".
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace interline::runtimes::script {

inline constexpr std::chrono::hours kLongestWait{24};

/// A number that is not negative and a unit, at most kLongestWait. Nothing: it is none.
[[nodiscard]] std::optional<std::chrono::nanoseconds> read_duration(std::string_view text);

}  // namespace interline::runtimes::script
