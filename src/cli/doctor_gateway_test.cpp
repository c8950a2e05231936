// What the running gateway says of itself, as the doctor tells it.
#include <gtest/gtest.h>

#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

Findings findings(const std::string& status) {
  return retention_findings(parse_gateway_json(status)->root());
}

const std::string kHead = R"("principal":"local:root","started":"S","version":"V","ready":true)";

TEST(Doctor_Gateway, SaysThatRetentionIsHeldSinceWhenAndWhatToDo) {
  const Findings found = findings("{" + kHead + R"(,"parts":[],"retention":{"held":true,)" +
                                  R"("since":"2026-11-30T10:00:00.000Z","behindSeconds":172800,)" +
                                  R"("overInSeconds":86100}})");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::doubtful);
  EXPECT_EQ(found[0].subject, "retention");
  EXPECT_NE(found[0].text.find("since 2026-11-30T10:00:00.000Z"), std::string::npos);
  EXPECT_NE(found[0].text.find("48 hours longer"), std::string::npos);
  EXPECT_NE(found[0].text.find("ends in 24 hours"), std::string::npos);
  EXPECT_NE(found[0].mend.find("interline tasks trust-clock"), std::string::npos);
}

TEST(Doctor_Gateway, SaysNothingOfRetentionThatGoesByTheClock) {
  EXPECT_EQ(findings("{" + kHead + R"(,"parts":[],"retention":{"held":false}})").size(), 0U);
  EXPECT_EQ(findings("{" + kHead + R"(,"parts":[]})").size(), 0U);
}

}  // namespace
}  // namespace interline::cli
