#include "app/takeover.hpp"

#include <gmock/gmock.h>

namespace interline::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Configuration read(const std::string& text) {
  auto configuration = parse_configuration(text, "interline.toml");
  EXPECT_TRUE(configuration) << configuration.error().front().text;
  return *std::move(configuration);
}

TEST(Takeover, TheSameAgain_NothingWaits) {
  const Configuration running = read("[xmpp]\ndomain = \"a.example\"\nsecret = \"s\"\n");
  EXPECT_THAT(take_over(running, running).waiting, IsEmpty());
}

TEST(Takeover, GrantsAndEndpointsAreTaken) {
  const Takeover takeover =
      take_over(read(""), read("[[grant]]\nprincipals = [\"key:a\"]\nendpoints = [\"*\"]\n"
                               "[[endpoint]]\nname = \"one\"\nruntime = { kind = \"builtin\" }\n"));
  EXPECT_THAT(takeover.waiting, IsEmpty());
  EXPECT_EQ(takeover.configuration.grants.size(), 1U);
  EXPECT_EQ(takeover.configuration.endpoints.size(), 1U);
}

TEST(Takeover, DrainAndLogLevelAreTaken) {
  const Takeover takeover =
      take_over(read(""), read("[gateway]\nlog_level = \"debug\"\n[tasks]\ndrain = \"1s\"\n"));
  EXPECT_THAT(takeover.waiting, IsEmpty());
  EXPECT_EQ(takeover.configuration.gateway.log_level, "debug");
  EXPECT_EQ(takeover.configuration.tasks.drain, std::chrono::seconds(1));
}

TEST(Takeover, WhatNeedsARestart_StaysAndIsNamed) {
  const Takeover takeover =
      take_over(read(""), read("[gateway]\ntitle = \"Other\"\n[http]\nlisten = \"off\"\n"
                               "[xmpp]\ndomain = \"a.example\"\nsecret = \"s\"\n"
                               "[limits]\njson_depth = 9\n[tasks]\nretention = \"1h\"\n"));
  EXPECT_THAT(takeover.waiting,
              ElementsAre("[gateway]", "[http]", "[xmpp]", "[limits]", "[tasks]"));
  EXPECT_EQ(takeover.configuration.http.listen, HttpSection().listen);
  EXPECT_EQ(takeover.configuration.limits.json_depth, LimitsSection().json_depth);
  EXPECT_FALSE(takeover.configuration.xmpp);
}

TEST(Takeover, AdminsAreTaken_AnotherSecretIsNot) {
  const Configuration running = read("[xmpp]\ndomain = \"a.example\"\nsecret = \"s\"\n");
  const Takeover admins = take_over(
      running,
      read("[xmpp]\ndomain = \"a.example\"\nsecret = \"s\"\nadmins = [\"root@b.example\"]\n"));
  EXPECT_THAT(admins.waiting, IsEmpty());
  EXPECT_THAT(admins.configuration.xmpp->admins, ElementsAre("root@b.example"));
  const Takeover secret =
      take_over(running, read("[xmpp]\ndomain = \"a.example\"\nsecret = \"t\"\n"));
  EXPECT_THAT(secret.waiting, ElementsAre("[xmpp]"));
}

}  // namespace
}  // namespace interline::app
