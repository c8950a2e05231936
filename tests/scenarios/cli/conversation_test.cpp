// `interline call` at a terminal: questions, progress on one line, Ctrl-C.
#include <signal.h>

#include <gmock/gmock.h>

#include "gateway_process.hpp"
#include "terminal.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Conversation : public GatewayTest {
 protected:
  void SetUp() override {
    // Some tests leave a call at work behind them.
    configure(
        "[tasks]\ndrain = \"0ms\"\n"
        "[[endpoint]]\nname = \"demo\"\nversion = \"1\"\nconcurrency = 16\n"
        "runtime = { kind = \"builtin\" }\n");
    start();
    ready_text(60);
  }
  [[nodiscard]] std::string newest_task() const {
    const Ended listed = run_program("tasks list --limit 1 --json", folder());
    const auto begin = listed.out.find("\"id\":\"") + 6;
    return listed.out.substr(begin, listed.out.find('"', begin) - begin);
  }
};

TEST_F(Conversation, AQuestionIsAskedAndItsAnswerIsSent) {
  Terminal terminal(R"(call demo ask '{"question":"Who are you?"}')", folder());
  terminal.until("Who are you?");
  terminal.until("Answer> ");
  terminal.type("Ada\n");
  terminal.until("Thank you.");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"({"answers":["Ada"]})"));
}

TEST_F(Conversation, AFormIsAskedPropertyByPropertyAndWrongAnswersAgain) {
  Terminal terminal(
      R"(call demo ask '{"schema":{"type":"object","properties":{"age":{"type":"integer"},)"
      R"("colour":{"enum":["red","green"]}},"required":["age"]}}')",
      folder());
  terminal.until("age");
  terminal.until("> ");
  terminal.type("old\n");
  terminal.until("> ");
  terminal.type("36\n");
  terminal.until("2) green");
  terminal.until("> ");
  terminal.type("2\n");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"([{"age":36,"colour":"green"}])"));
}

TEST_F(Conversation, AQuestionIsDeclined) {
  Terminal terminal("call demo ask", folder());
  terminal.until("> ");
  terminal.type("/decline\n");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"({"answers":[null]})"));
}

TEST_F(Conversation, AnEndOfInputLeavesTheQuestionOpen) {
  Terminal terminal("call demo ask", folder());
  terminal.until("> ");
  terminal.type("\x04");
  terminal.until("still waits for its answer");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"("state":"input_required")"));
}

TEST_F(Conversation, AQuestionAnsweredElsewhereIsNoLongerAsked) {
  Terminal terminal("call demo ask", folder());
  terminal.until("> ");
  EXPECT_EQ(run_program("tasks answer " + newest_task() + " '\"Eve\"'", folder()).code, 0);
  terminal.until("no longer open");
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Conversation, ProgressIsOneLineWrittenOver) {
  Terminal terminal(R"(call demo sleep '{"milliseconds":90,"steps":3}')", folder());
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.shown(), HasSubstr("\r\033[K"));
  EXPECT_THAT(terminal.shown(), HasSubstr("Slept.\r\n"));
  EXPECT_EQ(terminal.shown().find('\n'), terminal.shown().size() - 1);  // the result's alone
}

TEST_F(Conversation, TheFirstInterruptCancelsTheTask) {
  Terminal terminal("call demo never", folder());
  terminal.until("running");
  terminal.type("\x03");
  terminal.until("cancelling the task");
  terminal.until("the task was cancelled");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"("state":"cancelled")"));
}

TEST_F(Conversation, TheSecondInterruptLeavesIt) {
  Terminal terminal(R"(call demo never '{"deaf":true}')", folder());
  terminal.until("running");
  terminal.type("\x03");
  terminal.until("cancelling the task");
  terminal.type("\x03");
  terminal.until("goes on; follow it with: interline tasks watch ");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"("state":"cancelling")"));
}

TEST_F(Conversation, AnInterruptDuringAQuestionCancelsTheTask) {
  Terminal terminal("call demo ask", folder());
  terminal.until("> ");
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(task(newest_task()), HasSubstr(R"("state":"cancelled")"));
}

TEST_F(Conversation, WatchingIsLeftWithoutCancelling) {
  const Ended called = run_program("call demo never --detach", folder());
  const std::string id = called.out.substr(0, called.out.find('\n'));
  Terminal terminal("tasks watch " + id, folder());
  terminal.until("running");
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(task(id), Not(HasSubstr("cancel\"")));
  EXPECT_THAT(task(id), HasSubstr(R"("state":"running")"));
}

TEST_F(Conversation, WatchingAnswersWhereAsked) {
  const Ended called = run_program("call demo ask --detach", folder());
  const std::string id = called.out.substr(0, called.out.find('\n'));
  Terminal terminal("tasks watch --answer " + id, folder());
  terminal.until("> ");
  terminal.type("Ada\n");
  EXPECT_EQ(terminal.wait(), 0);
}

TEST_F(Conversation, AToolCannotWriteToTheTerminal) {
  Terminal terminal(R"(call demo fail '{"message":"a\u001b[2Jb"}')", folder());
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_THAT(terminal.shown(), HasSubstr("a\\u{1b}[2Jb"));
}

TEST_F(Conversation, AGatewayThatComesBackIsFollowedFurther) {
  Terminal terminal(R"(call demo ask '{"suspend":true}')", folder());
  terminal.until("> ");
  signal(SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  start();
  ready_text(60);
  terminal.type("Ada\n");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.shown(), HasSubstr("Welcome back."));
}

}  // namespace
}  // namespace interline::testing
