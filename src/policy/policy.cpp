#include "policy/policy.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "policy/grant_table.hpp"

namespace interline::policy {
namespace {

constexpr std::string_view kXmpp = "xmpp";
constexpr std::string_view kDefaultTenant = "default";
using Texts = std::set<std::string, std::less<>>;

std::string_view prefix_of(Offering offering) {
  return offering == Offering::prompt ? kPromptPrefix : kResourcePrefix;
}

const PatternList& patterns_of(const CompiledGrant& grant, Offering offering) {
  return offering == Offering::prompt ? grant.prompts : grant.resources;
}

Texts set_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace

struct Policy::Compiled {
  Compiled(Configuration given, std::shared_ptr<DecisionLog> decisions)
      : configuration(std::move(given)),
        grants(configuration.grants),
        admins(set_of(configuration.admins)),
        operators(set_of(configuration.operators)),
        local_domains(set_of(configuration.local_domains)),
        log(std::move(decisions)) {
    for (std::size_t i = 0; i < configuration.accounts.size(); ++i) {
      for (const std::string& principal : configuration.accounts[i].principals) {
        account_of.emplace(principal, i);
      }
    }
  }

  [[nodiscard]] bool is_federated(const Principal& who) const {
    return who.network() == kXmpp && !local_domains.contains(domain_of(who.name()));
  }
  [[nodiscard]] std::vector<const CompiledGrant*> reaching(const Principal& who) const {
    return grants.reaching(who, is_federated(who));
  }

  const Configuration configuration;
  const GrantTable grants;
  const Texts admins;
  const Texts operators;
  const Texts local_domains;
  const std::shared_ptr<DecisionLog> log;                      // may be none
  std::map<std::string, std::size_t, std::less<>> account_of;  // principal -> account

