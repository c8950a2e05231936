#include "base/id.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/base64.hpp"
#include "base/random.hpp"

namespace interline {
namespace {

constexpr std::string_view kDigits =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
static_assert(kDigits.size() == 64 && std::ranges::is_sorted(kDigits));

constexpr std::size_t kHeadSize = 9;
constexpr std::size_t kTailSize = 22;
constexpr std::uint64_t kMaxHead = (std::uint64_t{1} << (6 * kHeadSize)) - 1;

using CharacterSet = std::array<bool, 256>;
constexpr CharacterSet set_of(std::string_view characters) {
  CharacterSet set{};
  for (const char c : characters) set[static_cast<std::uint8_t>(c)] = true;
  return set;
}
constexpr CharacterSet kOwn = set_of(kDigits);
constexpr CharacterSet kForeign =
    set_of("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz.~");

bool consists_of(const CharacterSet& set, std::string_view text) {
  return text.size() >= kMinIdSize && text.size() <= kMaxIdSize &&
         std::ranges::all_of(text, [&set](char c) { return set[static_cast<std::uint8_t>(c)]; });
}

}  // namespace

bool is_own_id(std::string_view text) {
  return consists_of(kOwn, text);
}
bool is_foreign_id(std::string_view text) {
  return consists_of(kForeign, text);
}

IdSource::IdSource() : IdSource(&random_bytes) {}
IdSource::IdSource(RandomFill random) : random_(std::move(random)) {}

std::uint64_t IdSource::next_head(SystemTime now) {
  const auto count = std::chrono::floor<std::chrono::microseconds>(now).time_since_epoch().count();
  const auto wall = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  std::uint64_t last = last_head_.load(std::memory_order_relaxed);
  std::uint64_t head = 0;
  do {
    head = std::min(std::max(wall, last + 1), kMaxHead);
  } while (!last_head_.compare_exchange_weak(last, head, std::memory_order_relaxed));
  return head;
}

std::string IdSource::next(SystemTime now) {
  std::string id(kHeadSize + kTailSize, '\0');
  std::uint64_t head = next_head(now);
  for (std::size_t i = kHeadSize; i-- > 0; head >>= 6U) id[i] = kDigits[head & 0x3FU];

  // A byte a digit: two bits of each go unused, which costs nothing.
  std::array<std::uint8_t, kTailSize> random{};
  random_(random);
  for (std::size_t i = 0; i < kTailSize; ++i) id[kHeadSize + i] = kDigits[random[i] & 0x3FU];
  return id;
}

std::string random_token(std::size_t bytes) {
  std::vector<std::uint8_t> random(bytes);
  random_bytes(random);
  return encode_base64url(random);
}

}  // namespace interline
