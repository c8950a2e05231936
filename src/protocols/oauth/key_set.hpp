// The public keys by which an issuer's signatures are verified: a JWK Set (RFC 7517), cut down to
// what may verify a signature here.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace interline::protocols::oauth {

/// Immutable, cheap to copy, usable from any thread.
class KeySet {
 public:
  static constexpr std::size_t kMaxBytes = 262'144;
  static constexpr std::size_t kMaxKeys = 100;
  static constexpr std::size_t kMinRsaBits = 2'048;  ///< RFC 7518 section 3.3

  /// No keys.
  KeySet() = default;
  /// Keys of other kinds (secret ones among them), for other uses, of curves that are not known
  /// here and RSA keys that are too short are left out, as RFC 7517 section 5 has it. malformed: no
  /// JWK Set, or beyond the limits.
  [[nodiscard]] static Result<KeySet> read(std::string_view text);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool has(std::string_view kid) const;

 private:
  friend class SignatureCheck;
  struct Key;
  std::shared_ptr<const std::vector<Key>> keys_;
};

/// What a signature check found.
enum class Signature : unsigned char { valid, invalid, unknown_key };

class SignatureCheck {
 public:
  /// `compact`: a JWS in compact form, the algorithm of its header being `algorithm`. With a `kid`
  /// that key alone is tried, without one every key that fits.
  [[nodiscard]] static Signature verify(const KeySet& keys, std::string_view compact,
                                        std::string_view algorithm, std::string_view kid);
  /// Whether the algorithm is one of asymmetric signatures that are verified here (RFC 7518 section
  /// 3.1): RS, PS and ES with 256, 384 and 512.
  [[nodiscard]] static bool known(std::string_view algorithm);
};

}  // namespace interline::protocols::oauth
