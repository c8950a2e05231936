// Name patterns of the configuration: `*` matches any run of characters, a leading `!` excludes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interline::policy {

/// Whether `*` patterns match the whole text. Linear space, at most |pattern| x |text| steps.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

/// Names to compare and patterns to match. Names cost one search, however many there are.
class NameSet {
 public:
  void add(std::string pattern);
  /// Call once, behind the last add().
  void seal();

  [[nodiscard]] bool spells(std::string_view name) const;
  [[nodiscard]] bool matches(std::string_view name) const;
  [[nodiscard]] bool empty() const { return names_.empty() && globs_.empty(); }
  /// Those with a `*`.
  [[nodiscard]] const std::vector<std::string>& globs() const { return globs_; }

 private:
  std::vector<std::string> names_;  // sorted
  std::vector<std::string> globs_;
};

/// A list of patterns: something must include the name, and nothing may exclude it.
class PatternList {
 public:
  PatternList() = default;
  explicit PatternList(const std::vector<std::string>& patterns);

  [[nodiscard]] bool matches(std::string_view name) const;
  /// Only by a pattern without `*`, that spells the name out.
  [[nodiscard]] bool names(std::string_view name) const;
  [[nodiscard]] bool excludes(std::string_view name) const { return exclude_.matches(name); }
  [[nodiscard]] bool empty() const { return include_.empty(); }
  /// The including patterns with a `*`.
  [[nodiscard]] const std::vector<std::string>& globs() const { return include_.globs(); }

 private:
  NameSet include_;
  NameSet exclude_;
};

}  // namespace interline::policy
