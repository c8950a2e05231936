// What an older server asks over its one channel belongs to a call for certain, or is asked of
// nobody.
#include <gtest/gtest.h>

#include "runtimes/mcp/mcp_runtime.hpp"
#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using std::chrono::milliseconds;
using testing::FakeJob;
using testing::Lines;
using testing::McpRuntimeTest;

constexpr const char* kFine = R"(complete {"content": [{"type": "text", "text": "fine"}]})";

constexpr const char* kForeignAsker = R"(
first = not os.path.exists(folder + "/notes")
note("process")
alive = []
def ask(id, what): rpc(id=id, method="elicitation/create",
    params={"message": what, "requestedSchema": {"type": "object", "properties": {}}})
def call(m):
    name = m["params"]["name"]
    if name == "stay":
        alive.append(m)
        progress(m["id"], progress=1, total=2)
    elif first:
        rpc(method="notifications/message", params={"level": "info", "data": "of the first one"})
        ask("foreign", "of the first one")
        alive.append(m)
    else:
        alive.append(m)
        ask("own", "its own")
def others(m):
    if m.get("method") == "resources/read":
        ask("reader", "of the reader")
        alive.append(m)
    elif m.get("id") == "reader":
        note("reader " + str("error" in m))
        for one in alive: rpc(id=one["id"], result=text("fine") if one["method"] == "tools/call" else {"contents": []})
    elif m.get("id") == "foreign":
        note("foreign " + str("error" in m))
        rpc(id=alive[-1]["id"], result=text("fine"))
    elif m.get("id") == "own": rpc(id=alive[-1]["id"], result=text("asked"))
def hello(m): rpc(id=m["id"], result={"protocolVersion": VERSION, "capabilities": {"tools": {}, "resources": {}},
                  "serverInfo": {"name": "scripted", "version": "1.0"}})
serve(call, others, hello)
)";

class ForeignQuestions : public McpRuntimeTest {
 protected:
  std::shared_ptr<FakeJob> call(std::string caller, std::string tool) {
    engine::JobInput input;
    input.handle = caller + " " + tool;
    input.caller = std::move(caller);
    input.tool = std::move(tool);
    input.arguments = "{}";
    input.answerable = 0x1F;
    return start(std::move(input));
  }
  void open_with(milliseconds grace) {
    auto configuration = with(kForeignAsker);
    configuration.process.cancel_grace = grace;
    open(std::move(configuration));
  }
};

TEST_F(ForeignQuestions, OfACallThatWasCancelledAreAskedOfNobody) {
  open_with(std::chrono::hours(1));
  const auto bob = call("bob", "stay");
  EXPECT_EQ(bob->next(), "progress 50.000000");
  bob->cancel();
  EXPECT_EQ(bob->next(), "cancelled");
  EXPECT_EQ(call("alice", "pay")->next(), kFine) << "neither bob's log line nor his question";
  EXPECT_EQ(fixture.notes(), (Lines{"process", "foreign True"}));
}

TEST_F(ForeignQuestions, AProcessThatAsksGetsNoCallsWhileOneMayStillRunAndIsEndedIfItKeepsIt) {
  open_with(std::chrono::seconds(2));
  const auto bob = call("bob", "stay");
  EXPECT_EQ(bob->next(), "progress 50.000000");
  bob->cancel();
  EXPECT_EQ(bob->next(), "cancelled");
  const auto pay = call("alice", "pay");
  const std::string said = pay->next();
  if (said != kFine) {
    // Where more time has passed than the process is given, it is left already: another one asks.
    EXPECT_TRUE(said.starts_with("ask ask-1 form its own")) << said;
    EXPECT_EQ(fixture.notes(), (Lines{"process", "process"}));
    return;
  }
  const auto again = call("alice", "again");
  EXPECT_TRUE(again->next().starts_with("ask ask-1 form its own")) << "of another process";
  again->answer("ask-1", tasks::AnswerAction::accept, "{}");
  EXPECT_NE(again->next().find("asked"), std::string::npos);
  EXPECT_EQ(fixture.notes(), (Lines{"process", "foreign True", "process"}));
}

TEST_F(McpRuntimeTest, Log_WhatItWritesToStderrHasNoSecrets) {
  open(with(R"(
def call(m):
    sys.stderr.write("password=hunter2\n")
    sys.stderr.close()
    rpc(id=m["id"], result=text("fine"))
serve(call)
)"));
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_TRUE(drain());
  EXPECT_NE(fixture.sink->text().find("password=[redacted]"), std::string::npos);
  EXPECT_EQ(fixture.sink->text().find("hunter2"), std::string::npos);
}

TEST_F(ForeignQuestions, OfAResourceThatIsReadAreNotAskedInACallBesideIt) {
  open_with(std::chrono::hours(1));
  const auto alice = call("alice", "stay");
  EXPECT_EQ(alice->next(), "progress 50.000000");
  engine::Consultation read;
  read.kind = engine::ConsultationKind::read_resource;
  read.subject = "file:///r";
  read.caller = "bob";
  read.timeout = std::chrono::hours(1);
  EXPECT_TRUE(fixture.run(runtime->consult(std::move(read), nullptr)));
  EXPECT_EQ(alice->next(), kFine);
  EXPECT_EQ(fixture.notes(), (Lines{"process", "reader True"}));
}

}  // namespace
}  // namespace interline::runtimes::mcp
