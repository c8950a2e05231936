#include "protocols/mcp/server/view.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::mcp::server {
namespace {

Asked view_of(std::string endpoint) {
  Asked asked;
  asked.endpoint = std::move(endpoint);
  return asked;
}

TEST(McpView_Uris, OfAllHaveTheirEndpointBeforeThem) {
  const Asked all = view_of("");
  EXPECT_EQ(shown_uri(all, "files", "file:///a"), "interline:files/file:///a");
  EXPECT_EQ(shown_uri(all, "a b/c", "x:{id}"), "interline:a%20b%2Fc/x:{id}");
}

TEST(McpView_Uris, ComeBackAsTheyWere) {
  const Asked all = view_of("");
  for (const std::string endpoint : {"files", "weather@agents.example.org", "a b/c", "\u00e9"}) {
    const auto own = own_uri(all, shown_uri(all, endpoint, "file:///a/%41?b#c"));
    ASSERT_TRUE(own.has_value()) << endpoint;
    EXPECT_EQ(own->endpoint, endpoint);
    EXPECT_EQ(own->uri, "file:///a/%41?b#c");
  }
}

TEST(McpView_Uris, OfOneAreItsOwn) {
  const Asked one = view_of("files");
  EXPECT_EQ(shown_uri(one, "files", "file:///a"), "file:///a");
  EXPECT_EQ(own_uri(one, "interline:x/y")->uri, "interline:x/y");
}

TEST(McpView_Uris, OthersAreNone) {
  const Asked all = view_of("");
  for (const auto* const uri :
       {"file:///a", "interline:", "interline:files", "interline:/x", "interline:%2/x",
        "interline:%zz/x", "interline:%41/x", "interline:%FF/x", "interline:%2f/x"}) {
    EXPECT_FALSE(own_uri(all, uri).has_value()) << uri;
  }
}

}  // namespace
}  // namespace interline::protocols::mcp::server
