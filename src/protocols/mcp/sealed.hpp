// Texts that a client carries for us and may not read, change or use elsewhere: requestState and
// cursors (2026-07-28, basic/patterns/mrtr, "Server Requirements"). Sealed with a key of the
// operator's, so that every instance that has it can open them; bound to who asked and what for.
//
// A token is base64url of: version (1 byte), key id (4), the random single-use id (16), and the
// encrypted expiry and payload with their tag. Each is encrypted under a key of its own, derived
// from the master key and the id. What it is bound to is authenticated and not in it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/id.hpp"
#include "base/instant.hpp"
#include "base/secret.hpp"
#include "base/sha256.hpp"

namespace interline::protocols::mcp {

/// All that has to be the same when a token comes back.
struct SealScope {
  std::string_view purpose;    ///< "state", "cursor": one kind is never taken for another
  std::string_view principal;  ///< of whom it was given to
  std::string_view method;
  Digest salient{};             ///< of the params that matter, see salient_digest()
  std::string_view endpoint{};  ///< whose own view it was asked in; "": that of all
};

struct Unsealed {
  std::string id;  ///< random, of this token alone: for whoever lets it be used once
  SystemTime expires{};
  std::string payload;
};

class Sealer {
 public:
  /// The first key seals, all open: put a new one first and keep the old ones as long as their
  /// tokens live. At least one; each of 32 bytes or more, of random origin. Throws
  /// std::invalid_argument otherwise.
  explicit Sealer(const std::vector<Secret>& keys, RandomFill random = {});

  /// `expires` counts in milliseconds.
  [[nodiscard]] std::string seal(const SealScope& scope, std::string_view payload,
                                 SystemTime expires) const;

  /// malformed, with one sentence for everything: no token of ours, an unknown key, tampered with,
  /// of another scope, expired. Bounded by the token's length; costs no more than opening it.
  [[nodiscard]] Result<Unsealed> open(const SealScope& scope, std::string_view token,
                                      SystemTime now) const;

 private:
  using KeyId = std::array<char, 4>;
  struct Key {
    Secret secret;
    KeyId id{};
  };
  std::vector<Key> keys_;
  RandomFill random_;
};

}  // namespace interline::protocols::mcp
