#include "policy/policy.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "policy/pattern.hpp"

namespace interline::policy {
namespace {

constexpr std::string_view kXmpp = "xmpp";
constexpr std::string_view kAnonymous = "anonymous";
constexpr std::string_view kDefaultTenant = "default";

/// The domain of a bare JID: behind its `@`, or all of it.
std::string_view domain_of(std::string_view jid) {
  const auto at = jid.find('@');
  return at == std::string_view::npos ? jid : jid.substr(at + 1);
}

/// Whether a pattern spells the domain out: the condition for reaching senders of foreign domains.
bool spells_domain(std::string_view pattern, std::string_view domain) {
  const auto at = pattern.rfind('@');
  const auto colon = pattern.find(':');
  const std::string_view tail =
      at == std::string_view::npos ? pattern.substr(colon + 1) : pattern.substr(at + 1);
  return tail == domain;
}

struct CompiledGrant {
  PatternList principals;
  PatternList endpoints;
  PatternList invoke;
  std::set<std::string, std::less<>> permissions;
  bool visible = false;
};

}  // namespace

struct Policy::Compiled {
  Configuration configuration;
  std::vector<CompiledGrant> grants;
  std::map<std::string, std::size_t, std::less<>> account_of;  // principal -> account

  // Classes are numbered as they are met: the list of visible grants that name a principal.
  mutable std::mutex mutex;
  mutable std::map<std::vector<std::uint32_t>, VisibilityClass> classes;
  mutable std::vector<std::vector<std::uint32_t>> grants_of_class;

  [[nodiscard]] bool is_federated(const Principal& who) const {
    if (who.network() != kXmpp) return false;
    const auto& local = configuration.local_domains;
    return std::ranges::find(local, domain_of(who.name())) == local.end();
  }

