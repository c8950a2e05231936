// A clock that was set forward: what an operator is told, and what ends the hold on retention.
#include "base/manual_clock.hpp"
#include "control_bench.hpp"

namespace interline::testing {
namespace {

using namespace std::chrono_literals;

EngineOptions with_clock(const Clock& clock) {
  EngineOptions options;
  options.clock = &clock;
  return options;
}

TEST(ControlClock, IsTrustedByOperatorsAlone) {
  ManualClock clock;
  ControlBench bench(with_clock(clock));
  EXPECT_EQ(bench.post(kDaemon, "/v1/clock/trust").status, 403U);
  EXPECT_EQ(bench.post(kRoot, "/v1/clock/trust", R"({"sure":true})").status, 400U);
  EXPECT_EQ(bench.post(kRoot, "/v1/clock/trust").body, "{\"held\":false}\n");
}

TEST(ControlClock, ThatWasSetForwardIsShownAndEndedByAnOperator) {
  ManualClock clock;
  ControlBench bench(with_clock(clock));
  clock.set(clock.now() + 48h);
  ASSERT_TRUE(bench.bench().run(bench.bench().engine().purge()));
  const std::string held =
      R"({"held":true,"since":"2026-01-01T00:00:00.000Z","behindSeconds":172800,)"
      R"("overInSeconds":86400})";
  EXPECT_NE(bench.get(kRoot, "/v1/status").body.find(R"("retention":)" + held), std::string::npos)
      << bench.get(kRoot, "/v1/status").body;
  EXPECT_EQ(bench.get(kDaemon, "/v1/status").body.find("retention"), std::string::npos);
  EXPECT_EQ(bench.post(kRoot, "/v1/clock/trust", "{}").body, held + "\n");
  EXPECT_NE(bench.get(kRoot, "/v1/status").body.find(R"("retention":{"held":false})"),
            std::string::npos);
  EXPECT_EQ(bench.post(kRoot, "/v1/clock/trust").body, "{\"held\":false}\n");
}

}  // namespace
}  // namespace interline::testing
