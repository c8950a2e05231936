// What a policy's configuration may say, and what to write instead.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "policy/configuration.hpp"

namespace interline::policy {
namespace {

constexpr std::string_view kAnonymous = "anonymous";
constexpr std::array<std::string_view, 5> kNetworks = {"xmpp", "key", "jwt", "simplex", "local"};
constexpr std::size_t kTenantBytes = 64;

std::string networks_in_words() {
  std::string words;
  for (const std::string_view network : kNetworks) words.append(network).append(", ");
  return words.append(kAnonymous);
}

bool has_upper_case(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// "" where the text is a principal, or a pattern of principals; else what is wrong with it.
std::string wrong_principal(std::string_view text) {
  if (text == kAnonymous || text == "*") return {};
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) {
    return "a principal is written NETWORK:NAME, for example xmpp:*@example.org";
  }
  const std::string_view network = text.substr(0, colon);
  if (std::ranges::find(kNetworks, network) == kNetworks.end()) {
    return "no principal begins that way; the networks are " + networks_in_words();
  }
  if (network != "xmpp") return {};
  if (text.find('/', colon) != std::string_view::npos) {
    return "an XMPP principal is a bare JID, without a resource";
  }
  if (has_upper_case(text)) return "XMPP addresses are compared in lower case; write it so";
  return {};
}

bool is_tenant(std::string_view text) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kTenantBytes && std::ranges::all_of(text, legal);
}

class Checker {
 public:
  void grant(const Grant& grant, std::size_t number) {
    const std::string where = "grant " + std::to_string(number);
    patterns(grant.principals, where, "principals");
    patterns(grant.endpoints, where, "endpoints");
    if (!grant.invoke.empty()) patterns(grant.invoke, where, "invoke");
    for (std::string_view pattern : grant.principals) {
      if (pattern.starts_with('!')) pattern.remove_prefix(1);
      if (pattern.empty()) continue;  // said already
      principal(pattern, where);
    }
  }

  void account(const Account& account) {
    const std::string where = "account " + account.name;
    if (account.name.empty()) mistake("account", "needs a name");
    if (!names_.insert(account.name).second) mistake(where, "is there twice");
    if (!is_tenant(account.tenant)) {
      mistake(where, "tenant is wrong: 1 to 64 of a-z, 0-9, . _ -");
    }
    for (const std::string& text : account.principals) {
      whole(text, where);
      if (text == kAnonymous) mistake(where, "anonymous callers are nobody's account");
      const auto [owner, fresh] = owners_.emplace(text, account.name);
      if (!fresh) mistake(where, text + " belongs to account " + owner->second + " already");
    }
  }

  void whole(const std::string& text, const std::string& where) {
    if (text.find('*') == std::string::npos) return principal(text, where);
    mistake(where, text + " is wrong: a whole principal is wanted here, without *");
  }

  [[nodiscard]] std::vector<Error> take() { return std::move(mistakes_); }

 private:
  void mistake(const std::string& where, std::string_view what) {
    mistakes_.emplace_back(ErrorKind::malformed, std::string(where).append(": ").append(what));
  }

  void principal(std::string_view text, const std::string& where) {
    const std::string wrong = wrong_principal(text);
    if (wrong.empty()) return;
    mistake(where, std::string(text).append(" is wrong: ").append(wrong));
  }

  void patterns(const std::vector<std::string>& list, const std::string& where,
                std::string_view what) {
    const auto excludes = [](std::string_view pattern) { return pattern.starts_with('!'); };
    const std::string name(what);
    if (list.empty()) {
      mistake(where, name + " is missing or empty");
      return;
    }
    if (std::ranges::all_of(list, excludes)) {
      mistake(where, name + R"( only excludes; begin the list with "*")");
    }
    const bool blank = std::ranges::any_of(
        list, [](std::string_view pattern) { return pattern.empty() || pattern == "!"; });
    if (blank) mistake(where, name + " has an empty pattern, which matches nothing");
  }

  std::vector<Error> mistakes_;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> owners_;
};

}  // namespace

std::vector<Error> check(const Configuration& configuration) {
  Checker checker;
  for (std::size_t i = 0; i < configuration.grants.size(); ++i) {
    checker.grant(configuration.grants[i], i + 1);
  }
  for (const Account& account : configuration.accounts) checker.account(account);
  for (const std::string& admin : configuration.admins) checker.whole(admin, "admins");
  for (const std::string& one : configuration.operators) checker.whole(one, "operators");
  return checker.take();
}

}  // namespace interline::policy
