// Bytes as text and text as bytes: two views of the same memory, and the hexadecimal form.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace interline {

using BytesView = std::span<const std::uint8_t>;

[[nodiscard]] inline BytesView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
[[nodiscard]] inline std::string_view as_text(BytesView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Two lower-case digits a byte.
[[nodiscard]] std::string to_hex(BytesView bytes);

}  // namespace interline
