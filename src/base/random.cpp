#include "base/random.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/random.h>

namespace interline {

void random_bytes(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      std::fprintf(stderr, "interline: the system gives no random bytes: %s\n",
                   std::strerror(errno));
      std::abort();
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

std::uint64_t random_uint64() {
  std::uint8_t bytes[sizeof(std::uint64_t)];
  random_bytes(bytes);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace interline
