// The document is what the keys say: a key that is added or changed changes it, or this fails.
#include "app/key_reference.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

namespace interline::app {
namespace {

using ::testing::HasSubstr;

TEST(ConfigurationReference, DocumentIsWhatTheProgramPrints) {
  std::ifstream file(INTERLINE_SOURCE_DIR "/docs/configuration.md", std::ios::binary);
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(document == configuration_reference())
      << "write it anew: interline check --reference > docs/configuration.md";
}

TEST(ConfigurationReference, RowHasTypeDefaultLimitsAndMeaning) {
  EXPECT_THAT(configuration_reference(),
              HasSubstr("| `json_depth` | integer | `64` | 8 to 256 | arrays and objects inside "
                        "each other |\n"));
}

TEST(ConfigurationReference, RequiredKeysSayThatTheyAre) {
  EXPECT_THAT(configuration_reference(), HasSubstr("| `domain` | string | required |"));
}

}  // namespace
}  // namespace interline::app
