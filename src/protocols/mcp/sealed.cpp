#include "protocols/mcp/sealed.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/aead.hpp"
#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "base/random.hpp"

namespace interline::protocols::mcp {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kKeyIdSize = 4;
constexpr std::size_t kIdSize = 16;
constexpr std::size_t kHeadSize = 1 + kKeyIdSize + kIdSize;
constexpr std::size_t kExpirySize = 8;
constexpr std::size_t kMinimumKey = 32;

std::string big_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

std::uint64_t read_big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

void append_sized(std::string& out, std::string_view text) {
  out.append(big_endian(text.size())).append(text);
}

/// What is authenticated beside the text: the token's head and its scope, each part with its size.
std::string bound_to(std::string_view head, const SealScope& scope) {
  std::string bound(head);
  append_sized(bound, scope.purpose);
  append_sized(bound, scope.principal);
  append_sized(bound, scope.method);
  append_sized(bound, scope.endpoint);
  return bound.append(as_text(scope.salient));
}

OneTimeKey key_for(const Secret& master, std::string_view id) {
  return hmac_sha256(master.reveal(), {"interline sealed text", id});
}

std::unexpected<Error> refused() {
  return fail(ErrorKind::malformed, "This is not a text that was given here for this request.");
}

}  // namespace

Sealer::Sealer(const std::vector<Secret>& keys, RandomFill random) : random_(std::move(random)) {
  if (keys.empty()) throw std::invalid_argument("a Sealer has at least one key");
  if (!random_) random_ = random_bytes;
  for (const Secret& secret : keys) {
    if (secret.reveal().size() < kMinimumKey) {
      throw std::invalid_argument("a sealing key has 32 bytes or more");
    }
    const Digest digest = hmac_sha256(secret.reveal(), "interline key id");
    KeyId id{};
    std::copy_n(as_text(digest).begin(), id.size(), id.begin());
    keys_.push_back({secret, id});
  }
}

std::string Sealer::seal(const SealScope& scope, std::string_view payload,
                         SystemTime expires) const {
  const Key& key = keys_.front();
  std::array<std::uint8_t, kIdSize> id{};
  random_(id);
  std::string token(1, kVersion);
  token.append(key.id.begin(), key.id.end()).append(as_text(id));
  const auto since = std::chrono::floor<std::chrono::milliseconds>(expires.time_since_epoch());
  std::string text = big_endian(static_cast<std::uint64_t>(since.count()));
  text += payload;
  token += aead_seal(key_for(key.secret, as_text(id)), bound_to(token, scope), text);
  return encode_base64url(token);
}

Result<Unsealed> Sealer::open(const SealScope& scope, std::string_view token,
                              SystemTime now) const {
  const auto bytes = decode_base64url(token);
  if (!bytes || bytes->size() < kHeadSize || bytes->front() != kVersion) return refused();
  const std::string_view head = std::string_view(*bytes).substr(0, kHeadSize);
  const std::string_view key_id = head.substr(1, kKeyIdSize);
  const std::string_view id = head.substr(1 + kKeyIdSize);
  const auto key = std::ranges::find_if(
      keys_, [key_id](const Key& one) { return std::ranges::equal(one.id, key_id); });
  if (key == keys_.end()) return refused();
  const auto text = aead_open(key_for(key->secret, id), bound_to(head, scope),
                              std::string_view(*bytes).substr(kHeadSize));
  if (!text || text->size() < kExpirySize) return refused();
  const auto since =
      static_cast<std::int64_t>(read_big_endian(std::string_view(*text).substr(0, kExpirySize)));
  const SystemTime expires{std::chrono::milliseconds(since)};
  if (now >= expires) return refused();
  return Unsealed{encode_base64url(id), expires, text->substr(kExpirySize)};
}

}  // namespace interline::protocols::mcp
