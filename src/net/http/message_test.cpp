#include "net/http/message.hpp"

#include <gtest/gtest.h>

#include "net/http/date.hpp"

namespace interline::net::http {
namespace {

TEST(Rfc9110_5_6_7_Date, TheExampleOfTheSpecification) {
  EXPECT_EQ(format_date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_date(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(Methods, NamesBothWays) {
  for (const Method method : {Method::get, Method::head, Method::post, Method::put, Method::patch,
                              Method::delete_, Method::options}) {
    EXPECT_EQ(parse_method(to_string(method)), method);
  }
  EXPECT_EQ(parse_method("get"), std::nullopt);
  EXPECT_EQ(parse_method("TRACE"), std::nullopt);
}

TEST(PlainResponse, SaysItsStatus) {
  EXPECT_EQ(plain_response(404).body, "404 Not Found\n");
  EXPECT_EQ(reason_phrase(505), "HTTP Version Not Supported");
  EXPECT_EQ(reason_phrase(299), "");
}

}  // namespace
}  // namespace interline::net::http
