#include "policy/pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

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

void NameSet::add(std::string pattern) {
  const bool glob = pattern.find('*') != std::string::npos;
  (glob ? globs_ : names_).push_back(std::move(pattern));
}

void NameSet::seal() {
  std::ranges::sort(names_);
}

bool NameSet::spells(std::string_view name) const {
  return std::ranges::binary_search(names_, name, std::less<>());
}

bool NameSet::matches(std::string_view name) const {
  return spells(name) || std::ranges::any_of(globs_, [name](const auto& pattern) {
           return glob_matches(pattern, name);
         });
}

PatternList::PatternList(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (pattern.starts_with('!')) {
      exclude_.add(pattern.substr(1));
    } else {
      include_.add(pattern);
    }
  }
  include_.seal();
  exclude_.seal();
}

bool PatternList::matches(std::string_view name) const {
  return include_.matches(name) && !excludes(name);
}

bool PatternList::names(std::string_view name) const {
  return include_.spells(name) && !excludes(name);
}

}  // namespace interline::policy
