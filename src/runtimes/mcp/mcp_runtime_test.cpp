// MCP over stdio, against scripted servers: well-behaved ones, and such as no library would write.
#include "runtimes/mcp/mcp_runtime.hpp"

#include <gtest/gtest.h>

#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::FakeJob;
using testing::kServer;
using testing::Lines;
using testing::McpRuntimeTest;

constexpr const char* kFine = R"(complete {"content": [{"type": "text", "text": "fine"}]})";

// --- lifecycle -----------------------------------------------------------------------------------

TEST_F(McpRuntimeTest, Lifecycle_InitializeThenInitializedThenWork) {
  open(with(R"(
def note_and(do):
    def act(m):
        note(m["method"])
        do(m)
    return act
serve(note_and(lambda m: rpc(id=m["id"], result=text("fine"))), note_and(lambda m: None),
      note_and(initialize), note_and(list_tools))
)"));
  EXPECT_EQ(start("a")->next(), kFine);
  const auto tools = list();
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->server_name, "scripted");
  EXPECT_EQ(tools->server_version, "1.0");
  EXPECT_EQ(tools->mcp_protocol_version, "2025-11-25");
  EXPECT_EQ(tools->definitions, Lines{R"({"name": "echo", "inputSchema": {"type": "object"}})"});
  EXPECT_EQ(fixture.notes(),
            (Lines{"initialize", "notifications/initialized", "tools/call", "tools/list"}));
}

TEST_F(McpRuntimeTest, Lifecycle_EveryOlderRevisionIsSpoken) {
  for (const std::string version : {"2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"}) {
    open(
        with("VERSION = '" + version + "'\nserve(lambda m: rpc(id=m['id'], result=text('fine')))"));
    const auto tools = list();
    ASSERT_TRUE(tools) << tools.error().message;
    EXPECT_EQ(tools->mcp_protocol_version, version);
    EXPECT_EQ(start("a")->next(), kFine);
  }
}

TEST_F(McpRuntimeTest, Lifecycle_AnUnknownRevisionIsRefusedAndTheProcessEnded) {
  open(with("VERSION = '2031-01-01'\nserve(None)"));
  EXPECT_EQ(list().error().kind, ErrorKind::not_acceptable);
  EXPECT_TRUE(drain());
  EXPECT_TRUE(runtimes::testing::no_children());
}

TEST_F(McpRuntimeTest, Lifecycle_ARefusalToInitializeFailsWhatWaits) {
  auto configuration = with(R"(
serve(None, initialize=lambda m: rpc(id=m["id"], error={"code": -32603, "message": "no"}))
)");
  configuration.process.backoff_min = hours(1);
  open(configuration);
  EXPECT_EQ(start("a")->next(),
            "fail unavailable retryable: The agent's process ended before it could take calls.");
}

TEST_F(McpRuntimeTest, Lifecycle_AServerThatNeverAnswersInitializeIsGivenUp) {
  auto configuration = with("for m in lines(): pass");
  configuration.process.open_timeout = milliseconds(1);
  open(configuration);
  EXPECT_TRUE(start("a")->next().starts_with("fail unavailable"));
  EXPECT_TRUE(drain());
  EXPECT_TRUE(runtimes::testing::no_children());
}

TEST_F(McpRuntimeTest, Lifecycle_TheEndIsTheEndOfItsInputFirst) {
  auto configuration = with(R"(
signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve(lambda m: rpc(id=m["id"], result=text("fine")))
note("end of input")
)");
  configuration.process.kill_grace = hours(1);
  open(configuration);
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_TRUE(drain()) << "it ends by itself: no signal was needed";
  EXPECT_EQ(fixture.notes(), Lines{"end of input"});
}

