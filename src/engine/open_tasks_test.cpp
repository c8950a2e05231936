// Open tasks of a principal have a bound, whatever state they are in.
#include "engine/open_tasks.hpp"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

namespace interline::engine {
namespace {

TEST(OpenTasks, EachPrincipalHasItsOwn) {
  OpenTasks open(1);
  auto first = open.reserve("alice");
  ASSERT_TRUE(first);
  const auto second = open.reserve("alice");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(second.error().reason, ErrorReason::too_many);
  EXPECT_TRUE(open.reserve("bob"));
}

TEST(OpenTasks, APlaceThatBecameNoTaskIsGivenBack) {
  OpenTasks open(1);
  { const auto refused_later = open.reserve("alice"); }
  EXPECT_EQ(open.of("alice"), 0U);
  EXPECT_TRUE(open.reserve("alice"));
}

TEST(OpenTasks, APlaceThatWasKeptGoesWithItsTask) {
  OpenTasks open(1);
  {
    auto place = open.reserve("alice");
    place->keep();
  }
  EXPECT_EQ(open.of("alice"), 1U);
  EXPECT_FALSE(open.reserve("alice"));
  open.ended("alice");
  EXPECT_TRUE(open.reserve("alice"));
}

TEST(OpenTasks, ThoseOfAnEarlierStartCountAlsoBeyondTheLimit) {
  OpenTasks open(1);
  open.opened("alice");
  open.opened("alice");
  open.ended("alice");
  EXPECT_FALSE(open.reserve("alice"));
  open.ended("alice");
  EXPECT_TRUE(open.reserve("alice"));
}

TEST(OpenTasks, APlaceMayOutliveWhatItCameFrom) {
  std::optional<OpenTasks> open(std::in_place, 1);
  const auto place = open->reserve("alice");
  open.reset();
  EXPECT_TRUE(place);
}

}  // namespace
}  // namespace interline::engine
