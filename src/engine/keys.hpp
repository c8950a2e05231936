// API keys: secrets that programs on networks without an identity of their own present, `key:NAME`.
//
// Kept as binding records, the secret as its SHA-256 alone. It has 256 random bits, so a fast hash
// is enough.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.hpp"
#include "engine/engine.hpp"

namespace interline::engine {

/// Of their records.
inline constexpr std::string_view kKeysBinding = "keys";

struct KeyRow {
  std::string name;
  std::string creator;  ///< principal
  SystemTime created{};
};

/// [A-Za-z0-9][A-Za-z0-9._-]{0,63}: nothing that a pattern or a log could take for something else.
[[nodiscard]] bool is_key_name(std::string_view name);

/// The secret of a new key, which nobody can tell again. Operators only. Errors: forbidden;
/// malformed; conflict where the name is taken.
[[nodiscard]] awaitable<Result<Secret>> create_key(Engine& engine, Principal who, std::string name,
                                                   SystemTime now);
/// In the order of their names, those after `after`. Operators only.
[[nodiscard]] awaitable<Result<std::vector<KeyRow>>> list_keys(Engine& engine, Principal who,
                                                               std::string after,
                                                               std::size_t limit);
/// At once: the next request with it is refused. Operators only. Errors: forbidden; not_found.
[[nodiscard]] awaitable<Result<void>> revoke_key(Engine& engine, Principal who, std::string name);

/// `key:NAME`. Errors: forbidden for whatever is no key, in one form; unavailable.
[[nodiscard]] awaitable<Result<Principal>> principal_of_key(Engine& engine, Secret presented);

}  // namespace interline::engine
