#include "policy/policy.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "base/memory_log_sink.hpp"

namespace interline::policy {
namespace {

const Principal kAlice = Principal::of("xmpp", "alice@example.org");
const Principal kBob = Principal::of("xmpp", "bob@example.org");
const Principal kEve = Principal::of("xmpp", "eve@partner.example");
const Principal kKey = Principal::of("key", "ci");

Grant grant(std::vector<std::string> principals, std::vector<std::string> endpoints, bool visible,
            std::vector<std::string> invoke = {}) {
  Grant made;
  made.principals = std::move(principals);
  made.endpoints = std::move(endpoints);
  made.visible = visible;
  made.invoke = std::move(invoke);
  return made;
}

Configuration local() {
  Configuration configuration;
  configuration.local_domains = {"example.org"};
  return configuration;
}

Policy compiled(Configuration configuration, std::shared_ptr<DecisionLog> log = nullptr) {
  auto policy = Policy::compile(std::move(configuration), std::move(log));
  if (!policy) throw std::runtime_error(policy.error().front().message);
  return *std::move(policy);
}

Policy with(std::vector<Grant> grants) {
  Configuration configuration = local();
  configuration.grants = std::move(grants);
  return compiled(std::move(configuration));
}

bool invokes(const Policy& policy, const Principal& who, std::string_view endpoint,
             std::string_view tool) {
  const bool may = policy.may_invoke(who, endpoint, tool, ToolFacts());
  EXPECT_EQ(policy.invocable(who, endpoint, tool, ToolFacts()), may);
  return may;
}

TEST(Principals, AreOneTextWithTheNetworkInFront) {
  EXPECT_EQ(kAlice.text(), "xmpp:alice@example.org");
  EXPECT_EQ(kAlice.network(), "xmpp");
  EXPECT_EQ(kAlice.name(), "alice@example.org");
  const Principal token("jwt:https://id.example#alice");
  EXPECT_EQ(token.network(), "jwt");
  EXPECT_EQ(token.name(), "https://id.example#alice");
  const Principal member("simplex:group/main/2/7");
  EXPECT_EQ(member.network(), "simplex");
  EXPECT_EQ(member.name(), "group/main/2/7");
  EXPECT_TRUE(Principal::anonymous().is_anonymous());
  EXPECT_EQ(Principal::anonymous().network(), "anonymous");
  EXPECT_EQ(Principal::anonymous().name(), "");
  EXPECT_NE(Principal("key:A"), Principal("key:a"));
}

TEST(Grants, WithoutOneNothingIsVisibleOrCallable) {
  const Policy policy = with({});
  for (const Principal& who : {kAlice, kEve, kKey, Principal::anonymous(), Principal("local:u")}) {
    EXPECT_FALSE(policy.visible(who, "weather"));
    EXPECT_FALSE(invokes(policy, who, "weather", "forecast.get"));
    EXPECT_FALSE(policy.may_invoke_any(who, "weather"));
    EXPECT_FALSE(policy.is_known(who));
    EXPECT_FALSE(policy.visibility_class(who).sees("weather"));
  }
}

TEST(Grants, VisibilityAndInvocationAreSeparate) {
  const Policy policy = with({grant({"xmpp:alice@example.org"}, {"shop"}, true),
                              grant({"xmpp:bob@example.org"}, {"shop"}, false, {"*"})});
  EXPECT_TRUE(policy.visible(kAlice, "shop"));
  EXPECT_FALSE(invokes(policy, kAlice, "shop", "buy"));
  EXPECT_FALSE(policy.may_invoke_any(kAlice, "shop"));
  EXPECT_FALSE(policy.visible(kBob, "shop"));
  EXPECT_FALSE(policy.visibility_class(kBob).sees("shop"));
  EXPECT_TRUE(invokes(policy, kBob, "shop", "buy"));
  EXPECT_TRUE(policy.may_invoke_any(kBob, "shop"));
}

TEST(Grants, ReachOnlyTheirEndpointsAndTools) {
  const Policy policy =
      with({grant({"key:*"}, {"*", "!payroll"}, true, {"read.*", "!read.secret"})});
  EXPECT_TRUE(invokes(policy, kKey, "shop", "read.price"));
  EXPECT_FALSE(invokes(policy, kKey, "shop", "read.secret"));
  EXPECT_FALSE(invokes(policy, kKey, "shop", "write.price"));
  EXPECT_FALSE(invokes(policy, kKey, "payroll", "read.price"));
  EXPECT_FALSE(policy.visible(kKey, "payroll"));
  EXPECT_FALSE(policy.visible(kAlice, "shop"));
}

TEST(Grants, AddUpAndAnExclusionHoldsInItsOwnGrantOnly) {
  const Policy policy = with({grant({"key:*"}, {"*", "!payroll"}, true, {"a"}),
                              grant({"key:ci"}, {"payroll"}, true, {"b"})});
  EXPECT_TRUE(policy.visible(kKey, "payroll"));
  EXPECT_FALSE(policy.visible(Principal("key:other"), "payroll"));
  EXPECT_FALSE(invokes(policy, kKey, "payroll", "a"));
  EXPECT_TRUE(invokes(policy, kKey, "payroll", "b"));
}

TEST(Grants, APrincipalMayBeExcluded) {
  const Policy policy = with({grant({"xmpp:*@example.org", "!xmpp:bob@example.org"}, {"*"}, true)});
  EXPECT_TRUE(policy.visible(kAlice, "shop"));
  EXPECT_FALSE(policy.visible(kBob, "shop"));
}

TEST(Grants, AnonymousCallersAreReachedByNameOnly) {
  const Principal nobody = Principal::anonymous();
  EXPECT_FALSE(with({grant({"*"}, {"*"}, true)}).visible(nobody, "shop"));
  EXPECT_TRUE(with({grant({"anonymous"}, {"*"}, true)}).visible(nobody, "shop"));
  EXPECT_FALSE(with({grant({"anonymous", "!anonymous"}, {"*"}, true)}).visible(nobody, "shop"));
}

TEST(Federation, IsDeniedUnlessThePatternSpellsTheDomain) {
  struct Row {
    const char* pattern;
    bool reaches;
  };
  const Row rows[] = {{"*", false},
                      {"xmpp:*", false},
                      {"xmpp:*@*", false},
                      {"xmpp:eve@*", false},
                      {"xmpp:*partner.example", false},
                      {"xmpp:*@*.example", false},
                      {"xmpp:*@partner.example", true},
                      {"xmpp:e*@partner.example", true},
                      {"xmpp:eve@partner.example", true},
                      {"xmpp:*@example", false},
                      {"xmpp:*@example.org", false}};
  for (const Row& row : rows) {
    const Policy policy = with({grant({row.pattern}, {"*"}, true, {"*"})});
    EXPECT_EQ(policy.visible(kEve, "shop"), row.reaches) << row.pattern;
    EXPECT_EQ(invokes(policy, kEve, "shop", "buy"), row.reaches) << row.pattern;
    EXPECT_EQ(policy.is_known(kEve), row.reaches) << row.pattern;
    EXPECT_EQ(policy.visibility_class(kEve).sees("shop"), row.reaches) << row.pattern;
  }
}

TEST(Federation, AnExclusionNeedsNotSpellTheDomain) {
  const Policy policy = with({grant({"xmpp:*@partner.example", "!xmpp:eve@*"}, {"*"}, true)});
  EXPECT_FALSE(policy.visible(kEve, "shop"));
  EXPECT_TRUE(policy.visible(Principal("xmpp:mallory@partner.example"), "shop"));
}

TEST(Federation, IsAWordForXmppPrincipalsOnly) {
  const Policy policy = with({});
  EXPECT_TRUE(policy.is_local(kAlice));
  EXPECT_FALSE(policy.is_federated(kAlice));
  EXPECT_FALSE(policy.is_local(kEve));
  EXPECT_TRUE(policy.is_federated(kEve));
  EXPECT_FALSE(policy.is_local(kKey));
  EXPECT_FALSE(policy.is_federated(kKey));
  EXPECT_TRUE(policy.is_federated(Principal("xmpp:alice@sub.example.org")));
  EXPECT_TRUE(policy.is_local(Principal("xmpp:example.org"))) << "the server itself";
}

TEST(Tools, ARequiredPermissionFailsClosed) {
  std::vector<Grant> grants = {grant({"key:*"}, {"*"}, true, {"*"}),
                               grant({"key:ci"}, {"shop"}, false)};
  grants[1].permissions = {"orders.write"};
  const Policy policy = with(grants);
  const std::vector<std::string> one = {"orders.write"};
  const std::vector<std::string> two = {"orders.write", "orders.refund"};
  ToolFacts facts;
  facts.required_permissions = one;
  EXPECT_TRUE(policy.may_invoke(kKey, "shop", "buy", facts));
  EXPECT_FALSE(policy.may_invoke(Principal("key:other"), "shop", "buy", facts));
  EXPECT_FALSE(policy.may_invoke(kKey, "bank", "buy", facts));
  facts.required_permissions = two;
  EXPECT_FALSE(policy.may_invoke(kKey, "shop", "buy", facts));
}

TEST(Tools, AnApprovalThatNothingVerifiesFailsClosed) {
  const Policy policy = with({grant({"key:*"}, {"*"}, true, {"*", "buy"})});
  ToolFacts facts;
  facts.approval_required = true;
  EXPECT_FALSE(policy.may_invoke(kKey, "shop", "buy", facts));
}

TEST(Tools, DestructiveOnesMayHaveToBeSpelledOut) {
  Configuration configuration = local();
  configuration.grants = {grant({"key:*"}, {"*"}, true, {"*"}),
                          grant({"key:ci"}, {"disk"}, true, {"erase"})};
  ToolFacts facts;
  facts.destructive = true;
  EXPECT_TRUE(compiled(configuration).may_invoke(Principal("key:x"), "disk", "erase", facts));
  configuration.explicit_destructive = true;
  const Policy policy = compiled(configuration);
  EXPECT_FALSE(policy.may_invoke(Principal("key:x"), "disk", "erase", facts));
  EXPECT_FALSE(policy.invocable(Principal("key:x"), "disk", "erase", facts));
  EXPECT_TRUE(policy.may_invoke(kKey, "disk", "erase", facts));
  EXPECT_TRUE(policy.invocable(kKey, "disk", "erase", facts));
  EXPECT_TRUE(invokes(policy, Principal("key:x"), "disk", "read"));
}

TEST(Administrators, AreLocalUnlessFederatedOnesAreAllowed) {
  Configuration configuration = local();
  configuration.admins = {"xmpp:alice@example.org", "xmpp:eve@partner.example", "key:ci"};
  Policy policy = compiled(configuration);
  EXPECT_TRUE(policy.is_admin(kAlice));
  EXPECT_TRUE(policy.is_admin(kKey));
  EXPECT_FALSE(policy.is_admin(kBob));
  EXPECT_FALSE(policy.is_admin(kEve));
  configuration.federated_admin = true;
  EXPECT_TRUE(compiled(configuration).is_admin(kEve));
}

TEST(Administrators, HaveNoRightToSeeOrToInvoke) {
  Configuration configuration = local();
  configuration.admins = {"xmpp:alice@example.org"};
  const Policy policy = compiled(configuration);
  EXPECT_FALSE(policy.visible(kAlice, "shop"));
  EXPECT_FALSE(invokes(policy, kAlice, "shop", "buy"));
  EXPECT_FALSE(policy.is_operator(kAlice));
}

TEST(Administrators, OperatorsAreAdministrators) {
  Configuration configuration = local();
  configuration.operators = {"local:root"};
  const Policy policy = compiled(configuration);
  EXPECT_TRUE(policy.is_operator(Principal("local:root")));
  EXPECT_TRUE(policy.is_admin(Principal("local:root")));
  EXPECT_FALSE(policy.is_admin(Principal("local:rooty")));
}

TEST(SelfRegistration, IsForTheOwnBareJidOfALocalAccountWhereItIsOn) {
  Configuration configuration = local();
  EXPECT_FALSE(compiled(configuration).may_self_register(kAlice, "alice@example.org"));
  configuration.self_registration = true;
  const Policy policy = compiled(configuration);
  EXPECT_TRUE(policy.may_self_register(kAlice, "alice@example.org"));
  EXPECT_FALSE(policy.may_self_register(kAlice, "bob@example.org"));
  EXPECT_FALSE(policy.may_self_register(kEve, "eve@partner.example"));
  EXPECT_FALSE(policy.may_self_register(Principal("xmpp:example.org"), "example.org"));
  EXPECT_FALSE(policy.may_self_register(Principal("key:alice@example.org"), "alice@example.org"));
}

TEST(Accounts, LinkPrincipalsIntoOnePartyOfOneTenant) {
  Configuration configuration = local();
  configuration.accounts = {
      Account{"alice", {"xmpp:alice@example.org", "xmpp:al@example.org", "key:laptop"}, "blue"}};
  const Policy policy = compiled(configuration);
  const Party party = policy.party(Principal("key:laptop"));
  EXPECT_EQ(party.account, "alice");
  EXPECT_EQ(party.tenant, "blue");
  EXPECT_EQ(party.principals.size(), 3U);
  const Party alone = policy.party(kBob);
  EXPECT_EQ(alone.account, "");
  EXPECT_EQ(alone.tenant, "default");
  EXPECT_EQ(alone.principals, std::vector<std::string>{"xmpp:bob@example.org"});
  EXPECT_TRUE(policy.party(Principal::anonymous()).principals.empty())
      << "their tasks are reached by id alone";
}

TEST(Accounts, ControlTheirTasksFromAnyNetworkButXmppTasksStayWithTheirJid) {
  Configuration configuration = local();
  configuration.accounts = {
      Account{"alice", {"xmpp:alice@example.org", "xmpp:al@example.org", "key:laptop"}, "default"},
      Account{"bob", {"xmpp:bob@example.org"}, "default"}};
  const Policy policy = compiled(configuration);
  const Principal second("xmpp:al@example.org");
  const Principal laptop("key:laptop");
  EXPECT_TRUE(policy.controls(laptop, "xmpp:alice@example.org", "xmpp"));
  EXPECT_TRUE(policy.controls(kAlice, "key:laptop", "mcp"));
  EXPECT_TRUE(policy.controls(kAlice, "xmpp:alice@example.org", "xmpp"));
  EXPECT_FALSE(policy.controls(second, "xmpp:alice@example.org", "xmpp"));
  EXPECT_TRUE(policy.controls(second, "xmpp:alice@example.org", "mcp"));
  EXPECT_FALSE(policy.controls(kBob, "xmpp:alice@example.org", "mcp"));
  EXPECT_FALSE(policy.controls(kKey, "key:laptop", "mcp"));
  configuration.share_xmpp_tasks = true;
  EXPECT_TRUE(compiled(configuration).controls(second, "xmpp:alice@example.org", "xmpp"));
}

TEST(Accounts, RightsAreThePrincipalsOwnNotTheAccounts) {
  Configuration configuration = local();
  configuration.accounts = {Account{"alice", {"xmpp:alice@example.org", "key:laptop"}, "default"}};
  configuration.grants = {grant({"xmpp:alice@example.org"}, {"*"}, true)};
  EXPECT_FALSE(compiled(configuration).visible(Principal("key:laptop"), "shop"));
}

TEST(VisibilityClasses, AreSharedByPrincipalsWithTheSameLists) {
  const Policy policy =
      with({grant({"xmpp:*@example.org"}, {"a", "b*"}, true), grant({"key:*"}, {"a", "b*"}, true),
            grant({"key:ci"}, {"c"}, true), grant({"xmpp:bob@example.org"}, {"c"}, false, {"*"})});
  EXPECT_EQ(policy.visibility_class(kAlice), policy.visibility_class(kBob));
  EXPECT_EQ(policy.visibility_class(kAlice), policy.visibility_class(Principal("key:x")));
  EXPECT_FALSE(policy.visibility_class(kAlice) == policy.visibility_class(kKey));
  EXPECT_FALSE(policy.visibility_class(kAlice) == policy.visibility_class(kEve));
}

TEST(VisibilityClasses, DecideAsVisibleDoes) {
  const Policy policy = with({grant({"xmpp:*@example.org"}, {"*", "!payroll"}, true),
                              grant({"xmpp:alice@example.org"}, {"payroll", "hidden*"}, true),
                              grant({"key:*"}, {"weather"}, true)});
  for (const Principal& who : {kAlice, kBob, kEve, kKey, Principal::anonymous()}) {
    for (const auto endpoint : {"weather", "payroll", "hidden1", "absent", ""}) {
      EXPECT_EQ(policy.visible(who, endpoint), policy.visibility_class(who).sees(endpoint))
          << who.text() << " " << endpoint;
    }
  }
}

TEST(VisibilityClasses, OutliveTheirPolicyAndAreNeverThoseOfAnother) {
  VisibilityClass old;
  {
    const Policy policy = with({grant({"key:*"}, {"weather"}, true)});
    old = policy.visibility_class(kKey);
  }
  EXPECT_TRUE(old.sees("weather"));
  const Policy next = with({grant({"key:*"}, {"weather"}, true)});
  EXPECT_FALSE(old == next.visibility_class(kKey));
  EXPECT_FALSE(VisibilityClass().sees("weather"));
}

/// A decision looks at the principal's own grants, whatever others have.
TEST(GrantTable, DecisionsDoNotCostMoreBecauseOthersHaveGrants) {
  const auto made = [](int others) {
    std::vector<Grant> grants = {grant({"xmpp:alice@example.org"}, {"shop"}, true, {"buy"}),
                                 grant({"xmpp:*@example.org"}, {"desk"}, true),
                                 grant({"xmpp:*"}, {"clock"}, true)};
    for (int i = 0; i < others; ++i) {
      const std::string n = std::to_string(i);
      grants.push_back(grant({"xmpp:user" + n + "@example.org"}, {"e" + n}, true, {"*"}));
      grants.push_back(grant({"key:k" + n}, {"e" + n}, true, {"*"}));
      grants.push_back(grant({"xmpp:*@domain" + n + ".example"}, {"e" + n}, true, {"*"}));
    }
    return with(std::move(grants));
  };
  const Policy small = made(0);
  const Policy large = made(10'000);
  for (const Principal& who : {kAlice, kBob, kEve, kKey}) {
    EXPECT_EQ(large.looked_at(who), small.looked_at(who)) << who.text();
  }
  EXPECT_EQ(large.looked_at(kAlice), 3U);
  EXPECT_TRUE(large.visible(kAlice, "shop"));
  EXPECT_TRUE(large.visible(kAlice, "desk"));
  EXPECT_TRUE(large.visible(kAlice, "clock"));
  EXPECT_FALSE(large.visible(kAlice, "e7"));
  EXPECT_TRUE(large.visible(Principal("key:k7"), "e7"));
  EXPECT_TRUE(large.visible(Principal("xmpp:x@domain7.example"), "e7"));
}

TEST(Log, EveryDecisionIsWrittenWithWhoWhatWhereAndWhy) {
  ManualClock clock;
  const auto sink = std::make_shared<MemoryLogSink>();
  DecisionLogLimits all;
  all.one = {1'000, 1'000};
  Configuration configuration = local();
  configuration.operators = {"local:root"};
  configuration.admins = {"xmpp:bob@example.org"};
  configuration.grants = {grant({"key:*"}, {"shop"}, true, {"buy", "erase*"}),
                          grant({"key:*"}, {"vault"}, false, {})};
  configuration.explicit_destructive = true;
  const Policy policy =
      compiled(configuration, std::make_shared<DecisionLog>(Logger(sink, clock), clock, all));
  const std::vector<std::string> needs = {"p"};
  ToolFacts destructive;
  destructive.destructive = true;
  ToolFacts permission;
  permission.required_permissions = needs;
  ToolFacts approval;
  approval.approval_required = true;
  const Principal root("local:root");
  const TaskOwner task{"T1", "shop", kAlice.text(), "xmpp"};

  struct Row {
    bool allowed;
    const char* line;  // behind time, level and "allowed principal=" or "denied principal="
  };
  const Row rows[] = {
      {policy.may_see(kKey, "shop"), "key:ci operation=see endpoint=shop grant=1"},
      {policy.may_see(kKey, "bank"), "key:ci operation=see endpoint=bank rule=no_grant"},
      {policy.may_see(kKey, "vault"), "key:ci operation=see endpoint=vault rule=hidden"},
      {policy.may_see(root, "bank"), "local:root operation=see endpoint=bank grant=0"},
      {policy.may_invoke(kKey, "shop", "buy", {}),
       "key:ci operation=invoke endpoint=shop tool=buy grant=1"},
      {policy.may_invoke(kKey, "bank", "buy", {}),
       "key:ci operation=invoke endpoint=bank tool=buy rule=no_grant"},
      {policy.may_invoke(kKey, "shop", "sell", {}),
       "key:ci operation=invoke endpoint=shop tool=sell rule=tool"},
      {policy.may_invoke(kKey, "shop", "erase.all", destructive),
       "key:ci operation=invoke endpoint=shop tool=erase.all rule=destructive"},
      {policy.may_invoke(kKey, "shop", "buy", permission),
       "key:ci operation=invoke endpoint=shop tool=buy rule=permission"},
      {policy.may_invoke(kKey, "shop", "buy", approval),
       "key:ci operation=invoke endpoint=shop tool=buy rule=approval"},
      {policy.may_use(kKey, "shop", Offering::prompt, "daily"),
       "key:ci operation=invoke endpoint=shop tool=prompt:daily rule=tool"},
      {policy.may_invoke_any(kKey, "vault"),
       "key:ci operation=invoke endpoint=vault tool=\"\" rule=tool"},
      {policy.may_administer(kBob, "activate", "shop"),
       "xmpp:bob@example.org operation=administer endpoint=shop act=activate grant=0"},
      {policy.may_administer(kKey, "remove", "shop"),
       "key:ci operation=administer endpoint=shop act=remove rule=not_admin"},
      {policy.may_operate(kBob, "create_key"),
       "xmpp:bob@example.org operation=operate act=create_key rule=not_operator"},
      {policy.may_self_register(kAlice, "alice@example.org"),
       "xmpp:alice@example.org operation=self_register address=alice@example.org "
       "rule=not_own_address"},
      {policy.may_use_task(kAlice, task, false),
       "xmpp:alice@example.org operation=task endpoint=shop task=T1 grant=0"},
      {policy.may_use_task(kBob, task, true),
       "xmpp:bob@example.org operation=task endpoint=shop task=T1 rule=not_owner"},
      {policy.may_use_task(root, task, true),
       "local:root operation=task endpoint=shop task=T1 grant=0"},
      {policy.may_use_task(root, task, false),
       "local:root operation=task endpoint=shop task=T1 rule=not_owner"}};
  const auto entries = sink->entries();
  ASSERT_EQ(entries.size(), std::size(rows));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string head =
        rows[i].allowed ? "Z debug allowed principal=" : "Z info denied principal=";
    EXPECT_TRUE(entries[i].line.ends_with(head + rows[i].line)) << entries[i].line;
  }
}

TEST(Log, WhatIsOnlyLookedAtIsNotADecision) {
  ManualClock clock;
  const auto sink = std::make_shared<MemoryLogSink>();
  const auto log = std::make_shared<DecisionLog>(Logger(sink, clock), clock);
  const Policy policy = compiled(local(), log);
  EXPECT_FALSE(policy.visible(kAlice, "shop"));
  EXPECT_FALSE(policy.is_admin(kAlice));
  EXPECT_FALSE(policy.is_operator(kAlice));
  EXPECT_FALSE(policy.visibility_class(kAlice).sees("shop"));
  EXPECT_FALSE(policy.controls(kAlice, kBob.text(), "xmpp"));
  EXPECT_EQ(sink->text(), "");
}

TEST(Policies, ThreadsDecideAtTheSameTime) {
  const Policy policy = with({grant({"key:*"}, {"*"}, true), grant({"key:1"}, {"x"}, true)});
  std::atomic<int> seen = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&policy, &seen, t] {
        for (int i = 0; i < 500; ++i) {
          const Principal who("key:" + std::to_string((t + i) % 3));
          seen += policy.visibility_class(who).sees("x") ? 1 : 0;
        }
      });
    }
  }
  EXPECT_EQ(seen.load(), 2'000);
}

