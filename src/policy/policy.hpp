// The only place that says yes. Grants, accounts and administrators are compiled from the
// configuration into an immutable Policy; a reload makes a new one. Decisions match names by
// pattern whether or not the object exists, so hidden and absent cost the same work. Every decision
// (the functions called may_) is written to the DecisionLog; what is only looked at is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "policy/configuration.hpp"
#include "policy/decision.hpp"
#include "policy/decision_log.hpp"
#include "policy/principal.hpp"

namespace interline::policy {

class PatternList;

/// What a tool is, as far as a decision depends on it.
struct ToolFacts {
  bool destructive = false;
  std::span<const std::string> required_permissions;  ///< fail closed where not granted
  bool approval_required = false;                     ///< fails closed
};

/// What an agent offers beside its tools. A grant's `invoke` reaches it by `prompt:NAME`,
/// `resource:URI`, patterns that begin so, or `*`; those never reach a tool, nor a tool's these.
enum class Offering : std::uint8_t { prompt, resource };

/// The party behind a principal: its account, or itself.
struct Party {
  std::string tenant;
  std::string account;                  ///< "" where it has none
  std::vector<std::string> principals;  ///< all of them, the caller included; none for anonymous
};

/// A task, as far as a decision depends on it.
struct TaskOwner {
  std::string_view task;      ///< its id, for the log
  std::string_view endpoint;  ///< likewise
  std::string_view owner;     ///< the principal that was admitted
  std::string_view network;   ///< by which it came
};

/// Principals that see exactly the same endpoints by the same grants: the directory keeps one
/// ordered index a class. Equal within one Policy; classes of two never are.
class VisibilityClass {
 public:
  /// Sees nothing.
  VisibilityClass() = default;
  /// The same decision as Policy::visible(), for everybody of the class.
  [[nodiscard]] bool sees(std::string_view endpoint) const;
  friend bool operator==(const VisibilityClass&, const VisibilityClass&) = default;

 private:
  friend class Policy;
  using Lists = std::vector<std::shared_ptr<const PatternList>>;
  explicit VisibilityClass(std::shared_ptr<const Lists> lists) : lists_(std::move(lists)) {}
  std::shared_ptr<const Lists> lists_;
};

class Policy {
 public:
  /// Every mistake at once: a malformed pattern, a principal in two accounts, ... The log, if there
  /// is one, gets every decision.
  [[nodiscard]] static std::expected<Policy, std::vector<Error>> compile(
      Configuration configuration, std::shared_ptr<DecisionLog> log = nullptr);

  // Decisions.
  /// Operators see every endpoint.
  [[nodiscard]] bool may_see(const Principal& who, std::string_view endpoint) const;
  [[nodiscard]] bool may_invoke(const Principal& who, std::string_view endpoint,
                                std::string_view tool, const ToolFacts& facts) const;
  /// Whether any tool at all may be invoked there.
  [[nodiscard]] bool may_invoke_any(const Principal& who, std::string_view endpoint) const;
  /// `name`: the prompt's name; the resource's URI, or its URI template.
  [[nodiscard]] bool may_use(const Principal& who, std::string_view endpoint, Offering offering,
                             std::string_view name) const;
  /// `act` is a word of ours for the log: "activate".
  [[nodiscard]] bool may_administer(const Principal& who, std::string_view act,
                                    std::string_view endpoint) const;
  [[nodiscard]] bool may_operate(const Principal& who, std::string_view act) const;
  /// `jid` is the bare JID to be registered: the principal's own, of a local domain.
  [[nodiscard]] bool may_self_register(const Principal& who, std::string_view jid) const;
  /// As controls(); `operators_too` for what operators may do to every task.
  [[nodiscard]] bool may_use_task(const Principal& who, const TaskOwner& task,
                                  bool operators_too) const;

  // What is only looked at.
  [[nodiscard]] bool visible(const Principal& who, std::string_view endpoint) const;
  /// The same decision as may_invoke(): for lists, which show no others.
  [[nodiscard]] bool invocable(const Principal& who, std::string_view endpoint,
                               std::string_view tool, const ToolFacts& facts) const;
  /// The same decision as may_use(): likewise.
  [[nodiscard]] bool usable(const Principal& who, std::string_view endpoint, Offering offering,
                            std::string_view name) const;
  /// Whether any at all may be used there.
  [[nodiscard]] bool any_usable(const Principal& who, std::string_view endpoint,
                                Offering offering) const;
  [[nodiscard]] bool is_admin(const Principal& who) const;
  [[nodiscard]] bool is_operator(const Principal& who) const;
  /// Whether `who` is an XMPP principal of one of our own domains.
  [[nodiscard]] bool is_local(const Principal& who) const;
  /// Whether `who` is an XMPP principal of any other domain.
  [[nodiscard]] bool is_federated(const Principal& who) const;
  /// Whether any grant at all names this principal.
  [[nodiscard]] bool is_known(const Principal& who) const;

  [[nodiscard]] Party party(const Principal& who) const;
  /// Whether `who` controls a task admitted by `owner` over `network`: over XMPP a task that came
  /// by XMPP stays with its exact bare JID; every other belongs to the whole account.
  [[nodiscard]] bool controls(const Principal& who, std::string_view owner,
                              std::string_view network) const;

  [[nodiscard]] VisibilityClass visibility_class(const Principal& who) const;

  /// How many grants and patterns a decision about this principal looks at: its own, and those
  /// whose pattern is neither a whole principal, nor one domain, nor one network.
  [[nodiscard]] std::size_t looked_at(const Principal& who) const;

 private:
  struct Compiled;
  explicit Policy(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  [[nodiscard]] Decision decide_see(const Principal& who, std::string_view endpoint) const;
  [[nodiscard]] Decision decide_invoke(const Principal& who, std::string_view endpoint,
                                       std::string_view tool, const ToolFacts& facts) const;
  [[nodiscard]] Decision decide_use(const Principal& who, std::string_view endpoint,
                                    Offering offering, std::string_view name) const;
  /// Writes it down, and says whether it is yes.
  bool answer(const Principal& who, const Asked& asked, const Decision& decision) const;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace interline::policy
