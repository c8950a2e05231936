#include "protocols/mcp/server/session_record.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::mcp::server {
namespace {

TEST(McpSessionRecord, ComesBackAsItWas) {
  SessionRecord session;
  session.who = Principal("key:ci");
  session.endpoint = "weather";
  session.revision = Revision::v2025_06_18;
  session.capabilities.add(ClientCapability::elicitation_form);
  session.capabilities.add(ClientCapability::sampling);
  session.level = LogLevel::warning;
  session.resources = {"file:///a", "file:///b"};
  const auto change = keep_session("an-id", session, SystemTime());
  EXPECT_EQ(change.record.owner, "key:ci");
  EXPECT_EQ(change.record.key, "an-id");
  const auto read = read_session(change.record);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->who, session.who);
  EXPECT_EQ(read->endpoint, "weather");
  EXPECT_EQ(read->revision, session.revision);
  EXPECT_EQ(read->capabilities, session.capabilities);
  EXPECT_EQ(read->level, session.level);
  EXPECT_EQ(read->resources, session.resources);
}

TEST(McpSessionRecord, WhatAnotherVersionWroteIsNone) {
  engine::Record record;
  for (const auto* const bytes : {"", "{}", R"({"revision":"1999-01-01","capabilities":{}})"}) {
    record.bytes = bytes;
    EXPECT_FALSE(read_session(record).has_value()) << bytes;
  }
}

}  // namespace
}  // namespace interline::protocols::mcp::server
