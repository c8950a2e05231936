// Identifiers: what ours look like, what is accepted from others, and how ours are made.
//
// Ours are 31 characters: 9 that count microseconds since 1970 (54 bits, until the year 2540) and
// 22 of randomness (132 bits from the system's CSPRNG). The digits are, in ASCII order,
// - 0-9 A-Z _ a-z, so that identifiers sort by time as plain byte strings and a B-tree grows at its
// end. Knowing one identifier says when it was made, and nothing about any other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace interline {

inline constexpr std::size_t kMinIdSize = 22;
inline constexpr std::size_t kMaxIdSize = 128;

/// [A-Za-z0-9_-]{22,128}: the form of every identifier that we make.
[[nodiscard]] bool is_own_id(std::string_view text);
/// [A-Za-z0-9._~-]{22,128}: the form that we accept from others.
[[nodiscard]] bool is_foreign_id(std::string_view text);

/// Where random bytes come from: random_bytes, or in tests something repeatable.
using RandomFill = std::function<void(std::span<std::uint8_t>)>;

/// Makes identifiers. Thread-safe if its RandomFill is (random_bytes is). Each identifier sorts
/// after all that this source made before, also within one microsecond and when the clock is set
/// back; then its head runs ahead of the clock until that catches up.
class IdSource {
 public:
  IdSource();
  explicit IdSource(RandomFill random);

  [[nodiscard]] std::string next(SystemTime now);

 private:
  [[nodiscard]] std::uint64_t next_head(SystemTime now);

  RandomFill random_;
  std::atomic<std::uint64_t> last_head_{0};
};

/// `bytes` random bytes as unpadded base64url: cursors, API keys, interrupt tokens. 16 bytes and
/// more cannot be guessed.
[[nodiscard]] std::string random_token(std::size_t bytes);

}  // namespace interline
