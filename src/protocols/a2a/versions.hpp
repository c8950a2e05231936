// Which version of A2A an exchange is of (A2A 1.0, section 3.6): Major.Minor decides, a patch never
// does, and what says nothing is of 0.3.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace interline::protocols::a2a {

inline constexpr std::string_view kVersion = "1.0";
inline constexpr std::string_view kVersionHeader = "A2A-Version";
inline constexpr std::string_view kExtensionsHeader = "A2A-Extensions";

struct VersionDecision {
  bool served = false;
  std::string requested;  ///< as it counted, bounded
};

/// `header` wins over `query`; `assumed` stands for one that is missing or empty.
[[nodiscard]] VersionDecision decide_version(std::optional<std::string_view> header,
                                             std::optional<std::string_view> query,
                                             std::string_view assumed);

}  // namespace interline::protocols::a2a
