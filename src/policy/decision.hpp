// What a decision answers: yes, or the first thing that was missing. The reason is for the log and
// the operator; a caller never learns it.
#pragma once

#include <cstdint>
#include <string_view>

namespace interline::policy {

/// What somebody asked to do.
enum class Operation : std::uint8_t {
  see,            ///< an endpoint: its manifest, its presence
  invoke,         ///< a tool
  task,           ///< follow, answer or cancel one
  administer,     ///< register, activate, remove
  operate,        ///< the gateway itself: API keys
  self_register,  ///< an account its own address
};
inline constexpr std::size_t kOperationCount = 6;

enum class Denial : std::uint8_t {
  none,
  no_grant,         ///< no grant reaches this principal at this endpoint
  hidden,           ///< those that do give no visibility
  tool,             ///< none of those that do names the tool
  destructive,      ///< the tool is destructive and is not spelled out
  permission,       ///< the tool requires a permission that none of them gives
  approval,         ///< the tool requires an approval that nothing can verify
  not_owner,        ///< the task belongs to another party
  not_admin,        ///< no administrator, or one of another domain
  not_operator,     ///< neither root nor the gateway's own user
  not_own_address,  ///< not the caller's own, not of a local domain, or not switched on
};
inline constexpr std::size_t kDenialCount = 11;

[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::string_view to_string(Denial denial);

/// Converts to whether the answer is yes.
class [[nodiscard]] Decision {
 public:
  explicit Decision(Denial denial = Denial::none, std::uint32_t grant = 0)
      : denial_(denial), grant_(grant) {}
  explicit operator bool() const { return denial_ == Denial::none; }
  [[nodiscard]] Denial denial() const { return denial_; }
  /// The `[[grant]]` that says yes, counted from 1; 0: none was needed.
  [[nodiscard]] std::uint32_t grant() const { return grant_; }

 private:
  Denial denial_;
  std::uint32_t grant_;
};

}  // namespace interline::policy
