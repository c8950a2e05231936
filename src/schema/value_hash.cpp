#include "schema/value_hash.hpp"

#include <bit>

#include "base/siphash.hpp"
#include "json/hash.hpp"

namespace interline::schema {
namespace {

/// One round of a 64-bit mixer (the finaliser of SplitMix64).
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30U;
  x *= 0xBF58476D1CE4E5B9U;
  x ^= x >> 27U;
  x *= 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_text(std::string_view text) {
  return sip_hash_1_3(json::name_key(), text);
}

/// What lies deeper does not count: equal values still have equal hashes.
constexpr int kHashedDepth = 128;

std::uint64_t hash_value(const json::Value& value, int depth) {
  const std::uint64_t kind = static_cast<std::uint64_t>(value.kind()) + 1;
  if (depth > kHashedDepth) return kind;
  switch (value.kind()) {
    case json::Kind::null:
      return mix(kind);
    case json::Kind::boolean:
      return mix(kind + (value.as_bool() ? 64U : 128U));
    case json::Kind::number: {
      const double number = value.as_double() + 0.0;  // -0 becomes 0
      const auto bits = std::bit_cast<std::uint64_t>(number);
      char bytes[sizeof(bits)];
      for (std::size_t i = 0; i < sizeof(bits); ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
      return hash_text({bytes, sizeof(bytes)}) + kind;
    }
    case json::Kind::string:
      return hash_text(value.as_string()) + kind;
    case json::Kind::array: {
      std::uint64_t hash = kind;
      for (const json::Value& item : value.items())
        hash = mix(hash * 31 + hash_value(item, depth + 1));
      return mix(hash);
    }
    case json::Kind::object: {
      std::uint64_t sum = 0;
      for (const json::Member& member : value.members()) {
        sum += mix(hash_text(member.name()) ^ mix(hash_value(member.value, depth + 1)));
      }
      return mix(sum + kind);
    }
  }
  return 0;
}

}  // namespace

std::uint64_t value_hash(const json::Value& value) {
  return hash_value(value, 0);
}

}  // namespace interline::schema
