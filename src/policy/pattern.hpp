// Name patterns of the configuration: `*` matches any run of characters, a leading `!` excludes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interline::policy {

/// Whether `*` patterns match the whole text. Linear space, at most |pattern| x |text| steps.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

/// A list of patterns: something must include the name, and nothing may exclude it.
class PatternList {
 public:
  PatternList() = default;
  explicit PatternList(const std::vector<std::string>& patterns);

  [[nodiscard]] bool matches(std::string_view name) const;
  /// Only by a pattern that spells the name out.
  [[nodiscard]] bool names(std::string_view name) const;
  [[nodiscard]] bool empty() const { return include_.empty(); }
  [[nodiscard]] const std::vector<std::string>& included() const { return include_; }
  [[nodiscard]] bool excludes(std::string_view name) const;

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace interline::policy
