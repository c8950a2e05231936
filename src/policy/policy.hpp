// The only place that says yes. Grants, accounts and administrators are compiled from the
// configuration into an immutable Policy; a reload makes a new one. Decisions match names by
// pattern whether or not the object exists, so hidden and absent cost the same work.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "policy/principal.hpp"

namespace interline::policy {

/// `[[grant]]`. In patterns `*` matches any run of characters; a leading `!` excludes, and an
/// exclusion outweighs every other pattern of its list. `xmpp:` patterns reach a sender of a domain
/// that is not local only where they spell that domain (federation is denied by default).
struct Grant {
  std::vector<std::string> principals;
  std::vector<std::string> endpoints;
  std::vector<std::string> invoke;  ///< tool names, `prompt:NAME`, `resource:URI`
  std::vector<std::string>
      permissions;  ///< `requiredPermissions` of tools that this grant satisfies
  bool visible = false;
};

/// `[[account]]`: principals that are one party. Without one, each principal is its own party.
struct Account {
  std::string name;
  std::vector<std::string> principals;
  std::string tenant = "default";
};

struct Configuration {
  std::vector<Grant> grants;
  std::vector<Account> accounts;
  std::vector<std::string> admins;         ///< principals with administrative authority
  std::vector<std::string> operators;      ///< principals that see and cancel every task
  std::vector<std::string> local_domains;  ///< whose bare JIDs our XMPP server authenticated
  bool self_registration = false;
  bool federated_admin = false;       ///< admins may be of a domain that is not local
  bool explicit_destructive = false;  ///< `*` in invoke does not reach destructive tools
  bool share_xmpp_tasks = false;      ///< two JIDs of one account share XMPP tasks
};

/// What a tool is, as far as a decision depends on it.
struct ToolFacts {
  bool destructive = false;
  std::span<const std::string> required_permissions;  ///< fail closed where not granted
  bool approval_required = false;                     ///< fails closed
};

/// The party behind a principal: its account, or itself.
struct Party {
  std::string tenant;
  std::string account;                  ///< "" where it has none
  std::vector<std::string> principals;  ///< all of them, the caller included
};

/// Principals that see exactly the same endpoints share a class: the directory keeps one ordered
/// index a class. Values are stable within one Policy.
using VisibilityClass = std::uint64_t;

class Policy {
 public:
  /// Every mistake at once: a malformed pattern, a principal in two accounts, ...
  [[nodiscard]] static std::expected<Policy, std::vector<Error>> compile(
      Configuration configuration);

  [[nodiscard]] bool visible(const Principal& who, std::string_view endpoint) const;
  [[nodiscard]] bool may_invoke(const Principal& who, std::string_view endpoint,
                                std::string_view tool, const ToolFacts& facts) const;
  /// Whether any tool at all may be invoked there.
  [[nodiscard]] bool may_invoke_any(const Principal& who, std::string_view endpoint) const;
  [[nodiscard]] bool is_admin(const Principal& who) const;
  [[nodiscard]] bool is_operator(const Principal& who) const;
  /// `jid` is the bare JID to be registered: the principal's own, of a local domain.
  [[nodiscard]] bool may_self_register(const Principal& who, std::string_view jid) const;
  /// Whether `who` is an XMPP principal of one of our own domains.
  [[nodiscard]] bool is_local(const Principal& who) const;
  /// Whether any grant at all names this principal.
  [[nodiscard]] bool is_known(const Principal& who) const;

  [[nodiscard]] Party party(const Principal& who) const;
  /// Whether `who` controls a task admitted by `owner` over `network`: over XMPP a task that came
  /// by XMPP stays with its exact bare JID; every other belongs to the whole account.
  [[nodiscard]] bool controls(const Principal& who, std::string_view owner,
                              std::string_view network) const;

  [[nodiscard]] VisibilityClass visibility_class(const Principal& who) const;
  /// The same decision as visible(), for everybody of the class.
  [[nodiscard]] bool class_sees(VisibilityClass visibility, std::string_view endpoint) const;

 private:
  struct Compiled;
  explicit Policy(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace interline::policy
