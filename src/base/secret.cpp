#include "base/secret.hpp"

#include <openssl/crypto.h>

namespace interline {

Secret& Secret::operator=(Secret other) noexcept {
  text_.swap(other.text_);
  return *this;
}

Secret::~Secret() {
  OPENSSL_cleanse(text_.data(), text_.size());
}

}  // namespace interline
