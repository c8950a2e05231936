#include "policy/check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

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
  explicit Checker(const Configuration& configuration) : configuration_(configuration) {}

  std::vector<Mistake> run() {
    each(Mistake::Place::grant, configuration_.grants, [this](const Grant& it) { grant(it); });
    each(Mistake::Place::account, configuration_.accounts,
         [this](const Account& it) { account(it); });
    const auto one = [this](const std::string& it) { whole(it); };
    each(Mistake::Place::admin, configuration_.admins, one);
    each(Mistake::Place::operator_, configuration_.operators, one);
    each(Mistake::Place::local_domain, configuration_.local_domains,
         [this](const std::string& it) { local_domain(it); });
    return std::move(mistakes_);
  }

 private:
  template <class Item, class Check>
  void each(Mistake::Place place, const std::vector<Item>& items, const Check& check_item) {
    place_ = place;
    for (index_ = 0; index_ < items.size(); ++index_) check_item(items[index_]);
  }

  void mistake(std::string text) { mistakes_.emplace_back(place_, index_, std::move(text)); }

  void principal(std::string_view text) {
    const std::string wrong = wrong_principal(text);
    if (!wrong.empty()) mistake(std::string(text).append(" is wrong: ").append(wrong));
  }

  void whole(const std::string& text) {
    if (text.find('*') == std::string::npos) return principal(text);
    mistake(text + " is wrong: a whole principal is wanted here, without *");
  }

  void patterns(const std::vector<std::string>& list, std::string_view what) {
    const auto excludes = [](std::string_view pattern) { return pattern.starts_with('!'); };
    const std::string name(what);
    if (list.empty()) return mistake(name + " is missing or empty");
    if (std::ranges::all_of(list, excludes)) {
      mistake(name + R"( only excludes; begin the list with "*")");
    }
    const bool blank = std::ranges::any_of(
        list, [](std::string_view pattern) { return pattern.empty() || pattern == "!"; });
    if (blank) mistake(name + " has an empty pattern, which matches nothing");
  }

  void grant(const Grant& grant) {
    patterns(grant.principals, "principals");
    patterns(grant.endpoints, "endpoints");
    if (!grant.invoke.empty()) patterns(grant.invoke, "invoke");
    for (std::string_view pattern : grant.principals) {
      if (pattern.starts_with('!')) pattern.remove_prefix(1);
      if (!pattern.empty()) principal(pattern);  // an empty one was said already
    }
  }

  void account(const Account& account) {
    if (account.name.empty()) mistake("needs a name");
    if (!names_.insert(account.name).second) mistake("name is used by another account already");
    if (!is_tenant(account.tenant)) mistake("tenant is wrong: 1 to 64 of a-z, 0-9, . _ -");
    for (const std::string& text : account.principals) {
      whole(text);
      if (text == kAnonymous) mistake("anonymous callers are nobody's account");
      const auto [owner, fresh] = owners_.emplace(text, account.name);
      if (!fresh) mistake(text + " belongs to account " + owner->second + " already");
    }
  }

  void local_domain(const std::string& domain) {
    if (domain.empty() || domain.find_first_of("@/* ") != std::string::npos) {
      mistake("local_domains is wrong: a domain is wanted, for example example.org");
    } else if (has_upper_case(domain)) {
      mistake("local_domains is wrong: XMPP addresses are compared in lower case; write it so");
    }
  }

  const Configuration& configuration_;
  std::vector<Mistake> mistakes_;
  Mistake::Place place_{};
  std::size_t index_ = 0;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> owners_;
};

/// "grant 1", "account alice": where somebody without the file's lines looks.
std::string in_words(const Mistake& mistake, const Configuration& configuration) {
  switch (mistake.place) {
    case Mistake::Place::grant:
      return "grant " + std::to_string(mistake.index + 1);
    case Mistake::Place::account:
      return "account " + configuration.accounts[mistake.index].name;
    case Mistake::Place::admin:
      return "admins";
    case Mistake::Place::operator_:
      return "operators";
    case Mistake::Place::local_domain:
      return "xmpp";
  }
  return {};
}

}  // namespace

std::vector<Mistake> find_mistakes(const Configuration& configuration) {
  return Checker(configuration).run();
}

std::vector<Error> check(const Configuration& configuration) {
  std::vector<Error> errors;
  for (const Mistake& mistake : find_mistakes(configuration)) {
    errors.emplace_back(ErrorKind::malformed,
                        in_words(mistake, configuration).append(": ").append(mistake.text));
  }
  return errors;
}

}  // namespace interline::policy
