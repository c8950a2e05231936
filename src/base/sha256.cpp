#include "base/sha256.hpp"

#include <algorithm>
#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/bytes.hpp"

namespace interline {
namespace {

constexpr std::size_t kBlock = 64;

void require(bool works) {
  if (!works) throw std::runtime_error("libcrypto's SHA-256 does not work");
}

/// Fetched once: a fetch costs as much as hashing 400 bytes, and EVP_sha256() hides one in each
/// use. Lives as long as the process, since threads may hash until its end.
const EVP_MD* algorithm() {
  static const EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  require(kAlgorithm != nullptr);
  return kAlgorithm;
}

}  // namespace

Digest sha256(std::string_view data) {
  Digest digest;
  require(EVP_Digest(data.data(), data.size(), digest.data(), nullptr, algorithm(), nullptr) == 1);
  return digest;
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr);
  begin();
}

void Sha256::begin() {
  require(EVP_DigestInit_ex2(context_.get(), algorithm(), nullptr) == 1);
}

void Sha256::update(std::string_view data) {
  require(EVP_DigestUpdate(context_.get(), data.data(), data.size()) == 1);
}

Digest Sha256::finish() {
  Digest digest;
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  begin();
  return digest;
}

Digest hmac_sha256(std::string_view key, std::initializer_list<std::string_view> parts) {
  std::array<std::uint8_t, kBlock> block{};
  if (key.size() > kBlock) {
    const Digest shorter = sha256(key);
    std::copy(shorter.begin(), shorter.end(), block.begin());
  } else {
    std::copy(key.begin(), key.end(), block.begin());
  }
  constexpr std::uint8_t kInner = 0x36;
  constexpr std::uint8_t kOuter = 0x5C;
  Sha256 hash;
  for (std::uint8_t& byte : block) byte ^= kInner;
  hash.update(as_text(block));
  for (const std::string_view part : parts) hash.update(part);
  const Digest inner = hash.finish();
  for (std::uint8_t& byte : block) byte ^= kInner ^ kOuter;
  hash.update(as_text(block));
  hash.update(as_text(inner));
  OPENSSL_cleanse(block.data(), block.size());
  return hash.finish();
}

}  // namespace interline
