#include "runtimes/script/script_runtime.hpp"

#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtimes/script/test_agent.hpp"
#include "runtimes/test_support.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::string_view kAgent = R"toml(
[agent]
name = "tester"
version = "7"

[[tool]]
name = "touch"
steps = [{ change = { resource = "notes://today" } }]

[[resource]]
uri = "notes://today"
name = "today"
text = "Nothing."
)toml";

class ScriptRuntimeTest : public ::testing::Test {
 protected:
  void touch() {
    const auto job = fixture.job("1", "touch");
    runtime.start(job);
    (void)job->next();
  }

  runtimes::testing::Fixture fixture;
  ScriptRuntime runtime{fixture.executor(), testing::agent(kAgent)};
};

TEST_F(ScriptRuntimeTest, ListsItsTools) {
  const auto tools = fixture.run(runtime.list_tools());
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->server_name, "tester");
  EXPECT_EQ(tools->server_version, "7");
  EXPECT_EQ(tools->definitions.size(), 1U);
}

TEST_F(ScriptRuntimeTest, AnswersConsultations) {
  engine::Consultation asked;
  asked.kind = engine::ConsultationKind::read_resource;
  asked.subject = "notes://today";
  const auto got = fixture.run(runtime.consult(asked, std::make_shared<engine::Withdrawal>()));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->result, R"({"contents":[{"uri":"notes://today","text":"Nothing."}]})");
}

TEST_F(ScriptRuntimeTest, TellsOfAResourceWhileItIsFollowed) {
  std::mutex mutex;
  std::vector<std::string> told;
  runtime.on_change([&](const engine::AgentChange& change) {
    const std::scoped_lock lock(mutex);
    told.push_back(change.uri);
  });
  touch();
  ASSERT_TRUE(fixture.run(runtime.follow_resource("notes://today", true)));
  touch();
  ASSERT_TRUE(fixture.run(runtime.follow_resource("notes://today", false)));
  touch();
  EXPECT_EQ(fixture.run(runtime.follow_resource("notes://none", true)).error().kind,
            ErrorKind::not_found);
  const std::scoped_lock lock(mutex);
  EXPECT_EQ(told, std::vector<std::string>{"notes://today"});
}

TEST_F(ScriptRuntimeTest, AFileThatCannotBeReadSaysWhy) {
  std::ofstream(fixture.path("bad.toml")) << "[[tool]]\n";
  ScriptRuntime bad(fixture.executor(), fixture.path("bad.toml"));
  EXPECT_FALSE(bad.available());
  EXPECT_EQ(bad.offers(), engine::Offers());
  const auto tools = fixture.run(bad.list_tools());
  ASSERT_FALSE(tools);
  EXPECT_EQ(tools.error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(tools.error().message, fixture.path("bad.toml") + ":1: [[tool]]: needs name");
  const auto job = fixture.job("1", "touch");
  bad.start(job);
  EXPECT_TRUE(job->next().starts_with("fail unavailable"));
}

}  // namespace
}  // namespace interline::runtimes::script
