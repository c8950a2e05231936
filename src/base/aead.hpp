// Authenticated encryption: AES-256-GCM (NIST SP 800-38D), by OpenSSL. Narrow on purpose: a key is
// used for one text, so there is no nonce to choose, and none to repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interline {

/// Derive one for each text, from a master key and something random (hmac_sha256).
using OneTimeKey = std::array<std::uint8_t, 32>;
inline constexpr std::size_t kAeadTagSize = 16;

/// The encrypted text with its tag behind it: kAeadTagSize bytes more than `text`. `bound` is not
/// in it, and has to be the same to open it. Throws std::runtime_error if libcrypto does not work.
[[nodiscard]] std::string aead_seal(const OneTimeKey& key, std::string_view bound,
                                    std::string_view text);

/// Nothing if any of the three is not what it was when it was sealed; nothing tells which.
[[nodiscard]] std::optional<std::string> aead_open(const OneTimeKey& key, std::string_view bound,
                                                   std::string_view sealed);

}  // namespace interline
