// Tokens, key sets and challenges: whatever comes, an answer; nothing unsigned is believed, and a
// challenge that was read is written so that it reads the same.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "protocols/oauth/access_token.hpp"
#include "protocols/oauth/challenge.hpp"

namespace oauth = interline::protocols::oauth;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// P-256's base point as a key: nobody signs with it here.
constexpr std::string_view kKeys = R"({"keys":[{"kty":"EC","kid":"1","crv":"P-256",)"
                                   R"("x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",)"
                                   R"("y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}]})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const oauth::KeySet keys = *oauth::KeySet::read(kKeys);
  static const std::array<std::string, 1> audiences = {"https://gateway.example/mcp"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  oauth::TokenExpectation expected;
  expected.issuer = "https://id.example";
  expected.audiences = audiences;
  expected.now = interline::SystemTime(std::chrono::seconds(1'800'000'000));
  require(!oauth::read_access_token(text, expected, keys));
  require(oauth::claimed_issuer(text).size() <= oauth::kMaxTokenBytes);

  if (const auto set = oauth::KeySet::read(text)) {
    require(set->size() <= oauth::KeySet::kMaxKeys);
    (void)oauth::read_access_token(text, expected, *set);
  }
  if (const auto challenge = oauth::read_challenge(text)) {
    const auto written = oauth::write_challenge(*challenge);
    require(oauth::write_challenge(*oauth::read_challenge(written)) == written);
  }
  return 0;
}
