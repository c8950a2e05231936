// Base64 and base64url: whatever is accepted is the one encoding of what it decodes to.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/base64.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto padded = interline::decode_base64(text);
  if (padded && interline::encode_base64(*padded) != text) std::abort();
  const auto unpadded = interline::decode_base64url(text);
  if (unpadded && interline::encode_base64url(*unpadded) != text) std::abort();

  if (interline::decode_base64(interline::encode_base64(text)) != text) std::abort();
  if (interline::decode_base64url(interline::encode_base64url(text)) != text) std::abort();
  return 0;
}
