// Addresses that an agent may send a caller to.
#pragma once

#include <cstddef>
#include <string_view>

namespace interline::engine {

inline constexpr std::size_t kLongestUrl = 8'192;

/// An absolute http or https URL with a host (RFC 3986), in ASCII, without user information, which
/// is there to look like a host. Whoever shows it may make it a link: javascript:, file: and data:
/// would act where the caller reads, not where the agent is.
[[nodiscard]] bool is_web_url(std::string_view url);

}  // namespace interline::engine
