// How often a value was at most so large: what /metrics shows of a distribution.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace interline {

/// `kBounds`: an ascending array of upper bounds, each included. Not thread-safe: whoever owns it
/// guards it.
template <const auto& kBounds>
class Histogram {
 public:
  void add(double value) {
    const auto bound = std::ranges::lower_bound(kBounds, value);
    ++counts_[static_cast<std::size_t>(std::distance(kBounds.begin(), bound))];
    sum_ += value;
  }

  [[nodiscard]] static const auto& bounds() { return kBounds; }
  /// Values above the bound before it, and at most at this one; the last: above all bounds.
  [[nodiscard]] const auto& counts() const { return counts_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::array<std::uint64_t, kBounds.size() + 1> counts_{};
  double sum_ = 0;
};

}  // namespace interline
