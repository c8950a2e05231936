#include "protocols/oauth/resource_metadata.hpp"

#include <array>

#include <gtest/gtest.h>

namespace interline::protocols::oauth {
namespace {

TEST(Rfc9728_Metadata, NamesTheResourceItsIssuersAndItsScopes) {
  const std::array<std::string, 1> issuers = {"https://id.example"};
  const std::array<std::string, 2> scopes = {"tools:call", "tasks"};
  ResourceMetadata metadata;
  metadata.resource = "https://gateway.example/mcp";
  metadata.name = "Example \"Agents\"";
  metadata.authorization_servers = issuers;
  metadata.scopes = scopes;
  EXPECT_EQ(write_resource_metadata(metadata),
            R"({"resource":"https://gateway.example/mcp","resource_name":"Example \"Agents\"",)"
            R"("authorization_servers":["https://id.example"],)"
            R"("scopes_supported":["tools:call","tasks"],"bearer_methods_supported":["header"]})");
}

TEST(Rfc9728_Metadata, LeavesOutWhatThereIsNot) {
  ResourceMetadata metadata;
  metadata.resource = "https://gateway.example";
  EXPECT_EQ(write_resource_metadata(metadata),
            R"({"resource":"https://gateway.example","bearer_methods_supported":["header"]})");
}

TEST(Rfc9728_Metadata, IsFoundBeforeTheResourcesOwnPath) {
  EXPECT_EQ(resource_metadata_path("/mcp/weather"),
            "/.well-known/oauth-protected-resource/mcp/weather");
  EXPECT_EQ(resource_metadata_path("/"), "/.well-known/oauth-protected-resource");
  EXPECT_EQ(resource_metadata_path(""), "/.well-known/oauth-protected-resource");
}

}  // namespace
}  // namespace interline::protocols::oauth