  [[nodiscard]] bool reaches(const CompiledGrant& grant, const Principal& who) const {
    if (who.is_anonymous()) return grant.principals.names(kAnonymous);
    if (!is_federated(who)) return grant.principals.matches(who.text());
    const std::string_view domain = domain_of(who.name());
    const bool spelled =
        std::ranges::any_of(grant.principals.included(), [&who, domain](const auto& pattern) {
          return spells_domain(pattern, domain) && glob_matches(pattern, who.text());
        });
    return spelled && !grant.principals.excludes(who.text());
  }
};

std::expected<Policy, std::vector<Error>> Policy::compile(Configuration configuration) {
  auto compiled = std::make_shared<Compiled>();
  std::vector<Error> mistakes;
  const auto mistake = [&mistakes](std::string text) {
    mistakes.emplace_back(ErrorKind::malformed, std::move(text));
  };
  for (std::size_t i = 0; i < configuration.grants.size(); ++i) {
    const Grant& grant = configuration.grants[i];
    const std::string which = "grant " + std::to_string(i + 1);
    if (grant.principals.empty()) mistake(which + " names no principals");
    if (grant.endpoints.empty()) mistake(which + " names no endpoints");
    for (const std::string& pattern : grant.principals) {
      const bool whole =
          pattern == kAnonymous || pattern == "*" || pattern.find(':') != std::string::npos;
      if (!whole) {
        mistake(which + ": a principal is written NETWORK:NAME, for example xmpp:*@example.org");
      }
    }
    compiled->grants.push_back(CompiledGrant{PatternList(grant.principals),
                                             PatternList(grant.endpoints),
                                             PatternList(grant.invoke),
                                             {grant.permissions.begin(), grant.permissions.end()},
                                             grant.visible});
  }
  for (std::size_t i = 0; i < configuration.accounts.size(); ++i) {
    for (const std::string& principal : configuration.accounts[i].principals) {
      if (!compiled->account_of.emplace(principal, i).second) {
        mistake("account " + configuration.accounts[i].name +
                ": a principal belongs to another account already");
      }
    }
  }
  compiled->configuration = std::move(configuration);
  if (!mistakes.empty()) return std::unexpected(std::move(mistakes));
  return Policy(std::move(compiled));
}

VisibilityClass Policy::visibility_class(const Principal& who) const {
  std::vector<std::uint32_t> grants;
  for (std::uint32_t i = 0; i < compiled_->grants.size(); ++i) {
    const CompiledGrant& grant = compiled_->grants[i];
    if (grant.visible && compiled_->reaches(grant, who)) grants.push_back(i);
  }
  const std::lock_guard lock(compiled_->mutex);
  const auto [found, fresh] =
      compiled_->classes.emplace(std::move(grants), compiled_->classes.size());
  if (fresh) compiled_->grants_of_class.push_back(found->first);
  return found->second;
}

bool Policy::class_sees(VisibilityClass visibility, std::string_view endpoint) const {
  const std::lock_guard lock(compiled_->mutex);
  return std::ranges::any_of(compiled_->grants_of_class.at(visibility),
                             [this, endpoint](std::uint32_t grant) {
                               return compiled_->grants[grant].endpoints.matches(endpoint);
                             });
}

bool Policy::visible(const Principal& who, std::string_view endpoint) const {
  return std::ranges::any_of(compiled_->grants, [this, &who, endpoint](const CompiledGrant& grant) {
    return grant.visible && compiled_->reaches(grant, who) && grant.endpoints.matches(endpoint);
  });
}

bool Policy::may_invoke(const Principal& who, std::string_view endpoint, std::string_view tool,
                        const ToolFacts& facts) const {
  const bool spelled_out = facts.destructive && compiled_->configuration.explicit_destructive;
  bool invocable = false;
  std::size_t permitted = 0;
  std::vector<bool> has(facts.required_permissions.size());
  for (const CompiledGrant& grant : compiled_->grants) {
    if (!compiled_->reaches(grant, who) || !grant.endpoints.matches(endpoint)) continue;
    invocable = invocable || (spelled_out ? grant.invoke.names(tool) : grant.invoke.matches(tool));
    for (std::size_t i = 0; i < has.size(); ++i) {
      if (has[i] || !grant.permissions.contains(facts.required_permissions[i])) continue;
      has[i] = true;
      ++permitted;
    }
  }
  return invocable && permitted == has.size() && !facts.approval_required;
}

bool Policy::may_invoke_any(const Principal& who, std::string_view endpoint) const {
  return std::ranges::any_of(compiled_->grants, [this, &who, endpoint](const CompiledGrant& grant) {
    return !grant.invoke.empty() && compiled_->reaches(grant, who) &&
           grant.endpoints.matches(endpoint);
  });
}

bool Policy::is_operator(const Principal& who) const {
  return std::ranges::find(compiled_->configuration.operators, who.text()) !=
         compiled_->configuration.operators.end();
}

bool Policy::is_admin(const Principal& who) const {
  if (is_operator(who)) return true;
  const auto& admins = compiled_->configuration.admins;
  const bool listed = std::ranges::find(admins, who.text()) != admins.end();
  return listed && (compiled_->configuration.federated_admin || !compiled_->is_federated(who));
}

bool Policy::may_self_register(const Principal& who, std::string_view jid) const {
  return compiled_->configuration.self_registration && is_local(who) && who.name() == jid &&
         jid.find('@') != std::string_view::npos;
}

bool Policy::is_local(const Principal& who) const {
  return who.network() == kXmpp && !compiled_->is_federated(who);
}

bool Policy::is_known(const Principal& who) const {
  return std::ranges::any_of(compiled_->grants, [this, &who](const CompiledGrant& grant) {
    return compiled_->reaches(grant, who);
  });
}

Party Policy::party(const Principal& who) const {
  Party party;
  const auto found = compiled_->account_of.find(who.text());
  if (found == compiled_->account_of.end()) {
    party.tenant = kDefaultTenant;
    party.principals.push_back(who.text());
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

}  // namespace interline::policy
