// The runtime `script` in interline.toml: the agent's mistakes are the configuration's.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/configuration.hpp"

namespace interline::app {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class ScriptConfiguration : public ::testing::Test {
 protected:
  ScriptConfiguration() {
    std::string pattern = std::filesystem::temp_directory_path() / "interline-config-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ScriptConfiguration() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& agent) { std::ofstream(folder_ / "agent.toml") << agent; }
  auto read(const std::string& runtime) {
    return parse_configuration("[[endpoint]]\nname = \"a\"\nruntime = { " + runtime + " }\n",
                               folder_ / "interline.toml");
  }
  std::vector<std::string> mistakes(const std::string& runtime) {
    std::vector<std::string> all;
    const auto got = read(runtime);
    if (got) return all;
    for (const Mistake& mistake : got.error()) {
      all.push_back(to_string("interline.toml", mistake));
    }
    return all;
  }

  std::filesystem::path folder_;
};

constexpr const char* kScript = "kind = \"script\", file = \"agent.toml\"";

TEST_F(ScriptConfiguration, NamesTheAgentsFile) {
  write("[[tool]]\nname = \"t\"\n");
  const auto got = read(kScript);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->endpoints.front().runtime.kind, RuntimeKind::script);
  EXPECT_EQ(got->endpoints.front().runtime.file, folder_ / "agent.toml");
}

TEST_F(ScriptConfiguration, AnAgentThatWasChangedIsAnotherRuntime) {
  write("[[tool]]\nname = \"t\"\n");
  const auto before = read(kScript);
  const auto same = read(kScript);
  write("[[tool]]\nname = \"u\"\n");
  const auto after = read(kScript);
  ASSERT_TRUE(before && same && after);
  EXPECT_EQ(before->endpoints, same->endpoints);
  EXPECT_NE(before->endpoints, after->endpoints);
}

TEST_F(ScriptConfiguration, TheAgentsMistakesAreNamedWithBothLines) {
  write("[[tool]]\nname = \"t\"\ntask = \"now\"\nsteps = [{}]\n");
  EXPECT_THAT(mistakes(kScript),
              ElementsAre(AllOf(HasSubstr("interline.toml:3: [[endpoint]] runtime file "),
                                HasSubstr("agent.toml:4: tool \"t\" steps[1]: expected one of")),
                          EndsWith("agent.toml:3: tool \"t\": task is wrong: expected one of "
                                   "forbidden, optional, required")));
}

TEST_F(ScriptConfiguration, AFileThatIsNotThereIsSaidOnce) {
  EXPECT_THAT(mistakes(kScript), ElementsAre(HasSubstr("file: there is no file")));
  EXPECT_THAT(mistakes("kind = \"script\""), ElementsAre(HasSubstr("needs a file, for example")));
}

TEST_F(ScriptConfiguration, OtherKindsHaveNoUseForAFile) {
  write("");
  EXPECT_THAT(mistakes("kind = \"builtin\", file = \"agent.toml\""),
              ElementsAre(HasSubstr("file is of use to the kind script alone")));
}

}  // namespace
}  // namespace interline::app