TEST(Policy_Offerings, AreReachedByTheirOwnPatternsAndByTheStar) {
  const Policy policy = with({
      grant({"key:ci"}, {"shop"}, true,
            {"buy", "prompt:daily*", "!prompt:daily-secret", "resource:shop://open/*"}),
      grant({"key:all"}, {"*"}, true, {"*", "!prompt:hidden"}),
      grant({"key:tools"}, {"*"}, true, {"p*", "re*", "**"}),
  });
  const Principal all("key:all");
  const Principal tools("key:tools");
  struct Row {
    const Principal& who;
    Offering offering;
    const char* name;
    bool usable;
  };
  const Row rows[] = {
      {kKey, Offering::prompt, "daily", true},
      {kKey, Offering::prompt, "daily-report", true},
      {kKey, Offering::prompt, "daily-secret", false},
      {kKey, Offering::prompt, "buy", false},
      {kKey, Offering::resource, "shop://open/1", true},
      {kKey, Offering::resource, "shop://closed/1", false},
      {all, Offering::prompt, "daily-secret", true},
      {all, Offering::prompt, "hidden", false},
      {all, Offering::resource, "hidden", true},
      {tools, Offering::prompt, "p", false},
      {tools, Offering::resource, "re", false},
      {kAlice, Offering::prompt, "daily", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(policy.usable(row.who, "shop", row.offering, row.name), row.usable) << row.name;
    EXPECT_EQ(policy.may_use(row.who, "shop", row.offering, row.name), row.usable) << row.name;
  }
  EXPECT_FALSE(policy.usable(kKey, "bank", Offering::prompt, "daily"));
  EXPECT_TRUE(policy.any_usable(kKey, "shop", Offering::prompt));
  EXPECT_FALSE(policy.any_usable(kKey, "bank", Offering::prompt));
  EXPECT_FALSE(policy.any_usable(tools, "shop", Offering::resource));
}

/// An agent chooses its tools' names: none of them makes it callable by a grant of prompts.
TEST(Policy_Offerings, TheirPatternsReachNoTool) {
  const Policy policy = with({grant({"key:ci"}, {"shop"}, true, {"prompt:*", "resource:*"})});
  EXPECT_FALSE(invokes(policy, kKey, "shop", "prompt:buy"));
  EXPECT_FALSE(invokes(policy, kKey, "shop", "resource:buy"));
  EXPECT_FALSE(policy.may_invoke_any(kKey, "shop"));
}

}  // namespace
}  // namespace interline::policy
