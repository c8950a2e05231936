// What a client finds: versions, capabilities, tools under the names of the view.
#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class McpDiscovery : public McpTest {};

McpRequest asking(const std::string& method) {
  McpRequest request;
  request.method = method;
  return request;
}

TEST_F(McpDiscovery, M010_M014_M016_M021_DiscoverSaysWhatIsServedAndWhoServes) {
  serve();
  const McpReply reply = send(asking("server/discover"));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.at("/result/resultType"), R"("complete")");
  EXPECT_EQ(reply.at("/result/supportedVersions"), R"(["2026-07-28"])");
  EXPECT_EQ(reply.at("/result/capabilities/tools"), R"({"listChanged":true})");
  EXPECT_EQ(reply.at("/result/_meta/io.modelcontextprotocol~1serverInfo/name"), R"("interline")");
}

TEST_F(McpDiscovery, M095_TasksAreAnExtensionAndNoCapabilityOfTheirOwn) {
  serve();
  const McpReply reply = send(asking("server/discover"));
  EXPECT_EQ(reply.at("/result/capabilities/extensions/io.modelcontextprotocol~1tasks"), "{}");
  EXPECT_EQ(reply.at("/result/capabilities/tasks"), "");
}

TEST_F(McpDiscovery, M021_WhatAnEndpointDoesNotHaveIsNeitherToldNorFound) {
  serve();
  McpRequest request = asking("server/discover");
  request.path = "/mcp/demo";
  EXPECT_EQ(send(request).at("/result/capabilities/prompts"), "");
  request = asking("prompts/list");
  request.path = "/mcp/demo";
  EXPECT_EQ(send(request).status, 404);
}

TEST_F(McpDiscovery, ToolsAreCalledByTheirEndpointWhereAllAreShown) {
  serve();
  McpRequest request = asking("tools/list");
  const McpReply strangers = send(request);
  EXPECT_EQ(strangers.at("/result/tools/0/name"), R"("demo.ask")");
  EXPECT_THAT(strangers.last(), Not(HasSubstr("second.")));
  request.key = make_key("ci");
  const McpReply keys = send(request);
  EXPECT_THAT(keys.last(), HasSubstr(R"("name":"second.echo")"));
  EXPECT_EQ(keys.at("/result/cacheScope"), R"("private")");
  request.path = "/mcp/second";
  EXPECT_EQ(send(request).at("/result/tools/0/name"), R"("ask")");
}

TEST_F(McpDiscovery, M070_PagesFollowEachOtherAndForeignCursorsAreRefused) {
  serve("[mcp]\npage = 3\n");
  McpRequest request = asking("tools/list");
  std::string names;
  std::string cursor;
  std::size_t pages = 0;
  do {
    request.params = cursor.empty() ? "" : "\"cursor\":" + cursor;
    const McpReply reply = send(request);
    for (int i = 0; i < 3; ++i) names += reply.at("/result/tools/" + std::to_string(i) + "/name");
    cursor = reply.at("/result/nextCursor");
    ++pages;
  } while (!cursor.empty() && pages < 10);
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(names, R"("demo.ask""demo.echo""demo.fail""demo.never""demo.output""demo.sleep")"
                   R"("demo.wait")");
  request.params = "";
  cursor = send(request).at("/result/nextCursor");
  request.params = "\"cursor\":" + cursor;
  request.key = make_key("other");
  EXPECT_EQ(send(request).at("/error/code"), "-32602");
  request.params = R"("cursor":"made-up")";
  EXPECT_EQ(send(request).at("/error/code"), "-32602");
}

TEST_F(McpDiscovery, M072_M074_ListsSayHowLongTheyAreGoodForAndAreTheSameEachTime) {
  serve("[mcp]\nlists_ttl = \"5s\"\n");
  const McpReply first = send(asking("tools/list"));
  EXPECT_EQ(first.at("/result/ttlMs"), "5000");
  EXPECT_EQ(first.last(), send(asking("tools/list")).last());
  EXPECT_EQ(send(asking("server/discover")).at("/result/ttlMs"), "5000");
}

}  // namespace
}  // namespace interline::testing
