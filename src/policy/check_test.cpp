// Mistakes in accounts and grants, each said with what to write instead.
#include "policy/check.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/policy.hpp"

namespace interline::policy {
namespace {

Grant grant_to(std::vector<std::string> principals) {
  Grant grant;
  grant.principals = std::move(principals);
  grant.endpoints = {"*"};
  grant.visible = true;
  return grant;
}

std::vector<std::string> mistakes_of(Configuration configuration) {
  std::vector<std::string> texts;
  const auto compiled = Policy::compile(std::move(configuration));
  if (compiled) return texts;
  for (const Error& error : compiled.error()) {
    EXPECT_EQ(error.kind, ErrorKind::malformed);
    texts.push_back(error.message);
  }
  return texts;
}

std::string mistake_of(Configuration configuration) {
  const auto all = mistakes_of(std::move(configuration));
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? std::string() : all.front();
}

std::string mistake_of_principal(std::string principal) {
  Configuration configuration;
  configuration.grants = {grant_to({std::move(principal)})};
  return mistake_of(std::move(configuration));
}

TEST(PolicyConfiguration, EveryFormOfPrincipalIsUnderstood) {
  Configuration configuration;
  configuration.grants = {
      grant_to({"xmpp:alice@example.org", "xmpp:*@example.org", "key:ci",
                "jwt:https://id.example#alice", "simplex:contact/main/4", "simplex:group/main/2/7",
                "simplex:key/MCow*", "local:root", "anonymous", "*", "!key:ci", "!anonymous"})};
  EXPECT_EQ(mistakes_of(configuration), std::vector<std::string>());
}

TEST(PolicyConfiguration, APrincipalWithoutANetworkIsAMistake) {
  EXPECT_EQ(mistake_of_principal("alice@example.org"),
            "grant 1: alice@example.org is wrong: a principal is written NETWORK:NAME, for example "
            "xmpp:*@example.org");
  EXPECT_NE(mistake_of_principal("xmpp:"), "");

  Configuration configuration;
  configuration.grants = {grant_to({"*", "!alice"})};
  EXPECT_NE(mistake_of(configuration), "");
}

TEST(PolicyConfiguration, AnUnknownNetworkIsAMistakeThatNamesTheKnownOnes) {
  EXPECT_EQ(mistake_of_principal("xmmp:*"),
            "grant 1: xmmp:* is wrong: no principal begins that way; the networks are xmpp, key, "
            "jwt, simplex, local, anonymous");
}

TEST(PolicyConfiguration, AnXmppPatternThatCouldNeverMatchIsAMistake) {
  EXPECT_NE(mistake_of_principal("xmpp:Alice@example.org").find("lower case"), std::string::npos);
  EXPECT_NE(mistake_of_principal("xmpp:alice@example.org/phone").find("bare JID"),
            std::string::npos);
}

TEST(PolicyConfiguration, ListsThatGiveNothingAreMistakes) {
  Configuration configuration;
  configuration.grants = {grant_to({})};
  EXPECT_EQ(mistake_of(configuration), "grant 1: principals is missing or empty");
  configuration.grants = {grant_to({"!key:ci"})};
  EXPECT_EQ(mistake_of(configuration),
            R"(grant 1: principals only excludes; begin the list with "*")");
  configuration.grants = {grant_to({"key:*"})};
  configuration.grants[0].endpoints.clear();
  EXPECT_EQ(mistake_of(configuration), "grant 1: endpoints is missing or empty");
  configuration.grants[0].endpoints = {"a", ""};
  EXPECT_EQ(mistake_of(configuration),
            "grant 1: endpoints has an empty pattern, which matches nothing");
  configuration.grants[0].endpoints = {"a"};
  configuration.grants[0].invoke = {"!disk.erase"};
  EXPECT_EQ(mistake_of(configuration), R"(grant 1: invoke only excludes; begin the list with "*")");
}

TEST(PolicyConfiguration, AccountsNameWholePrincipalsOfOneAccountEach) {
  Configuration configuration;
  configuration.accounts = {Account{"alice", {"xmpp:alice@example.org", "key:*"}, "default"},
                            Account{"bob", {"xmpp:alice@example.org", "anonymous"}, "default"}};
  const std::vector<std::string> expected = {
      "account alice: key:* is wrong: a whole principal is wanted here, without *",
      "account bob: xmpp:alice@example.org belongs to account alice already",
      "account bob: anonymous callers are nobody's account",
  };
  auto found = mistakes_of(configuration);
  EXPECT_TRUE(std::ranges::is_permutation(found, expected)) << found.size();
}

TEST(PolicyConfiguration, AnAccountHasANameOfItsOwnAndATenant) {
  Configuration configuration;
  configuration.accounts = {Account{"a", {"key:1"}, "default"}, Account{"a", {"key:2"}, "default"}};
  EXPECT_EQ(mistake_of(configuration), "account a: name is used by another account already");
  configuration.accounts = {Account{"a", {"key:1"}, "Not/OK"}};
  EXPECT_EQ(mistake_of(configuration), "account a: tenant is wrong: 1 to 64 of a-z, 0-9, . _ -");
}

TEST(PolicyConfiguration, AdministratorsAndOperatorsAreWholePrincipals) {
  Configuration configuration;
  configuration.admins = {"xmpp:*@example.org"};
  configuration.operators = {"root"};
  EXPECT_EQ(mistakes_of(configuration).size(), 2U);
}

TEST(PolicyConfiguration, LocalDomainsAreDomainsInLowerCase) {
  for (const auto domain : {"", "Example.org", "alice@example.org", "example.org/x", "*.example"}) {
    Configuration configuration;
    configuration.local_domains = {domain};
    EXPECT_THAT(mistake_of(configuration), ::testing::StartsWith("xmpp: local_domains is wrong: "));
  }
}

TEST(PolicyConfiguration, AMistakeHasItsPlace) {
  Configuration configuration;
  configuration.grants = {grant_to({"key:*"}), grant_to({"nobody"})};
  configuration.admins = {"xmpp:a@example.org", "xmpp:b@example.org", "*"};
  const auto found = find_mistakes(configuration);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].place, Mistake::Place::grant);
  EXPECT_EQ(found[0].index, 1U);
  EXPECT_EQ(found[1].place, Mistake::Place::admin);
  EXPECT_EQ(found[1].index, 2U);
}

TEST(PolicyConfiguration, EveryMistakeIsReportedAtOnce) {
  Configuration configuration;
  configuration.grants = {grant_to({"nobody"}), grant_to({"xmmp:*"})};
  configuration.admins = {"root"};
  EXPECT_EQ(mistakes_of(configuration).size(), 3U);
}

}  // namespace
}  // namespace interline::policy
