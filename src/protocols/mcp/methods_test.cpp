// Brief: 2026-07-28 schema, "Methods"; what was removed from 2025-11-25.
#include "protocols/mcp/methods.hpp"

#include <set>

#include <gtest/gtest.h>

namespace interline::protocols::mcp {
namespace {

TEST(Mcp_Methods, RemovedOnesAreNoneOfTheModernRevision) {
  for (const std::string_view name :
       {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
        "notifications/initialized", "notifications/roots/list_changed"}) {
    EXPECT_EQ(find_method(name, Revision::v2026_07_28), nullptr) << name;
    EXPECT_NE(find_method(name, Revision::v2025_11_25), nullptr) << name;
  }
  for (const std::string_view name : {"tasks/result", "tasks/list", "roots/list",
                                      "sampling/createMessage", "elicitation/create", ""}) {
    EXPECT_EQ(find_method(name), nullptr) << name;
  }
}

TEST(Mcp_Methods, NewOnesAreNoneOfTheLegacyRevisions) {
  for (const std::string_view name :
       {"server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_NE(find_method(name, Revision::v2026_07_28), nullptr) << name;
    EXPECT_EQ(find_method(name, Revision::v2025_11_25), nullptr) << name;
  }
}

TEST(Mcp_Mrtr, SupportedRequestsAreThree) {
  std::set<std::string_view> asking;
  for (const Method& method : methods()) {
    if (method.may_ask) asking.insert(method.name);
  }
  EXPECT_EQ(asking, (std::set<std::string_view>{"tools/call", "prompts/get", "resources/read"}));
}

TEST(Mcp_Caching, CacheableResultsAreSix) {
  std::set<std::string_view> cacheable;
  for (const Method& method : methods()) {
    if (method.cacheable) cacheable.insert(method.name);
  }
  EXPECT_EQ(cacheable, (std::set<std::string_view>{"server/discover", "tools/list", "prompts/list",
                                                   "resources/list", "resources/templates/list",
                                                   "resources/read"}));
}

TEST(Mcp_StandardHeaders, NameMirrorsTheseMembers) {
  EXPECT_EQ(find_method("tools/call")->name_member, "name");
  EXPECT_EQ(find_method("prompts/get")->name_member, "name");
  EXPECT_EQ(find_method("resources/read")->name_member, "uri");
  for (const auto name : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(find_method(name)->name_member, "taskId");
    EXPECT_TRUE(find_method(name)->is_extension());
  }
  EXPECT_EQ(find_method("tools/list")->name_member, "");
}

TEST(Mcp_Discover, WhatIsOfferedFollowsTheFeatures) {
  Features features;
  EXPECT_TRUE(offers(features, Capability::none));
  EXPECT_TRUE(offers(features, Capability::tools));
  EXPECT_FALSE(offers(features, Capability::prompts));
  EXPECT_FALSE(offers(features, Capability::notifications));
  EXPECT_FALSE(offers(features, Capability::tasks));
  features.prompts_changed = true;
  EXPECT_TRUE(offers(features, Capability::notifications));
  EXPECT_FALSE(offers(features, Capability::prompts));
  features.tasks = features.resource_subscriptions = features.logging = features.completions = true;
  for (const auto capability : {Capability::tasks, Capability::resource_subscriptions,
                                Capability::logging, Capability::completions}) {
    EXPECT_TRUE(offers(features, capability));
  }
}

TEST(Mcp_Versions, NamesAndOrder) {
  for (const std::string_view name : kRevisionNames)
    EXPECT_EQ(to_string(*revision_named(name)), name);
  EXPECT_FALSE(revision_named("2026-07-29"));
  EXPECT_FALSE(revision_named(""));
  for (const std::string_view name : kInitializedVersions) {
    EXPECT_FALSE(is_modern(*revision_named(name)));
  }
  EXPECT_TRUE(is_modern(kModernRevisions.front()));
}

}  // namespace
}  // namespace interline::protocols::mcp