TEST_F(McpRuntimeTest, Lifecycle_OneThatStaysIsKilled) {
  open(with(R"(
signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve(lambda m: rpc(id=m["id"], result=text("fine")))
while True: signal.pause()
)"));
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_TRUE(drain());
  EXPECT_TRUE(runtimes::testing::no_children());
}

// --- tools/list ----------------------------------------------------------------------------------

TEST_F(McpRuntimeTest, List_AllPagesInOrder) {
  open(with(R"(
def pages(m):
    at = int(m["params"].get("cursor", "0"))
    more = {"nextCursor": str(at + 1)} if at < 4 else {}
    rpc(id=m["id"], result={"tools": [{"name": "t%d" % at}], **more})
serve(None, list_tools=pages)
)"));
  const auto tools = list();
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->definitions,
            (Lines{R"({"name": "t0"})", R"({"name": "t1"})", R"({"name": "t2"})",
                   R"({"name": "t3"})", R"({"name": "t4"})"}));
  EXPECT_TRUE(list()) << "and again";
}

TEST_F(McpRuntimeTest, List_EndlessPagesEnd) {
  auto configuration = with(R"(
serve(None, list_tools=lambda m: rpc(id=m["id"], result={"tools": [], "nextCursor": "again"}))
)");
  configuration.limits.lists.pages = 50;
  open(configuration);
  EXPECT_EQ(list().error().kind, ErrorKind::resource_constraint);
}

TEST_F(McpRuntimeTest, List_TooManyToolsAreRefused) {
  auto configuration = with("TOOLS = TOOLS * 11\nserve(None)");
  configuration.limits.lists.items = 10;
  open(configuration);
  EXPECT_EQ(list().error().kind, ErrorKind::resource_constraint);
}

TEST_F(McpRuntimeTest, List_ToolsThatNeedATaskOfTheServersOwnAreALoss) {
  open(with(R"(
TOOLS = TOOLS + [{"name": "research", "execution": {"taskSupport": "required"}}]
serve(None)
)"));
  const auto tools = list();
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->definitions.size(), 1U);
  ASSERT_EQ(tools->losses.size(), 1U);
  EXPECT_EQ(tools->losses[0].tool, "research");
}

TEST_F(McpRuntimeTest, List_WithoutToolsOrWithNonsenseIsAnError) {
  open(with(R"(
serve(None, initialize=lambda m: rpc(id=m["id"], result={"protocolVersion": VERSION, "capabilities": {}}))
)"));
  EXPECT_EQ(list().error().message, "the MCP server has no tools");
  open(with(R"(serve(None, list_tools=lambda m: rpc(id=m["id"], result={"tools": "many"})))"));
  EXPECT_EQ(list().error().kind, ErrorKind::malformed);
  open(with(
      R"(serve(None, list_tools=lambda m: rpc(id=m["id"], error={"code": -32601, "message": "?"})))"));
  EXPECT_EQ(list().error().kind, ErrorKind::not_acceptable);
}

// --- tools/call ----------------------------------------------------------------------------------

TEST_F(McpRuntimeTest, Call_TheWholeResultIsKeptByteForByte) {
  open(with(R"(
serve(lambda m: write('{ "id" :%d, "result":{ "_meta":{"x":1.50}, "content":[ ],"structuredContent": '
                      '{"big":12345678901234567890,"e":1E2} ,"isError":true, "extra":"\\u00e9"},"jsonrpc":"2.0"}\r\n'
                      % m["id"]))
)"));
  EXPECT_EQ(start("a")->next(),
            R"(complete { "_meta":{"x":1.50}, "content":[ ],"structuredContent": )"
            R"({"big":12345678901234567890,"e":1E2} ,"isError":true, "extra":"\u00e9"})")
      << "a result with isError is a completed call";
}

TEST_F(McpRuntimeTest, Call_ArgumentsGoAsTheyAre) {
  open(with(R"(
serve(lambda m: rpc(id=m["id"], result=text(json.dumps([m["params"]["name"], m["params"]["arguments"]]))))
)"));
  EXPECT_EQ(
      start("a", "get-sum", R"({"a":1,"b":[true]})")->next(),
      R"(complete {"content": [{"type": "text", "text": "[\"get-sum\", {\"a\": 1, \"b\": [true]}]"}]})");
}

TEST_F(McpRuntimeTest, Call_AProtocolErrorFailsTheTask) {
  open(with(R"(
serve(lambda m: rpc(id=m["id"], error={"code": -32602, "message": "Unknown tool", "data": {"a": 1}}))
)"));
  EXPECT_EQ(start("a")->next(), "fail mcp:-32602: Unknown tool");
}

TEST_F(McpRuntimeTest, Call_AnswersComeInAnyOrder) {
  open(with(R"(
kept = []
def call(m):
    kept.append(m)
    if len(kept) < 5: return
    for k in reversed(kept): rpc(id=k["id"], result=text(k["params"]["arguments"]["n"]))
serve(call)
)",
            5));
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    jobs.push_back(start("h" + n, "echo", R"({"n":")" + n + "\"}"));
  }
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(jobs[i]->next(), R"(complete {"content": [{"type": "text", "text": ")" +
                                   std::to_string(i) + R"("}]})");
  }
}

