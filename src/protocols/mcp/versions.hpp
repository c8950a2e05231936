// The revisions of MCP that are opened by `initialize`.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace interline::protocols::mcp {

/// Newest first: the first is what a client offers. 2024-10-07 was never published as a
/// specification; servers of that time differ from 2024-11-05 in nothing that is used here.
inline constexpr std::array<std::string_view, 5> kInitializedVersions = {
    "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"};

[[nodiscard]] constexpr bool is_initialized_version(std::string_view version) {
  return std::ranges::find(kInitializedVersions, version) != kInitializedVersions.end();
}

/// The only revision with batches (basic/index, "Batching").
inline constexpr std::string_view kBatchVersion = "2025-03-26";

}  // namespace interline::protocols::mcp
