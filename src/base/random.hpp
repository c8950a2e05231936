// Random bytes from the system's CSPRNG (getrandom(2)).
#pragma once

#include <cstdint>
#include <span>

namespace interline {

/// Fills `out`. Waits at boot until the kernel's pool is seeded. If the kernel refuses, the process
/// ends with a message on stderr: nothing that needs these bytes may go on without them.
/// Thread-safe.
void random_bytes(std::span<std::uint8_t> out);

[[nodiscard]] std::uint64_t random_uint64();

}  // namespace interline
