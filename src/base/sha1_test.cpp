#include "base/sha1.hpp"

#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "base/bytes.hpp"

namespace interline {
namespace {

TEST(Rfc3174, Sha1Examples) {
  EXPECT_EQ(to_hex(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(to_hex(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(Rfc6455_Section13, AcceptKeyOfTheSampleHandshake) {
  EXPECT_EQ(encode_base64(sha1("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11")),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

}  // namespace
}  // namespace interline
