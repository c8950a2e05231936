// 2026-07-28, basic/transports/streamable-http, "Value Encoding"; checklist 46.
#include "protocols/mcp/header_value.hpp"

#include <string>

#include <gtest/gtest.h>

namespace interline::protocols::mcp {
namespace {

struct Example {
  std::string_view text;
  std::string_view value;
};
constexpr Example kExamples[] = {
    {"us-west1", "us-west1"},
    {"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
    {" padded ", "=?base64?IHBhZGRlZCA=?="},
    {"line1\nline2", "=?base64?bGluZTEKbGluZTI=?="},
    {"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
    {"", ""},
    {"a\tb", "a\tb"},
    {"\ta", "=?base64?CWE=?="},
    {"=?base64?open", "=?base64?open"},
    {"shut?=", "shut?="},
};

TEST(Mcp_ValueEncoding, Examples) {
  for (const Example& example : kExamples) {
    EXPECT_EQ(encode_header_value(example.text), example.value);
    EXPECT_EQ(decode_header_value(example.value), std::string(example.text));
  }
}

TEST(Mcp_ValueEncoding, EveryTextComesBack) {
  for (const std::string_view text : {"=?base64?=",
                                      "=?base64?"
                                      "?=",
                                      "=?BASE64?QQ==?=", "=?base64?QQ==?= ", "\x7F", "ä"}) {
    EXPECT_EQ(decode_header_value(encode_header_value(text)), std::string(text));
  }
}

TEST(Mcp_ValueEncoding, MarkersThatOverlapAreALiteral) {
  EXPECT_EQ(decode_header_value("=?base64?="), "=?base64?=");
  EXPECT_EQ(decode_header_value("=?base64?"
                                "?="),
            "");
  EXPECT_EQ(decode_header_value("=?BASE64?QQ==?="), "=?BASE64?QQ==?=");
}

TEST(Mcp_ValueEncoding, WhiteSpaceAroundIsNoPartOfIt) {
  EXPECT_EQ(decode_header_value(" \tvalue\t "), "value");
  EXPECT_EQ(decode_header_value(" =?base64?IHBhZGRlZCA=?= "), " padded ");
  EXPECT_EQ(decode_header_value("\v"), fail(ErrorKind::malformed,
                                            "A header value has characters "
                                            "that do not belong there."));
}

TEST(Mcp_ValueEncoding, OneTextHasOneEncoding) {
  for (const std::string_view value :
       {"=?base64?QQ?=", "=?base64?QQ=?=", "=?base64?QR==?=", "=?base64?Q Q==?=", "=?base64?Q-Q_?=",
        "=?base64?/w==?=", "=?base64?7aCA?=", "a\nb", "a\x01", "ä", "a\x7F"}) {
    EXPECT_FALSE(decode_header_value(value)) << value;
  }
}

}  // namespace
}  // namespace interline::protocols::mcp
