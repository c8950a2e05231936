#include "bindings/mcp/response_stream.hpp"

#include <gtest/gtest.h>

namespace interline::mcp {
namespace {

TEST(McpEvents, AMessageOfSeveralLinesIsOneEvent) {
  EXPECT_EQ(event_of("{\"a\":1}"), "data: {\"a\":1}\n\n");
  EXPECT_EQ(event_of("{\r\n\"a\":\n1}"), "data: {  \"a\": 1}\n\n");
}

}  // namespace
}  // namespace interline::mcp
