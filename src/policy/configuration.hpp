// What the operator wrote about accounts and rights: `[[account]]`, `[[grant]]`, administrators.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace interline::policy {

/// `[[grant]]`. In patterns `*` matches any run of characters; a leading `!` excludes, and an
/// exclusion outweighs every other pattern of its list. `xmpp:` patterns reach a sender of a domain
/// that is not local only where they spell that domain (federation is denied by default). Nothing
/// but `anonymous` itself reaches anonymous callers.
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

/// Every mistake at once, as sentences for the operator: ErrorKind::malformed.
[[nodiscard]] std::vector<Error> check(const Configuration& configuration);

}  // namespace interline::policy
