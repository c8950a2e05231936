#include "protocols/mcp/server/silence.hpp"

#include <gtest/gtest.h>

namespace interline::protocols::mcp::server {
namespace {

using std::chrono::milliseconds;

TEST(Silence, NobodyIsThoughtSilentWhoWasNot) {
  Silence silence;
  silence.was_silent("mute", {});
  EXPECT_FALSE(silence.is_silent("other", {}));
  EXPECT_TRUE(silence.is_silent("mute", {}));
}

TEST(Silence, EndsWithAnAnswer) {
  Silence silence;
  silence.was_silent("mute", {});
  silence.has_answered("mute");
  EXPECT_FALSE(silence.is_silent("mute", {}));
}

TEST(Silence, OneListWaitsAgainAfterARest) {
  Silence silence;
  silence.was_silent("mute", {});
  const Silence::Time before = Silence::Time() + Silence::kRest - milliseconds(1);
  EXPECT_TRUE(silence.is_silent("mute", before));
  const Silence::Time after = before + milliseconds(1);
  EXPECT_FALSE(silence.is_silent("mute", after));
  EXPECT_TRUE(silence.is_silent("mute", after)) << "two lists wait for it";
}

}  // namespace
}  // namespace interline::protocols::mcp::server
