#include "base/histogram.hpp"

#include <gtest/gtest.h>

namespace interline {
namespace {

constexpr std::array<double, 3> kBounds = {1, 2, 5};

TEST(Histograms, ABoundBelongsToWhatIsAtMostSoLarge) {
  Histogram<kBounds> values;
  for (const double value : {0.0, 1.0, 1.5, 2.0, 2.1, 5.0, 5.1, 1e9}) values.add(value);
  EXPECT_EQ(values.counts(), (std::array<std::uint64_t, 4>{2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(values.sum(), 1e9 + 16.7);
}

TEST(Histograms, AreEmptyAtFirst) {
  const Histogram<kBounds> values;
  EXPECT_EQ(values.counts(), (std::array<std::uint64_t, 4>{}));
  EXPECT_EQ(values.sum(), 0);
}

}  // namespace
}  // namespace interline
