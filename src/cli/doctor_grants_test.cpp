// What the doctor says of grants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor_checks.hpp"

namespace interline::cli {
namespace {

using ::testing::HasSubstr;
using Verdict = Finding::Verdict;

app::Configuration granting(std::vector<std::string> endpoints) {
  app::Configuration configuration;
  configuration.endpoints.emplace_back().name = "weather";
  configuration.grants.emplace_back().endpoints = std::move(endpoints);
  configuration.lines.grants.push_back(7);
  return configuration;
}

TEST(Doctor_Grants, NoneAreDoubtful) {
  const Findings found = check_grants(app::Configuration(), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::doubtful);
}

TEST(Doctor_Grants, OneOfAnEndpointThatIsNotThereIsDoubtful) {
  for (const char* name : {"wether", "!wether"}) {
    const Findings found = check_grants(granting({name, "weather", "w*"}), {});
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(found[0].verdict, Verdict::doubtful);
    EXPECT_THAT(found[0].text, HasSubstr("line 7 names the endpoint \"" + std::string(name)));
    EXPECT_THAT(found[0].text, HasSubstr("did you mean weather?"));
  }
}

TEST(Doctor_Grants, OneOfARegisteredEndpointIsInOrder) {
  EXPECT_TRUE(check_grants(granting({"elsewhere"}), {"elsewhere"}).empty());
  EXPECT_TRUE(check_grants(granting({"*", "!weather"}), {}).empty());
}

}  // namespace
}  // namespace interline::cli