TEST_F(McpRuntimeTest, Call_ProgressAndLogReachTheJob) {
  open(with(R"(
def call(m):
    token = m["params"]["_meta"]["progressToken"]
    progress(token, progress=1, total=4, message="one")
    progress(token, progress=2.5)
    progress("not-" + str(token), progress=3)
    progress(token + 1000, progress=3)
    progress(token, progress="x")
    rpc(method="notifications/message", params={"level": "warning", "data": {"a": 1}})
    rpc(method="notifications/unheard/of", params={})
    rpc(id=m["id"], result=text("fine"))
    progress(token, progress=4, total=4)
serve(call)
)"));
  const auto job = start("a");
  EXPECT_EQ(job->next(), "progress 25.000000 message=one");
  EXPECT_EQ(job->next(), "progress message=2.5");
  EXPECT_EQ(job->next(), R"(log warning {"a": 1})");
  EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(start("b")->next(), "progress 25.000000 message=one");
  EXPECT_EQ(job->unread(), 0U) << "progress after the end is nobody's";
}

TEST_F(McpRuntimeTest, Call_ALogThatBelongsToNoCallGoesToOurs) {
  open(with(R"(
rpc(method="notifications/message", params={"level": "info", "data": "hello from the server"})
serve(lambda m: rpc(id=m["id"], result=text("fine")))
)"));
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_NE(fixture.sink->text().find("hello from the server"), std::string::npos);
}

TEST_F(McpRuntimeTest, Cancel_IsANotificationAndOverAtOnce) {
  open(with(R"(
def call(m):
    if m["params"]["name"] == "stay": progress(m["params"]["_meta"]["progressToken"], progress=1, total=2)
    else: rpc(id=m["id"], result=text(open(folder + "/notes").read()))
serve(call, others=lambda m: note(json.dumps(m)) if m["method"] == "notifications/cancelled" else None)
)"));
  const auto job = start("a", "stay");
  EXPECT_EQ(job->next(), "progress 50.000000");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  const auto stopped = start("b", "stay");
  EXPECT_EQ(stopped->next(), "progress 50.000000");
  stopped->stop();
  const std::string seen = start("c")->next();
  EXPECT_NE(seen.find(R"(\"requestId\": 3)"), std::string::npos) << seen;
  EXPECT_NE(seen.find(R"(\"requestId\": 5)"), std::string::npos) << seen;  // 4 is a ping
  EXPECT_EQ(stopped->unread(), 0U);
}

TEST_F(McpRuntimeTest, Cancel_AnAnswerThatCrossesItIsIgnored) {
  open(with(R"(
late = []
def call(m):
    if m["params"]["name"] == "stay":
        late.append(m["id"])
        progress(m["id"], progress=1, total=2)
        return
    for id in late: rpc(id=id, result=text("late"))
    rpc(id=m["id"], result=text("fine"))
serve(call)
)"));
  const auto job = start("a", "stay");
  (void)job->next();
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  EXPECT_EQ(start("b")->next(), kFine);
  EXPECT_EQ(job->unread(), 0U);
}

// --- what the server asks ------------------------------------------------------------------------

TEST_F(McpRuntimeTest, ServerRequests_PingIsAnsweredAndTheRestRefused) {
  open(with(R"(
def call(m):
    rpc(id="p", method="ping")
    rpc(id="s", method="sampling/createMessage", params={"messages": []})
    rpc(id="r", method="roots/list")
def others(m):
    note(json.dumps({k: m[k] for k in m if k != "jsonrpc"}) if "id" in m else "-")
    if m.get("id") == "r": rpc(id=3, result=text("fine"))
serve(call, others)
)"));
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_EQ(
      fixture.notes(),
      (Lines{
          "-", R"({"id": "p", "result": {}})",
          R"({"id": "s", "error": {"code": -32601, "message": "Whoever called this tool cannot answer that."}})",
          R"({"id": "r", "error": {"code": -32601, "message": "Whoever called this tool cannot answer that."}})"}));
}

constexpr const char* kAsker = R"(
def call(m):
    pending.append(m["id"])
    rpc(id="e1", method="elicitation/create",
        params={"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}})
def others(m):
    if m.get("id") == "e1": rpc(id=pending.pop(), result=text(json.dumps(m.get("result", m.get("error")))))
pending = []
def hello(m):
    note(json.dumps(m["params"]["capabilities"]))
    initialize(m)
serve(call, others, hello)
)";

TEST_F(McpRuntimeTest, Elicitation_BecomesAQuestionAndItsAnswerGoesBack) {
  open(with(kAsker));
  EXPECT_TRUE(runtime->features().input);
  struct Case {
    tasks::AnswerAction action;
    const char* value;
    const char* result;
  };
  int n = 0;
  for (const Case& one : {Case{tasks::AnswerAction::accept, R"({"name":"Ann"})",
                               R"({\"action\": \"accept\", \"content\": {\"name\": \"Ann\"}})"},
                          Case{tasks::AnswerAction::decline, "", R"({\"action\": \"decline\"})"},
                          Case{tasks::AnswerAction::cancel, "", R"({\"action\": \"cancel\"})"}}) {
    const auto job = start("h" + std::to_string(++n));
    EXPECT_EQ(job->next(), R"(ask ask-1 form Who? schema={"type": "object", "properties": {}})");
    job->answer("ask-1", one.action, one.value);
    EXPECT_NE(job->next().find(one.result), std::string::npos) << one.result;
  }
  EXPECT_EQ(fixture.notes(),
            Lines{R"({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})"});
}

TEST_F(McpRuntimeTest, Elicitation_ThatIsRefusedIsCancelled) {
  fixture.make_gate("asking");
  open(with(std::string(R"(
def wait(then):
    def act(m):
        gate("asking")
        then(m)
    return act
)") + std::string(kAsker).replace(std::string(kAsker).find("serve(call,"), 11,
                                  "serve(wait(call),")));
  const auto job = start("a");
  job->refuse_questions();
  fixture.open_gate("asking");
  EXPECT_NE(job->next().find(R"({\"action\": \"cancel\"})"), std::string::npos);
}

TEST_F(McpRuntimeTest, Elicitation_IsNotOfferedWhereItCouldBelongToSeveralCalls) {
  open(with(kAsker, 2));
  EXPECT_TRUE(runtime->features().input) << "nobody knows before it was opened";
  EXPECT_NE(start("a")->next().find("-32601"), std::string::npos);
  EXPECT_FALSE(runtime->features().input);
  EXPECT_EQ(fixture.notes(), Lines{"{}"});
}

// --- hostile servers -----------------------------------------------------------------------------

TEST_F(McpRuntimeTest, Hostile_NoiseIsDropped) {
  open(with(R"(
def call(m):
    write("npm WARN something\n\n \r\n{}\n[]\n7\n\"x\"\n{\"jsonrpc\":\"2.0\"}\n")
    rpc(id=99, result=text("nobody's"))
    rpc(id=str(m["id"]), result=text("another type of id"))
    rpc(id=None, error={"code": -32700, "message": "what?"})
    rpc(id=m["id"] + 0.5, result=text("fraction"))
    rpc(method=["m"], id=m["id"])
    write('{"jsonrpc":"2.0","id":%d,"method":"nonsense","params":{"broken\n' % m["id"])
    rpc(id=m["id"], result=text("fine"))
    rpc(id=m["id"], result=text("twice"))
serve(call)
)"));
  const auto job = start("a");
  EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(start("b")->next(), kFine);
  EXPECT_EQ(job->unread(), 0U);
  EXPECT_EQ(fixture.sink->text().find("npm WARN"), std::string::npos) << "no payloads in the log";
}

TEST_F(McpRuntimeTest, Hostile_AnAnswerThatCannotBeReadFailsItsCallAlone) {
  open(with(R"(
kept = []
def call(m):
    kept.append(m["id"])
    if len(kept) < 4: return
    write('{"jsonrpc":"2.0","id":%d,"result":{"content":[}}\n' % kept[0])
    write('{"jsonrpc":"2.0","id":%d}\n' % kept[1])
    write('{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (kept[2], "[" * 100000 + "]" * 100000))
    rpc(id=kept[3], result=text("fine"))
serve(call)
)",
            4));
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (const char* handle : {"a", "b", "c", "d"}) jobs.push_back(start(handle));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(jobs[i]->next().starts_with("fail internal-error")) << i;
  }
  EXPECT_EQ(jobs[3]->next(), kFine);
}

TEST_F(McpRuntimeTest, Hostile_HugeLinesFailTheirCallWhereverItsIdIs) {
  auto configuration = with(R"(
kept = []
def call(m):
    kept.append(m["id"])
    if len(kept) < 3: return
    rpc(method="notifications/message", params={"level": "info", "data": "x" * 200000})
    write('{"jsonrpc":"2.0","id":%d,"result":"%s"}\n' % (kept[0], "x" * 200000))
    write('{"result":"%s","jsonrpc":"2.0","id":%d}\n' % ("x" * 200000, kept[1]))
    rpc(id=kept[2], result=text("fine"))
serve(call)
)",
                            3);
  configuration.process.line_limit = 100'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  const auto c = start("c");
  EXPECT_TRUE(a->next().starts_with("fail interline:result-too-large"));
  EXPECT_TRUE(b->next().starts_with("fail interline:result-too-large"));
  EXPECT_EQ(c->next(), kFine);
}

TEST_F(McpRuntimeTest, Hostile_AHugeLineWithoutAnIdIsThatOfWhoGetsNoAnswer) {
  auto configuration = with(R"(
kept = []
def call(m):
    kept.append(m["id"])
    if len(kept) < 3: return
    write('{"jsonrpc":"2.0","result":"%s"}\n' % ("x" * 200000))
    rpc(id=kept[2], result=text("fine"))
    rpc(id=kept[0], result=text("fine"))
serve(call)
)",
                            3);
  configuration.process.line_limit = 100'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  const auto c = start("c");
  EXPECT_EQ(c->next(), kFine);
  EXPECT_EQ(a->next(), kFine);
  EXPECT_TRUE(b->next().starts_with("fail interline:result-too-large"));
}

TEST_F(McpRuntimeTest, Hostile_ALineWithoutAnEndFailsItsCallWhileItIsBeingWritten) {
  auto configuration = with(R"(
import time
def call(m):
    write('{"jsonrpc":"2.0","id":%d,"result":"%s' % (m["id"], "x" * 200000))
    while True: time.sleep(1)
serve(call)
)");
  configuration.process.line_limit = 100'000;
  open(configuration);
  const auto a = start("a");
  EXPECT_TRUE(a->next().starts_with("fail interline:result-too-large"));
}

TEST_F(McpRuntimeTest, Hostile_AFloodOfProgressIsBounded) {
  auto configuration = with(R"(
def call(m):
    for i in range(100000): progress(m["id"], progress=i, message="x" * 100)
serve(call)
)");
  configuration.process.output_limit = 100'000;
  open(configuration);
  const auto job = start("a");
  std::string report = job->next();
  while (report.starts_with("progress")) report = job->next();
  EXPECT_TRUE(report.starts_with("fail interline:result-too-large")) << report;
}

TEST_F(McpRuntimeTest, Hostile_DeathInACallFailsItAndTheServerIsStartedAgain) {
  open(with(R"(
note("start")
def call(m):
    if m["params"]["name"] == "die": os.kill(os.getpid(), signal.SIGSEGV)
    rpc(id=m["id"], result=text("fine"))
serve(call)
)"));
  EXPECT_EQ(start("a", "die")->next(),
            "fail unavailable retryable: The agent's process ended before the call did.");
  EXPECT_EQ(start("b")->next(), kFine);
  EXPECT_EQ(fixture.notes(), (Lines{"start", "start"}));
}

TEST_F(McpRuntimeTest, Hostile_ResultsThatAreNoResultsReachTheEnginesCheckAsTheyAre) {
  open(with(R"(serve(lambda m: rpc(id=m["id"], result="no object")))"));
  EXPECT_EQ(start("a")->next(), R"(complete "no object")");
}

TEST_F(McpRuntimeTest, Batches_AreOfOneRevisionAlone) {
  const std::string script = R"(
def call(m):
    write(json.dumps([{"jsonrpc": "2.0", "id": m["id"], "result": text("batched")}, 5]) + "\n")
    rpc(id=m["id"], result=text("fine"))
serve(call)
)";
  open(with(script));
  EXPECT_EQ(start("a")->next(), kFine);
  open(with("VERSION = '2025-03-26'\n" + script));
  EXPECT_NE(start("b")->next().find("batched"), std::string::npos);
}

}  // namespace
}  // namespace interline::runtimes::mcp
