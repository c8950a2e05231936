// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), by OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>

struct evp_md_ctx_st;

namespace interline {

using Digest = std::array<std::uint8_t, 32>;

/// Of one text. All functions here throw std::runtime_error if libcrypto does not work at all.
[[nodiscard]] Digest sha256(std::string_view data);

/// Of a text that comes in pieces. One owner; movable. After finish() it begins anew.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view data);
  [[nodiscard]] Digest finish();

 private:
  void begin();

  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// Of the parts put together.
[[nodiscard]] Digest hmac_sha256(std::string_view key,
                                 std::initializer_list<std::string_view> parts);
[[nodiscard]] inline Digest hmac_sha256(std::string_view key, std::string_view data) {
  return hmac_sha256(key, {data});
}

}  // namespace interline