  // Made as they are met: for the endpoint lists of the visible grants that reach a principal.
  mutable std::mutex mutex;
  mutable std::map<std::vector<std::uint32_t>, VisibilityClass> classes;
};

bool VisibilityClass::sees(std::string_view endpoint) const {
  return lists_ && std::ranges::any_of(
                       *lists_, [endpoint](const auto& list) { return list->matches(endpoint); });
}

std::expected<Policy, std::vector<Error>> Policy::compile(Configuration configuration,
                                                          std::shared_ptr<DecisionLog> log) {
  auto mistakes = check(configuration);
  if (!mistakes.empty()) return std::unexpected(std::move(mistakes));
  return Policy(std::make_shared<const Compiled>(std::move(configuration), std::move(log)));
}

VisibilityClass Policy::visibility_class(const Principal& who) const {
  std::map<std::uint32_t, std::shared_ptr<const PatternList>> lists;
  for (const CompiledGrant* grant : compiled_->reaching(who)) {
    if (grant->visible) lists.emplace(grant->endpoints_number, grant->endpoints);
  }
  std::vector<std::uint32_t> numbers;
  VisibilityClass::Lists content;
  for (auto& [number, list] : lists) {
    numbers.push_back(number);
    content.push_back(std::move(list));
  }
  const std::lock_guard lock(compiled_->mutex);
  const auto [found, fresh] = compiled_->classes.try_emplace(std::move(numbers));
  if (fresh) {
    found->second =
        VisibilityClass(std::make_shared<const VisibilityClass::Lists>(std::move(content)));
  }
  return found->second;
}

bool Policy::answer(const Principal& who, const Asked& asked, const Decision& decision) const {
  if (compiled_->log) compiled_->log->record(who, asked, decision);
  return static_cast<bool>(decision);
}

Decision Policy::decide_see(const Principal& who, std::string_view endpoint) const {
  Denial missing = Denial::no_grant;
  for (const CompiledGrant* grant : compiled_->reaching(who)) {
    if (!grant->endpoints->matches(endpoint)) continue;
    if (grant->visible) return Decision(Denial::none, grant->number);
    missing = Denial::hidden;
  }
  return Decision(missing);
}

bool Policy::visible(const Principal& who, std::string_view endpoint) const {
  return static_cast<bool>(decide_see(who, endpoint));
}

bool Policy::may_see(const Principal& who, std::string_view endpoint) const {
  const Decision granted = decide_see(who, endpoint);
  return answer(who, {Operation::see, endpoint, {}}, is_operator(who) ? Decision() : granted);
}

Decision Policy::decide_invoke(const Principal& who, std::string_view endpoint,
                               std::string_view tool, const ToolFacts& facts) const {
  const bool spelled_out = facts.destructive && compiled_->configuration.explicit_destructive;
  bool reached = false;
  bool covered = false;
  bool invocable = false;
  std::size_t permitted = 0;
  std::uint32_t number = 0;
  std::vector<bool> has(facts.required_permissions.size());
  for (const CompiledGrant* grant : compiled_->reaching(who)) {
    if (!grant->endpoints->matches(endpoint)) continue;
    reached = true;
    const bool matches = grant->invoke.matches(tool);
    covered = covered || matches;
    if (spelled_out ? grant->invoke.names(tool) : matches) {
      if (!invocable) number = grant->number;
      invocable = true;
    }
    for (std::size_t i = 0; i < has.size(); ++i) {
      if (has[i] || !grant->permissions.contains(facts.required_permissions[i])) continue;
      has[i] = true;
      ++permitted;
    }
  }
  if (!reached) return Decision(Denial::no_grant);
  if (!covered) return Decision(Denial::tool);
  if (!invocable) return Decision(Denial::destructive);
  if (permitted < has.size()) return Decision(Denial::permission);
  if (facts.approval_required) return Decision(Denial::approval);
  return Decision(Denial::none, number);
}

bool Policy::may_invoke(const Principal& who, std::string_view endpoint, std::string_view tool,
                        const ToolFacts& facts) const {
  return answer(who, {Operation::invoke, endpoint, tool},
                decide_invoke(who, endpoint, tool, facts));
}

bool Policy::invocable(const Principal& who, std::string_view endpoint, std::string_view tool,
                       const ToolFacts& facts) const {
  return static_cast<bool>(decide_invoke(who, endpoint, tool, facts));
}

bool Policy::may_invoke_any(const Principal& who, std::string_view endpoint) const {
  Decision decision(Denial::no_grant);
  for (const CompiledGrant* grant : compiled_->reaching(who)) {
    if (!grant->endpoints->matches(endpoint)) continue;
    decision = Decision(grant->invoke.empty() ? Denial::tool : Denial::none, grant->number);
    if (decision) break;
  }
  return answer(who, {Operation::invoke, endpoint, {}}, decision);
}

Decision Policy::decide_use(const Principal& who, std::string_view endpoint, Offering offering,
                            std::string_view name) const {
  Denial missing = Denial::no_grant;
  for (const CompiledGrant* grant : compiled_->reaching(who)) {
    if (!grant->endpoints->matches(endpoint)) continue;
    if (patterns_of(*grant, offering).matches(name)) return Decision(Denial::none, grant->number);
    missing = Denial::tool;
  }
  return Decision(missing);
}

bool Policy::may_use(const Principal& who, std::string_view endpoint, Offering offering,
                     std::string_view name) const {
  const std::string spelled = std::string(prefix_of(offering)).append(name);
  return answer(who, {Operation::invoke, endpoint, spelled},
                decide_use(who, endpoint, offering, name));
}

bool Policy::usable(const Principal& who, std::string_view endpoint, Offering offering,
                    std::string_view name) const {
  return static_cast<bool>(decide_use(who, endpoint, offering, name));
}

bool Policy::any_usable(const Principal& who, std::string_view endpoint, Offering offering) const {
  return std::ranges::any_of(compiled_->reaching(who), [&](const CompiledGrant* grant) {
    return grant->endpoints->matches(endpoint) && !patterns_of(*grant, offering).empty();
  });
}

bool Policy::is_operator(const Principal& who) const {
  return compiled_->operators.contains(who.text());
}

bool Policy::may_operate(const Principal& who, std::string_view act) const {
  return answer(who, {Operation::operate, {}, act},
                Decision(is_operator(who) ? Denial::none : Denial::not_operator));
}

bool Policy::is_admin(const Principal& who) const {
  const bool listed = compiled_->admins.contains(who.text());
  const bool trusted = compiled_->configuration.federated_admin || !is_federated(who);
  return is_operator(who) || (listed && trusted);
}

bool Policy::may_administer(const Principal& who, std::string_view act,
                            std::string_view endpoint) const {
  return answer(who, {Operation::administer, endpoint, act},
                Decision(is_admin(who) ? Denial::none : Denial::not_admin));
}

bool Policy::may_self_register(const Principal& who, std::string_view jid) const {
  const bool own = is_local(who) && who.name() == jid && jid.find('@') != std::string_view::npos;
  const bool allowed = compiled_->configuration.self_registration && own;
  return answer(who, {Operation::self_register, {}, jid},
                Decision(allowed ? Denial::none : Denial::not_own_address));
}

bool Policy::may_use_task(const Principal& who, const TaskOwner& task, bool operators_too) const {
  const bool allowed =
      controls(who, task.owner, task.network) || (operators_too && is_operator(who));
  return answer(who, {Operation::task, task.endpoint, task.task},
                Decision(allowed ? Denial::none : Denial::not_owner));
}

bool Policy::is_local(const Principal& who) const {
  return who.network() == kXmpp && !is_federated(who);
}

bool Policy::is_federated(const Principal& who) const {
  return compiled_->is_federated(who);
}

bool Policy::is_known(const Principal& who) const {
  return !compiled_->reaching(who).empty();
}

Party Policy::party(const Principal& who) const {
  Party party;
  const auto found = compiled_->account_of.find(who.text());
  if (found == compiled_->account_of.end()) {
    party.tenant = kDefaultTenant;
    if (!who.is_anonymous()) party.principals.push_back(who.text());
    return party;
  }
  const Account& account = compiled_->configuration.accounts[found->second];
  party.tenant = account.tenant;
  party.account = account.name;
  party.principals = account.principals;
  return party;
}

bool Policy::controls(const Principal& who, std::string_view owner,
                      std::string_view network) const {
  if (who.text() == owner) return true;
  const auto mine = compiled_->account_of.find(who.text());
  const auto theirs = compiled_->account_of.find(owner);
  const auto nobody = compiled_->account_of.end();
  if (mine == nobody || theirs == nobody || mine->second != theirs->second) return false;
  const bool stays = network == kXmpp && who.network() == kXmpp;
  return !stays || compiled_->configuration.share_xmpp_tasks;
}

std::size_t Policy::looked_at(const Principal& who) const {
  return compiled_->grants.looked_at(who);
}

}  // namespace interline::policy
