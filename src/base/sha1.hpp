// SHA-1, for the protocols that prescribe it: the XEP-0114 handshake and the WebSocket accept key.
// It protects nothing here; where a choice is ours, see sha256.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace interline {

using Sha1Digest = std::array<std::uint8_t, 20>;

/// Throws std::runtime_error if libcrypto does not offer SHA-1.
[[nodiscard]] Sha1Digest sha1(std::string_view data);

}  // namespace interline
