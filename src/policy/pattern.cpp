#include "policy/pattern.hpp"

#include <algorithm>
#include <cstddef>

namespace interline::policy {

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, and where its run ends for now
  std::size_t run = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      run = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++run;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

PatternList::PatternList(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (pattern.starts_with('!')) {
      exclude_.push_back(pattern.substr(1));
    } else {
      include_.push_back(pattern);
    }
  }
}

bool PatternList::excludes(std::string_view name) const {
  return std::ranges::any_of(exclude_,
                             [name](const auto& pattern) { return glob_matches(pattern, name); });
}

bool PatternList::matches(std::string_view name) const {
  const bool included = std::ranges::any_of(
      include_, [name](const auto& pattern) { return glob_matches(pattern, name); });
  return included && !excludes(name);
}

bool PatternList::names(std::string_view name) const {
  const bool named =
      std::ranges::any_of(include_, [name](const auto& pattern) { return pattern == name; });
  return named && !excludes(name);
}

}  // namespace interline::policy
