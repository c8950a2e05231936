#include "base/secret.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace interline {
namespace {

TEST(Secret, RevealsWhatItWasGiven) {
  EXPECT_EQ(Secret("swordfish").reveal(), "swordfish");
  EXPECT_TRUE(Secret().empty());
  EXPECT_FALSE(Secret("x").empty());
}

TEST(Secret, CopiesAndMovesLikeAValue) {
  Secret a("swordfish");
  Secret b = a;
  EXPECT_EQ(a.reveal(), b.reveal());
  Secret c = std::move(a);
  EXPECT_EQ(c.reveal(), "swordfish");
  b = Secret("other");
  EXPECT_EQ(b.reveal(), "other");
  b = c;
  EXPECT_EQ(b.reveal(), "swordfish");
  EXPECT_EQ(c.reveal(), "swordfish");
}

TEST(Secret, MovingLeavesNoCopyBehind) {
  Secret a("short");
  const char* const memory = a.reveal().data();
  const Secret b = std::move(a);
  EXPECT_EQ(b.reveal().data(), memory);
}

// No conversion and no stream operator takes a secret where a text is wanted.
template <class T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(!Printable<Secret>);
static_assert(!std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<std::string_view, Secret>);

}  // namespace
}  // namespace interline
