// Grants as decisions need them: those that may reach a principal are found by the principal's own
// text, so a decision does not cost more because others have grants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "policy/configuration.hpp"
#include "policy/pattern.hpp"
#include "policy/principal.hpp"

namespace interline::policy {

/// The domain of a bare JID: behind its `@`, or all of it.
[[nodiscard]] std::string_view domain_of(std::string_view jid);

/// How patterns of `invoke` begin that reach no tool.
inline constexpr std::string_view kPromptPrefix = "prompt:";
inline constexpr std::string_view kResourcePrefix = "resource:";

struct CompiledGrant {
  PatternList principals;
  std::shared_ptr<const PatternList> endpoints;  ///< shared by grants that write the same list
  std::uint32_t endpoints_number = 0;            ///< the same for the same list
  PatternList invoke;                            ///< tools
  PatternList prompts;                           ///< names, without the prefix
  PatternList resources;                         ///< URIs, without the prefix
  std::set<std::string, std::less<>> permissions;
  bool visible = false;
  std::uint32_t number = 0;  ///< its place in the configuration, from 1
};

class GrantTable {
 public:
  GrantTable() = default;
  explicit GrantTable(const std::vector<Grant>& grants);

  /// Every grant that reaches the principal, in the configuration's order. `federated`: an XMPP
  /// principal of a foreign domain, reached only by a pattern that spells its domain.
  [[nodiscard]] std::vector<const CompiledGrant*> reaching(const Principal& who,
                                                           bool federated) const;
  /// How many grants and patterns reaching() looks at for this principal.
  [[nodiscard]] std::size_t looked_at(const Principal& who) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Numbers = std::vector<std::uint32_t>;
  using Places = std::unordered_map<std::string, Numbers, TextHash, std::equal_to<>>;

  void place(const std::string& pattern, std::uint32_t grant);
  [[nodiscard]] Numbers candidates(const Principal& who) const;

  std::vector<CompiledGrant> grants_;
  Places by_principal_;                                       // a whole principal
  Places by_domain_;                                          // xmpp:*@DOMAIN
  Places by_network_;                                         // NETWORK:*
  Numbers everybody_;                                         // *
  std::vector<std::pair<std::string, std::uint32_t>> globs_;  // any other pattern
};

}  // namespace interline::policy
