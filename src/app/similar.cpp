#include "app/similar.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace interline::app {
namespace {

constexpr std::size_t kLongestWord = 64;  // behind it nobody is asked what they meant
constexpr std::size_t kSimilar = 2;

/// How far two words are apart, in single changes.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view written, std::span<const std::string_view> known) {
  if (written.size() > kLongestWord) return {};
  const auto nearest = std::ranges::min_element(
      known, {}, [written](std::string_view word) { return distance(written, word); });
  if (nearest == known.end()) return {};
  // Of a short word not every letter may differ.
  const std::size_t apart = distance(written, *nearest);
  if (apart > kSimilar || apart >= nearest->size()) return {};
  return std::string("; did you mean ").append(*nearest).append("?");
}

}  // namespace interline::app
