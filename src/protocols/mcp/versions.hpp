// The revisions of MCP. Modern ones carry version and capabilities on every request; the others are
// opened by `initialize` and called legacy (2026-07-28, basic/versioning, "Terminology").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace interline::protocols::mcp {

/// In the order of their dates, so that "since" and "until" are comparisons. 2024-10-07 was never
/// published as a specification; peers of that time differ from 2024-11-05 in nothing used here.
enum class Revision : std::uint8_t {
  v2024_10_07,
  v2024_11_05,
  v2025_03_26,
  v2025_06_18,
  v2025_11_25,
  v2026_07_28,
};

/// By Revision.
inline constexpr std::array<std::string_view, 6> kRevisionNames = {
    "2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
static_assert(kRevisionNames.size() == static_cast<std::size_t>(Revision::v2026_07_28) + 1);
static_assert(std::ranges::is_sorted(kRevisionNames));

inline constexpr Revision kFirstModern = Revision::v2026_07_28;
inline constexpr Revision kNewestLegacy = Revision::v2025_11_25;

[[nodiscard]] constexpr std::string_view to_string(Revision revision) {
  return kRevisionNames[static_cast<std::size_t>(revision)];
}
[[nodiscard]] constexpr std::optional<Revision> revision_named(std::string_view name) {
  for (std::size_t i = 0; i < kRevisionNames.size(); ++i) {
    if (kRevisionNames[i] == name) return static_cast<Revision>(i);
  }
  return std::nullopt;
}
[[nodiscard]] constexpr bool is_modern(Revision revision) {
  return revision >= kFirstModern;
}

/// What server/discover and -32022 name, in the order of preference: modern ones alone, since a
/// client that knows no others would send a legacy one nonsense.
inline constexpr std::array<Revision, 1> kModernRevisions = {Revision::v2026_07_28};

/// Newest first: the first is what a client offers in `initialize`.
inline constexpr std::array<std::string_view, 5> kInitializedVersions = {
    "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"};

[[nodiscard]] constexpr bool is_initialized_version(std::string_view version) {
  return std::ranges::find(kInitializedVersions, version) != kInitializedVersions.end();
}

/// The only revision with batches (basic/index, "Batching").
inline constexpr std::string_view kBatchVersion = "2025-03-26";

/// What a request over HTTP speaks that names no revision and no session: the header came with
/// 2025-06-18 (basic/transports/streamable-http, "Protocol Version Header").
inline constexpr Revision kUnnamedOverHttp = Revision::v2025_03_26;

}  // namespace interline::protocols::mcp
