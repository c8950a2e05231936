// A token from outside is refused with one error, or is one of ours: the first half of the inputs
// is opened as it is, the other is a mask over a token that is good.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "protocols/mcp/cursors.hpp"
#include "protocols/mcp/sealed.hpp"

namespace {

using namespace interline;
using namespace interline::protocols;

constexpr SystemTime kNow{};

void repeatable(std::span<std::uint8_t> out) {
  for (auto& byte : out) byte = 7;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const mcp::Sealer sealer({Secret(std::string(32, 'k'))}, repeatable);
  static const mcp::SealScope scope{"state", "key:ci", "tools/call", Digest{}};
  static const std::string good = sealer.seal(scope, "payload", kNow + std::chrono::hours(1));
  static const Error refusal = sealer.open(scope, "", kNow).error();
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const auto opened = sealer.open(scope, text, kNow);
  if (opened ? text != good : opened.error() != refusal) std::abort();
  (void)mcp::read_cursor(sealer, {"key:ci", "", "tools/list"}, text, kNow);

  std::string masked = good;
  for (std::size_t i = 0; i < size && i < masked.size(); ++i) {
    masked[i] = static_cast<char>(masked[i] ^ static_cast<char>(data[i]));
  }
  const auto again = sealer.open(scope, masked, kNow);
  if (again ? masked != good : again.error() != refusal) std::abort();
  return 0;
}
