#include "policy/grant_table.hpp"

#include <algorithm>

namespace interline::policy {
namespace {

constexpr std::string_view kXmppAnyoneAt = "xmpp:*@";
constexpr std::string_view kAnyOfNetwork = ":*";

/// Whether a pattern spells the domain out: the condition for reaching senders of foreign domains.
bool spells_domain(std::string_view pattern, std::string_view domain) {
  const auto at = pattern.rfind('@');
  const auto colon = pattern.find(':');
  return pattern.substr((at == std::string_view::npos ? colon : at) + 1) == domain;
}

/// The patterns of a grant's `invoke` by what they are of: `*`, and `!*`, is of everything.
struct InvokePatterns {
  std::vector<std::string> tools;
  std::vector<std::string> prompts;
  std::vector<std::string> resources;
};

InvokePatterns sort_out(const std::vector<std::string>& patterns) {
  InvokePatterns sorted;
  for (const std::string& pattern : patterns) {
    const std::string_view sign = pattern.starts_with('!') ? "!" : "";
    const std::string_view name = std::string_view(pattern).substr(sign.size());
    if (name.starts_with(kPromptPrefix)) {
      sorted.prompts.push_back(std::string(sign).append(name.substr(kPromptPrefix.size())));
    } else if (name.starts_with(kResourcePrefix)) {
      sorted.resources.push_back(std::string(sign).append(name.substr(kResourcePrefix.size())));
    } else {
      sorted.tools.push_back(pattern);
      if (name != "*") continue;
      sorted.prompts.push_back(pattern);
      sorted.resources.push_back(pattern);
    }
  }
  return sorted;
}

bool reaches(const PatternList& patterns, const Principal& who, bool federated) {
  if (who.is_anonymous()) return patterns.names(who.text());
  if (!federated) return patterns.matches(who.text());
  if (patterns.names(who.text())) return true;
  const std::string_view domain = domain_of(who.name());
  const bool spelled =
      std::ranges::any_of(patterns.globs(), [&who, domain](const std::string& pattern) {
        return spells_domain(pattern, domain) && glob_matches(pattern, who.text());
      });
  return spelled && !patterns.excludes(who.text());
}

}  // namespace

std::string_view domain_of(std::string_view jid) {
  const auto at = jid.find('@');
  return at == std::string_view::npos ? jid : jid.substr(at + 1);
}

GrantTable::GrantTable(const std::vector<Grant>& grants) {
  std::map<std::vector<std::string>, std::pair<std::uint32_t, std::shared_ptr<const PatternList>>>
      lists;
  for (const Grant& grant : grants) {
    const auto number = static_cast<std::uint32_t>(grants_.size());
    for (const std::string& pattern : grant.principals) place(pattern, number);
    auto [list, fresh] = lists.try_emplace(grant.endpoints, lists.size(), nullptr);
    if (fresh) list->second.second = std::make_shared<const PatternList>(grant.endpoints);
    CompiledGrant compiled;
    compiled.principals = PatternList(grant.principals);
    compiled.endpoints_number = list->second.first;
    compiled.endpoints = list->second.second;
    const InvokePatterns sorted = sort_out(grant.invoke);
    compiled.invoke = PatternList(sorted.tools);
    compiled.prompts = PatternList(sorted.prompts);
    compiled.resources = PatternList(sorted.resources);
    compiled.permissions = {grant.permissions.begin(), grant.permissions.end()};
    compiled.visible = grant.visible;
    compiled.number = number + 1;
    grants_.push_back(std::move(compiled));
  }
}

void GrantTable::place(const std::string& pattern, std::uint32_t grant) {
  if (pattern.starts_with('!')) return;  // excludes from what the grant's others include
  const auto stars = std::ranges::count(pattern, '*');
  if (stars == 0) {
    by_principal_[pattern].push_back(grant);
  } else if (pattern == "*") {
    everybody_.push_back(grant);
  } else if (stars == 1 && pattern.starts_with(kXmppAnyoneAt)) {
    by_domain_[pattern.substr(kXmppAnyoneAt.size())].push_back(grant);
  } else if (stars == 1 && pattern.ends_with(kAnyOfNetwork)) {
    by_network_[pattern.substr(0, pattern.size() - kAnyOfNetwork.size())].push_back(grant);
  } else {
    globs_.emplace_back(pattern, grant);
  }
}

GrantTable::Numbers GrantTable::candidates(const Principal& who) const {
  Numbers found = everybody_;
  const auto add = [&found](const Places& places, std::string_view key) {
    const auto at = places.find(key);
    if (at != places.end()) found.insert(found.end(), at->second.begin(), at->second.end());
  };
  add(by_principal_, who.text());
  add(by_network_, who.network());
  if (who.network() == "xmpp") add(by_domain_, domain_of(who.name()));
  for (const auto& [pattern, grant] : globs_) {
    if (glob_matches(pattern, who.text())) found.push_back(grant);
  }
  std::ranges::sort(found);
  const auto surplus = std::ranges::unique(found);
  found.erase(surplus.begin(), surplus.end());
  return found;
}

std::vector<const CompiledGrant*> GrantTable::reaching(const Principal& who, bool federated) const {
  std::vector<const CompiledGrant*> found;
  for (const std::uint32_t number : candidates(who)) {
    const CompiledGrant& grant = grants_[number];
    if (reaches(grant.principals, who, federated)) found.push_back(&grant);
  }
  return found;
}

std::size_t GrantTable::looked_at(const Principal& who) const {
  return candidates(who).size() + globs_.size();
}

}  // namespace interline::policy
