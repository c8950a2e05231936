#include "base/constant_time.hpp"

#include <openssl/crypto.h>

namespace interline {

bool equal_constant_time(std::string_view presented, std::string_view secret) {
  // Of another length, the text is compared with itself: the same work, and a fixed answer.
  const bool same_size = presented.size() == secret.size();
  const std::string_view against = same_size ? secret : presented;
  const int difference = CRYPTO_memcmp(presented.data(), against.data(), presented.size());
  return static_cast<unsigned>(same_size) & static_cast<unsigned>(difference == 0);
}

}  // namespace interline
