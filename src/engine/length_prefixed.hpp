// Unambiguous byte strings of several parts, for keys and fingerprints: each part is preceded by
// its length in four bytes, most significant first, so no two lists of parts make the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace interline::engine {

inline void append_length_prefixed(std::string& out, std::string_view part) {
  const auto size = static_cast<std::uint32_t>(part.size());
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((size >> static_cast<unsigned>(shift)) & 0xFFU));
  }
  out.append(part);
}

/// Eight bytes, most significant first: fixed size, so no length is needed.
inline void append_u64(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU));
  }
}

}  // namespace interline::engine
