// What a decision answers: yes, or the first thing that was missing. The reason is for the log and
// the operator; a caller never learns it.
#pragma once

#include <cstdint>
#include <string_view>

namespace interline::policy {

enum class Denial : std::uint8_t {
  none,
  no_grant,     ///< no grant reaches this principal at this endpoint
  tool,         ///< none of those that do names the tool
  destructive,  ///< the tool is destructive and is not spelled out
  permission,   ///< the tool requires a permission that none of them gives
  approval,     ///< the tool requires an approval that nothing can verify
};

[[nodiscard]] std::string_view to_string(Denial denial);

/// Converts to whether the answer is yes.
class [[nodiscard]] Decision {
 public:
  explicit Decision(Denial denial = Denial::none) : denial_(denial) {}
  explicit operator bool() const { return denial_ == Denial::none; }
  [[nodiscard]] Denial denial() const { return denial_; }

 private:
  Denial denial_;
};

}  // namespace interline::policy
