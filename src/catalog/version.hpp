// Names of manifest versions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace interline::catalog {

inline constexpr std::size_t kVersionBytes = 64;

/// ProtoXEP "Protocol Namespaces and Identifiers": ^[A-Za-z0-9._~-]{1,64}$.
[[nodiscard]] inline bool is_version(std::string_view text) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
  };
  return !text.empty() && text.size() <= kVersionBytes && std::ranges::all_of(text, legal);
}

}  // namespace interline::catalog
