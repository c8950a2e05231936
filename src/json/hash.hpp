// The keyed hash of member names. Names come from outside: with a key that nobody outside knows, no
// one can choose names that fall into one bucket, so duplicate detection and look-up stay linear.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/siphash.hpp"

namespace interline::json {

/// This process's key, drawn once from the system's CSPRNG; it never leaves the process.
[[nodiscard]] inline const SipKey& name_key() {
  static const SipKey key = SipKey::random();
  return key;
}

[[nodiscard]] inline std::uint32_t name_hash(const SipKey& key, std::string_view name) {
  return static_cast<std::uint32_t>(sip_hash_1_3(key, name));
}

/// What Member::name_hash holds for this name, in this process. Precompute it for names that are
/// looked up often (Value::find with a hash).
[[nodiscard]] inline std::uint32_t name_hash(std::string_view name) {
  return name_hash(name_key(), name);
}

}  // namespace interline::json
