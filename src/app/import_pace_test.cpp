#include "app/import_pace.hpp"

#include <gtest/gtest.h>

namespace interline::app {
namespace {

using namespace std::chrono_literals;

TEST(ImportPace, TheFirstChangeIsImportedOnceItHasSettled) {
  const ImportPace pace;
  EXPECT_EQ(pace.wait(SteadyTime(5s)), ImportPace::kSettle);
}

TEST(ImportPace, ADayOfChangesIsFewImports) {
  ImportPace pace;
  SteadyTime now(1s);
  int imports = 0;
  while (now < SteadyTime(24h)) {
    now += pace.wait(now);
    pace.imported(now);
    ++imports;
  }
  EXPECT_LE(imports, 24 * 6 + 10);
  EXPECT_EQ(pace.wait(now), ImportPace::kMost);
}

TEST(ImportPace, AfterAQuietTimeItIsQuickAgain) {
  ImportPace pace;
  SteadyTime now(1s);
  for (int i = 0; i < 20; ++i) {
    now += pace.wait(now);
    pace.imported(now);
  }
  now += 1h;
  EXPECT_EQ(pace.wait(now), ImportPace::kSettle);
  pace.imported(now);
  EXPECT_EQ(pace.wait(now), ImportPace::kLeast);
}

}  // namespace
}  // namespace interline::app
