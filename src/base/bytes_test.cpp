#include "base/bytes.hpp"

#include <array>

#include <gtest/gtest.h>

namespace interline {
namespace {

TEST(Bytes, ViewsAreTheSameMemory) {
  const std::string text = "a\xFF";
  EXPECT_EQ(as_bytes(text)[1], 0xFF);
  EXPECT_EQ(as_text(as_bytes(text)).data(), text.data());
  EXPECT_EQ(as_text(as_bytes(text)), text);
}

TEST(Bytes, HexIsTwoLowerCaseDigitsAByte) {
  EXPECT_EQ(to_hex({}), "");
  EXPECT_EQ(to_hex(std::array<std::uint8_t, 4>{0x00, 0x0F, 0xA0, 0xFF}), "000fa0ff");
}

}  // namespace
}  // namespace interline
