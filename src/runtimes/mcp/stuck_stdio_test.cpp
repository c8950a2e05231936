// MCP servers that are programs and do not work any more: they keep what was cancelled for ever, or
// read nothing. The numbers are those of the checklist of MUSTs in README.md.
#include <string>
#include <vector>

#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using std::chrono::milliseconds;
using testing::FakeJob;
using testing::kModernServer;
using testing::kServer;

// The first process gets stuck at "hang", and waits for a gate at "gate"; the next ones do not.
constexpr const char* kScript = R"(
first = not os.path.exists(folder + "/notes")
note(os.getpid())
def answer(m, t): rpc(id=m["id"], result={"resultType": "complete", **text(t)})
def call(m):
    name = m["params"]["name"]
    if first and name in ("hang", "gate"):
        progress(m["params"]["_meta"]["progressToken"], progress=1, total=2)
        gate(name)
    answer(m, "first" if first else "second")
serve(call)
)";
constexpr const char* kFirst =
    R"(complete {"resultType": "complete", "content": [{"type": "text", "text": "first"}]})";
constexpr const char* kSecond =
    R"(complete {"resultType": "complete", "content": [{"type": "text", "text": "second"}]})";

class StuckStdio : public testing::McpRuntimeTest {
 protected:
  StuckStdio() {
    fixture.make_gate("hang");
    fixture.make_gate("gate");
  }
  void open_with(const char* server, std::size_t concurrency = 1) {
    auto configuration = with(kScript, concurrency, server);
    configuration.process.cancel_grace = grace;
    open(configuration);
  }
  milliseconds grace{20};
  [[nodiscard]] long first_process() const { return std::stol(fixture.notes().front()); }
};

TEST_F(StuckStdio, M30_M32_OneThatKeepsACancelledCallForEverIsEndedAndStartedAnew) {
  for (const char* server : {kServer, kModernServer}) {
    fixture.forget_notes();
    open_with(server);
    const auto stuck = start("a", "hang");
    EXPECT_EQ(stuck->next(), "progress 50.000000");
    stuck->cancel();
    EXPECT_EQ(stuck->next(), "cancelled");
    EXPECT_EQ(start("b")->next(), kSecond);
    runtimes::testing::wait_until_dead(first_process());
  }
}

TEST_F(StuckStdio, M30_WhatTheStuckProcessStillWorksOnIsNotKilled) {
  open_with(kServer, 2);
  const auto works = start("a", "gate");
  EXPECT_EQ(works->next(), "progress 50.000000");
  const auto behind = start("b");  // is not read as long as the other works
  behind->cancel();
  EXPECT_EQ(behind->next(), "cancelled");
  EXPECT_EQ(start("c")->next(), kSecond) << "the first gets no new ones";
  EXPECT_EQ(works->unread(), 0U);
  fixture.open_gate("gate");
  EXPECT_EQ(works->next(), kFirst);
  runtimes::testing::wait_until_dead(first_process());
}

TEST_F(StuckStdio, M30_OneThatAnswersAfterACancelStays) {
  grace = std::chrono::hours(1);
  open_with(kServer);
  for (const char* handle : {"a", "b", "c"}) {
    const auto job = start(handle);
    job->cancel();
    const std::string end = job->next();
    EXPECT_TRUE(end == "cancelled" || end == kFirst) << end;
  }
  EXPECT_EQ(start("d")->next(), kFirst);
  EXPECT_EQ(fixture.notes().size(), 1U);
}

TEST_F(StuckStdio, M32_OneThatDoesNotReadGetsNoNewCallsAndIsEndedOnceItHasNone) {
  open_with(kServer, 40);
  const std::string large = R"({"a":")" + std::string(std::size_t{1} << 20U, 'x') + R"("})";
  std::vector<std::shared_ptr<FakeJob>> jobs{start("first", "hang")};
  EXPECT_EQ(jobs.front()->next(), "progress 50.000000");
  for (int one = 0; one < 15; ++one) jobs.push_back(start("b" + std::to_string(one), "x", large));
  const std::string more = R"({"a":")" + std::string(std::size_t{3} << 20U, 'x') + R"("})";
  EXPECT_EQ(start("refused", "x", more)->next(),
            "fail unavailable retryable: The agent's process does not read its input.");
  EXPECT_EQ(start("next")->next(), kSecond);
  for (const auto& job : jobs) {
    EXPECT_EQ(job->unread(), 0U) << "they are of the first, and not given up";
    job->cancel();
    EXPECT_EQ(job->next(), "cancelled");
  }
  runtimes::testing::wait_until_dead(first_process());
}

}  // namespace
}  // namespace interline::runtimes::mcp
