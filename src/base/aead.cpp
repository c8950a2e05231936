#include "base/aead.hpp"

#include <limits>
#include <memory>
#include <stdexcept>

#include <openssl/evp.h>

#include "base/bytes.hpp"

namespace interline {
namespace {

// The key is new for each text: the nonce may be the same for all of them.
constexpr std::array<std::uint8_t, 12> kNonce{};

void require(bool works) {
  if (!works) throw std::runtime_error("libcrypto's AES-256-GCM does not work");
}

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

/// Fetched once, see sha256.cpp.
const EVP_CIPHER* algorithm() {
  static const EVP_CIPHER* const kAlgorithm = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  require(kAlgorithm != nullptr);
  return kAlgorithm;
}

/// One text in one direction.
class Gcm {
 public:
  enum class Direction : int { open = 0, seal = 1 };

  Gcm(const OneTimeKey& key, Direction direction) : context_(EVP_CIPHER_CTX_new()) {
    require(context_ != nullptr);
    require(EVP_CipherInit_ex2(context_.get(), algorithm(), key.data(), kNonce.data(),
                               static_cast<int>(direction), nullptr) == 1);
  }
  void bind(std::string_view bound) {
    int size = 0;
    const BytesView bytes = as_bytes(bound);
    require(EVP_CipherUpdate(context_.get(), nullptr, &size, bytes.data(), length(bound)) == 1);
  }
  [[nodiscard]] std::string update(std::string_view text) {
    std::string out(text.size(), '\0');
    int size = 0;
    if (text.empty()) return out;
    auto* const to = reinterpret_cast<std::uint8_t*>(out.data());
    require(EVP_CipherUpdate(context_.get(), to, &size, as_bytes(text).data(), length(text)) == 1);
    require(static_cast<std::size_t>(size) == text.size());
    return out;
  }
  /// Of an opened text: whether the tag is right.
  [[nodiscard]] bool finish() {
    std::array<std::uint8_t, kAeadTagSize> nothing{};
    int size = 0;
    return EVP_CipherFinal_ex(context_.get(), nothing.data(), &size) == 1;
  }
  [[nodiscard]] std::string tag() {
    std::string text(kAeadTagSize, '\0');
    require(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG,
                                static_cast<int>(kAeadTagSize), text.data()) == 1);
    return text;
  }
  void expect(std::string_view tag) {
    std::string copy(tag);
    require(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG,
                                static_cast<int>(kAeadTagSize), copy.data()) == 1);
  }

 private:
  static int length(std::string_view text) {
    require(text.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
    return static_cast<int>(text.size());
  }
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
};

}  // namespace

std::string aead_seal(const OneTimeKey& key, std::string_view bound, std::string_view text) {
  Gcm gcm(key, Gcm::Direction::seal);
  gcm.bind(bound);
  std::string sealed = gcm.update(text);
  require(gcm.finish());
  sealed += gcm.tag();
  return sealed;
}

std::optional<std::string> aead_open(const OneTimeKey& key, std::string_view bound,
                                     std::string_view sealed) {
  if (sealed.size() < kAeadTagSize) return std::nullopt;
  Gcm gcm(key, Gcm::Direction::open);
  gcm.bind(bound);
  std::string text = gcm.update(sealed.substr(0, sealed.size() - kAeadTagSize));
  gcm.expect(sealed.substr(sealed.size() - kAeadTagSize));
  if (!gcm.finish()) return std::nullopt;
  return text;
}

}  // namespace interline
