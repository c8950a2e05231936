#include "base/sha1.hpp"

#include <stdexcept>

#include <openssl/evp.h>

namespace interline {

Sha1Digest sha1(std::string_view data) {
  Sha1Digest digest;
  if (EVP_Digest(data.data(), data.size(), digest.data(), nullptr, EVP_sha1(), nullptr) != 1) {
    throw std::runtime_error("libcrypto offers no SHA-1");
  }
  return digest;
}

}  // namespace interline
