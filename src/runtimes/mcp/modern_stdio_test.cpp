// MCP 2026-07-28 over stdio, the client's side: what era a server is of, what its requests carry,
// rounds of questions, tasks of the server's. The numbers are those of the checklist of MUSTs in
// README.md.
#include <gmock/gmock.h>

#include "runtimes/mcp/mcp_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::FakeJob;
using ::testing::HasSubstr;
using testing::kModernServer;
using testing::kServer;
using testing::Lines;

constexpr const char* kFine = R"(complete {"content": [{"type": "text", "text": "fine"}]})";
constexpr const char* kModernFine =
    R"(complete {"resultType": "complete", "content": [{"type": "text", "text": "fine"}]})";

class ModernStdio : public testing::McpRuntimeTest {
 protected:
  McpConfiguration modern(const std::string& script, std::size_t concurrency = 1) {
    auto configuration = with(script, concurrency, kModernServer);
    configuration.limits.course.retry_first = milliseconds(1);
    configuration.limits.course.retry_longest = milliseconds(5);
    return configuration;
  }
};

// --- 26: which era a server is of ----------------------------------------------------------------

TEST_F(ModernStdio, M26_ADiscoveredServerIsNeverInitialized) {
  open(modern(R"(
def noted(act):
    def both(m):
        note(m["method"])
        act(m)
    return both
serve(noted(lambda m: result(m, **text("fine"))), server_discover=noted(discover), initialize=noted(lambda m: None))
)"));
  EXPECT_EQ(start("a")->next(), kModernFine);
  const auto tools = list();
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->server_name, "modern");
  EXPECT_EQ(tools->mcp_protocol_version, "2026-07-28");
  EXPECT_EQ(fixture.notes(), (Lines{"server/discover", "tools/call"}));
}

struct Era {
  const char* discover;  // what the probe is answered with
  bool modern;
};

TEST_F(ModernStdio, M26_WhateverALegacyServerSaysToTheProbeItIsInitializedOnTheSamePipe) {
  for (
      const char* answer :
      {R"(rpc(id=m["id"], error={"code": -32601, "message": "?"}))",
       R"(rpc(id=m["id"], error={"code": -32602, "message": "?"}))",
       R"(rpc(id=m["id"], error={"code": -32000, "message": "not initialized"}))",
       R"(rpc(id=m["id"], error={"code": -32022, "message": "?", "data": {"supported": ["2025-11-25"]}}))",
       R"(rpc(id=m["id"], result={}))",
       R"(write('{"jsonrpc":"2.0","id":%d,"result":[}\n' % m["id"]))"}) {
    open(with(
        std::string("serve(lambda m: rpc(id=m['id'], result=text('fine')), discover=lambda m: ") +
        answer + ")\n"));
    EXPECT_EQ(start("a")->next(), kFine) << answer;
    EXPECT_EQ(list()->mcp_protocol_version, "2025-11-25") << answer;
  }
}

TEST_F(ModernStdio, M26_OneThatSaysNothingToTheProbeIsInitializedInTheEnd) {
  auto configuration = with(R"(
serve(lambda m: rpc(id=m["id"], result=text("fine")), discover=lambda m: None)
)");
  configuration.limits.probe_timeout = milliseconds(1);
  open(configuration);
  EXPECT_EQ(start("a")->next(), kFine);
}

TEST_F(ModernStdio, M26_OneThatEndsAtTheProbeIsStartedAgainAndNotProbed) {
  const std::string script = R"(
note("start")
def probed(m):
    note("probe")
    sys.exit(1)
def call(m):
    if m["params"]["name"] == "die": os._exit(1)
    rpc(id=m["id"], result=text("fine"))
serve(call, discover=probed)
)";
  auto configuration = with(script);
  configuration.process.backoff_min = hours(1);  // the second start is no repetition of a failure
  open(configuration);
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_TRUE(list());
  EXPECT_EQ(fixture.notes(), (Lines{"start", "probe", "start"}));

  open(with(script));
  EXPECT_TRUE(list()) << "who asks for tools does not hear of it either";
  EXPECT_TRUE(start("b", "die")->next().starts_with("fail unavailable"));
  EXPECT_EQ(start("c")->next(), kFine);
  EXPECT_EQ(fixture.notes().size(), 7U) << "once it is known, no start is wasted";
}

TEST_F(ModernStdio, M23_AnotherVersionIsTriedOnceAndThenGivenUp) {
  open(modern(R"(
seen = []
def once(m):
    seen.append(m["id"])
    if len(seen) == 1: error(m, -32022, supported=["2026-07-28"], requested="x")
    else: discover(m)
serve(lambda m: result(m, **text("fine")), server_discover=once)
)"));
  EXPECT_EQ(start("a")->next(), kModernFine);
  open(modern(R"(
def never(m):
    note("probe")
    error(m, -32022, supported=["2026-07-28"], requested="x")
serve(None, server_discover=never)
)"));
  EXPECT_EQ(list().error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(fixture.notes(), (Lines{"probe", "probe"}));
  open(modern(
      R"(serve(None, server_discover=lambda m: error(m, -32022, supported=["2099-01-01"])))"));
  EXPECT_EQ(list().error().kind, ErrorKind::not_acceptable);
}

TEST_F(ModernStdio, M26_AModernServerThatFindsOurRequestWrongIsNotFallenBackFrom) {
  for (const char* code : {"-32020", "-32021"}) {
    open(modern(std::string("serve(None, server_discover=lambda m: error(m, ") + code +
                "), initialize=lambda m: note('initialize'))"));
    EXPECT_EQ(list().error().kind, ErrorKind::not_acceptable);
  }
  EXPECT_EQ(fixture.notes(), Lines{});
}

// --- 3, 8, 11, 17 --------------------------------------------------------------------------------

TEST_F(ModernStdio, M11_EveryRequestSaysItsVersionWhoAsksAndWhatCanBeAnswered) {
  open(modern(R"(
CAPABILITIES = {"tools": {}, "prompts": {}, "resources": {"subscribe": True}, "completions": {}}
def noted(then):
    def act(m):
        meta = m["params"]["_meta"]
        note(" ".join([m["method"], meta["io.modelcontextprotocol/protocolVersion"],
                       meta["io.modelcontextprotocol/clientInfo"]["name"],
                       json.dumps(meta["io.modelcontextprotocol/clientCapabilities"])]))
        then(m)
    return act
serve(noted(lambda m: result(m, **text("fine"))), server_discover=noted(discover),
      tools_list=noted(lambda m: result(m, tools=[])))
)"));
  EXPECT_EQ(start("a")->next(), kModernFine);
  EXPECT_EQ(start_asking("b")->next(), kModernFine);
  EXPECT_TRUE(list());
  const std::string tasks = R"("extensions": {"io.modelcontextprotocol/tasks": {}})";
  EXPECT_EQ(fixture.notes(),
            (Lines{"server/discover 2026-07-28 interline {}",
                   "tools/call 2026-07-28 interline {" + tasks + "}",
                   R"(tools/call 2026-07-28 interline {"elicitation": {"form": {}, "url": {}}, )"
                   R"("sampling": {}, "roots": {}, )" +
                       tasks + "}",
                   "tools/list 2026-07-28 interline {}"}));
}

TEST_F(ModernStdio, M11_TheTasksKeyAndTheTraceGoAlongAndNothingElseOfTheCaller) {
  open(modern(R"(
def call(m):
    meta = {k: v for k, v in m["params"]["_meta"].items() if not k.startswith("io.")}
    result(m, **text(json.dumps(meta)))
serve(call)
)"));
  engine::JobInput input;
  input.handle = "a";
  input.tool = "echo";
  input.arguments = "{}";
  input.repeat_key = "key-1";
  input.metadata = R"({"traceparent":"00-a-b-01","token":"secret","baggage":7})";
  const std::string seen = start(std::move(input))->next();
  EXPECT_THAT(seen, HasSubstr(R"({\"progressToken\": 2, \"interline/requestId\": \"key-1\", )"
                              R"(\"traceparent\": \"00-a-b-01\"})"));
}

TEST_F(ModernStdio, M3_IdsAreNeverUsedTwice) {
  open(modern(R"(
seen = set()
def call(m):
    if m["id"] in seen: note("twice")
    seen.add(m["id"])
    result(m, **text("fine"))
serve(call)
)",
              64));
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (int i = 0; i < 500; ++i) jobs.push_back(start("h" + std::to_string(i)));
  for (const auto& job : jobs) EXPECT_EQ(job->next(), kModernFine);
  EXPECT_EQ(fixture.notes(), Lines{});
}

TEST_F(ModernStdio, M8_ARequestOfAModernServersIsAViolationAndHasNoAnswer) {
  open(modern(R"(
def call(m):
    rpc(id="e", method="elicitation/create", params={"message": "?", "requestedSchema": {}})
    rpc(id="p", method="ping")
    result(m, **text("fine"))
serve(call)
)"));
  const auto job = start_asking("a");
  EXPECT_EQ(job->next(), kModernFine);
  EXPECT_EQ(start("b")->next(), kModernFine);
  EXPECT_EQ(job->unread(), 0U);
  EXPECT_THAT(fixture.sink->text(), HasSubstr("it sends a request"));
}

TEST_F(ModernStdio, M17_AnAbsentTypeIsCompleteAndAnUnknownOneNoResult) {
  open(modern(R"(serve(lambda m: rpc(id=m["id"], result=text("fine"))))"));
  EXPECT_EQ(start("a")->next(), kFine);
  for (const char* type : {"\"weird\"", "7", "null"}) {
    open(modern("null = None\nserve(lambda m: rpc(id=m['id'], result={'resultType': " +
                std::string(type) + "}))"));
    EXPECT_TRUE(start("a")->next().starts_with("fail internal-error")) << type;
  }
}

TEST_F(ModernStdio, M11_ACallIsToldOfWhateverItsServerLogs) {
  open(modern(R"(
serve(lambda m: result(m, **text(m["params"]["_meta"]["io.modelcontextprotocol/logLevel"])))
)"));
  EXPECT_THAT(start("a")->next(), HasSubstr("\"debug\""));
}

// --- 58, 59, 60: rounds of questions -------------------------------------------------------------

constexpr const char* kAsksOnce = R"(
def call(m):
    p = m["params"]
    note(json.dumps({"id": m["id"], **{k: p[k] for k in ("inputResponses", "requestState") if k in p}}))
    if "inputResponses" not in p:
        asks(m, STATE, who=form("Who?"), model={"method": "sampling/createMessage",
             "params": {"messages": [{"role": "user", "content": {"type": "text", "text": "Hm?"}}], "maxTokens": 5}},
             folders={"method": "roots/list"})
    else: result(m, **text("fine"))
serve(call)
)";

TEST_F(ModernStdio, M58_QuestionsEndTheWorkAndTheNextBeginsWithTheAnswersAndTheSameState) {
  open(modern(std::string(R"(STATE = 'a "b" \u00e9 ' + "x" * 3)") + kAsksOnce));
  const auto job = start_asking("a");
  const std::string who = job->next();
  EXPECT_THAT(who, ::testing::StartsWith(
                       R"(ask who form Who? schema={"type": "object", "properties": {}} state=)"));
  EXPECT_THAT(job->next(), ::testing::StartsWith("ask model sampling Hm? schema={\"messages\""));
  EXPECT_THAT(job->next(), ::testing::StartsWith("ask folders roots "));
  engine::JobInput input;
  input.handle = "b";
  input.tool = "echo";
  input.arguments = "{}";
  input.answerable = 0x1F;
  input.state = who.substr(who.find(" state=") + 7);
  const auto answer = [&input](std::string key, tasks::AnswerAction action, std::string value) {
    tasks::Answer given;
    given.key = std::move(key);
    given.action = action;
    given.value = std::move(value);
    input.answers.push_back(std::move(given));
  };
  answer("who", tasks::AnswerAction::accept, R"({"name":"Ann"})");
  answer("model", tasks::AnswerAction::accept, R"({"role":"assistant","content":{},"model":"m"})");
  answer("folders", tasks::AnswerAction::accept, R"({"roots":[]})");
  EXPECT_EQ(start(std::move(input))->next(), kModernFine);
  EXPECT_EQ(
      fixture.notes(),
      (Lines{
          R"({"id": 2})",
          R"({"id": 3, "inputResponses": {"who": {"action": "accept", "content": {"name": "Ann"}}, )"
          R"("model": {"role": "assistant", "content": {}, "model": "m"}, "folders": {"roots": []}}, )"
          R"("requestState": "a \"b\" \u00e9 xxx"})"}));
}

TEST_F(ModernStdio, M58_WithoutAStateNoneIsSentAndADeclineIsAnAnswer) {
  open(modern(R"(
def call(m):
    p = m["params"]
    if "inputResponses" not in p: asks(m, who=form("Who?"))
    else: result(m, **text(json.dumps([p["inputResponses"], "requestState" in p])))
serve(call)
)"));
  const std::string asked = start_asking("a")->next();
  engine::JobInput input;
  input.handle = "b";
  input.tool = "echo";
  input.arguments = "{}";
  input.state = asked.substr(asked.find(" state=") + 7);
  tasks::Answer no;
  no.key = "who";
  no.action = tasks::AnswerAction::decline;
  input.answers.push_back(no);
  EXPECT_THAT(start(std::move(input))->next(),
              HasSubstr(R"([{\"who\": {\"action\": \"decline\"}}, false])"));
}

TEST_F(ModernStdio, M58_SamplingThatIsNotGrantedIsNotRetried) {
  open(modern(std::string("STATE = 's'") + kAsksOnce));
  const std::string asked = start_asking("a")->next();
  engine::JobInput input;
  input.handle = "b";
  input.tool = "echo";
  input.arguments = "{}";
  input.state = asked.substr(asked.find(" state=") + 7);
  tasks::Answer no;
  no.key = "model";
  no.action = tasks::AnswerAction::decline;
  input.answers.push_back(no);
  EXPECT_THAT(start(std::move(input))->next(), HasSubstr("not-granted"));
  EXPECT_EQ(fixture.notes().size(), 1U);
}

TEST_F(ModernStdio, M59_AStateAloneIsEchoedInACallOfItsOwnAndInNoOther) {
  open(modern(R"(
def call(m):
    p = m["params"]
    note(p.get("requestState", "-"))
    if p["name"] == "other": result(m, **text("fine"))
    elif "requestState" not in p: asks(m, "one")
    elif p["requestState"] == "one": asks(m, "two")
    else: result(m, **text("fine"))
serve(call)
)"));
  EXPECT_EQ(start("a")->next(), kModernFine);
  EXPECT_EQ(start("b", "other")->next(), kModernFine);
  EXPECT_EQ(fixture.notes(), (Lines{"-", "one", "two", "-"}));
}

TEST_F(ModernStdio, M60_RoundsAreBounded) {
  open(modern(R"(
def call(m):
    note("round")
    asks(m, "again")
serve(call)
)"));
  EXPECT_THAT(start("a")->next(), HasSubstr("asks more often"));
  EXPECT_EQ(fixture.notes().size(), 11U) << "the call, and ten rounds";
}

TEST_F(ModernStdio, M58_ResultsThatAskNothingOrNonsenseFail) {
  for (const char* members :
       {"{}", R"({"inputRequests": 7})", R"({"inputRequests": {"a": {"method": "tools/call"}}})",
        R"({"inputRequests": {"a": {"method": "elicitation/create"}}})",
        R"({"requestState": 7})"}) {
    open(modern("serve(lambda m: rpc(id=m['id'], result={'resultType': 'input_required', **" +
                std::string(members) + "}))"));
    EXPECT_TRUE(start_asking("a")->next().starts_with("fail internal-error")) << members;
  }
}

// --- 106: tasks of the server's ------------------------------------------------------------------

TEST_F(ModernStdio, M106_ATaskIsRememberedFirstAndThenFollowedToItsResult) {
  open(modern(R"(
polls = []
def get(m):
    note(m["params"]["taskId"] + " " + json.dumps("io.modelcontextprotocol/tasks" in
         m["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]["extensions"]))
    polls.append(m)
    if len(polls) == 1: result(m, **task("working", statusMessage="half way"))
    else: result(m, **task("completed", result={"content": [], "isError": True}))
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}), tasks_get=get)
)"));
  const auto job = start("a");
  EXPECT_EQ(job->next(), R"(remember {"task":"t-1"})");
  EXPECT_EQ(job->next(), "progress message=half way");
  EXPECT_EQ(job->next(), R"(complete {"content": [], "isError": true})");
  EXPECT_EQ(fixture.notes(), (Lines{"t-1 true", "t-1 true"}));
}

TEST_F(ModernStdio, M106_ARememberedTaskIsFollowedOnAndTheToolNotCalledAgain) {
  open(modern(R"(
def call(m):
    note("called")
serve(call, tasks_get=lambda m: result(m, **task("completed", id=m["params"]["taskId"], result=text("fine"))))
)"));
  EXPECT_TRUE(runtime->features().resumable);
  engine::JobInput input;
  input.handle = "a";
  input.tool = "echo";
  input.memory = R"({"task":"t-9"})";
  EXPECT_EQ(start(std::move(input))->next(), kFine);
  EXPECT_EQ(fixture.notes(), Lines{});
}

TEST_F(ModernStdio, M106_FailedIsTheErrorOfItsExecutionAndAnUnknownTaskOneToo) {
  open(modern(R"(
def call(m): rpc(id=m["id"], result={"resultType": "task", **task("working", id=m["params"]["name"])})
def get(m):
    if m["params"]["taskId"] == "fails": result(m, **task("failed", error={"code": -32603, "message": "burnt"}))
    elif m["params"]["taskId"] == "cancelled": result(m, **task("cancelled"))
    elif m["params"]["taskId"] == "strange": result(m, **task("resting"))
    else: error(m, -32602, "no such task")
serve(call, tasks_get=get)
)"));
  const auto end = [this](const std::string& tool) {
    const auto job = start(tool, tool);
    (void)job->next();
    return job->next();
  };
  EXPECT_EQ(end("fails"), "fail mcp:-32603: burnt");
  EXPECT_EQ(end("gone"), "fail mcp:-32602: no such task");
  EXPECT_EQ(end("cancelled"), "cancelled");
  EXPECT_TRUE(end("strange").starts_with("fail internal-error"));
}

constexpr const char* kAskingTask = R"(
given = {}
def call(m): rpc(id=m["id"], result={"resultType": "task", **task("working")})
def get(m):
    left = {k: form(k + "?") for k in ("a", "b") if k not in given}
    if left: result(m, **task("input_required", inputRequests=left))
    else: result(m, **task("completed", result=text("fine")))
def update(m):
    note(json.dumps(m["params"]["inputResponses"]))
    given.update(m["params"]["inputResponses"])
    result(m)
serve(call, tasks_get=get, tasks_update=update, tasks_cancel=lambda m: (note("cancel"), result(m)))
)";

TEST_F(ModernStdio, M106_EachQuestionOfATaskIsAskedOnceAndAnsweredOnce) {
  open(modern(kAskingTask));
  const auto job = start_asking("x");
  (void)job->next();  // remember
  EXPECT_THAT(job->next(), ::testing::StartsWith("ask a form a?"));
  EXPECT_THAT(job->next(), ::testing::StartsWith("ask b form b?"));
  job->answer("b", tasks::AnswerAction::accept, "{}");
  job->answer("b", tasks::AnswerAction::accept, "{}");
  job->answer("a", tasks::AnswerAction::decline, "");
  EXPECT_EQ(job->next(), kFine);
  std::string all;
  for (const std::string& line : fixture.notes()) all += line;
  EXPECT_EQ(all.find(R"("b")"), all.rfind(R"("b")")) << all;
  EXPECT_EQ(job->unread(), 0U);
}

TEST_F(ModernStdio, M106_QuestionsThatEarlierWorkAskedAreNotAskedAgain) {
  open(modern(kAskingTask));
  engine::JobInput input;
  input.handle = "a";
  input.tool = "echo";
  input.memory = R"({"task":"t-1"})";
  input.open_questions = {"a"};
  const auto job = start(std::move(input));
  EXPECT_THAT(job->next(), ::testing::StartsWith("ask b form b?"));
  job->answer("a", tasks::AnswerAction::accept, "{}");
  job->answer("b", tasks::AnswerAction::accept, "{}");
  EXPECT_EQ(job->next(), kFine);
}

TEST_F(ModernStdio, M106_ACancelledTaskIsCancelledThereAndEndsAsItEndsThere) {
  open(modern(R"(
stopped = []
def get(m):
    if stopped: result(m, **task("cancelled"))
    else: result(m, **task("working", statusMessage="at work"))
def cancel(m):
    stopped.append(m)
    note(m["params"]["taskId"])
    result(m)
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}), tasks_get=get, tasks_cancel=cancel,
      notifications_cancelled=lambda m: note("wrong"))
)"));
  const auto job = start("a");
  (void)job->next();
  EXPECT_EQ(job->next(), "progress message=at work");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  EXPECT_EQ(fixture.notes(), Lines{"t-1"});
}

TEST_F(ModernStdio, M106_ACancelThatComesTooLateLeavesTheResult) {
  open(modern(R"(
stopped = []
def get(m):
    if stopped: result(m, **task("completed", result=text("fine")))
    else: result(m, **task("working", statusMessage="at work"))
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}), tasks_get=get,
      tasks_cancel=lambda m: (stopped.append(m), result(m)))
)"));
  const auto job = start("a");
  (void)job->next();
  (void)job->next();
  job->cancel();
  EXPECT_EQ(job->next(), kFine);
}

TEST_F(ModernStdio, M106_AServerThatIgnoresTheCancelIsNotWaitedForForEver) {
  auto configuration = modern(R"(
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}),
      tasks_get=lambda m: result(m, **task("working", statusMessage="at work")), tasks_cancel=lambda m: result(m))
)");
  configuration.process.cancel_grace = milliseconds(20);
  open(configuration);
  const auto job = start("a");
  (void)job->next();
  (void)job->next();
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
}

TEST_F(ModernStdio, M106_ATaskThatNobodyWaitsForIsCancelledThere) {
  fixture.make_gate("cancelled");
  open(modern(R"(
def cancel(m):
    gate("cancelled")
    note("cancelled")
    result(m)
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}) if m["params"]["name"] == "echo"
                else result(m, **text("fine")),
      tasks_get=lambda m: result(m, **task("working", statusMessage="at work")), tasks_cancel=cancel)
)"));
  const auto job = start("a");
  (void)job->next();
  (void)job->next();
  job->stop();
  fixture.open_gate("cancelled");
  EXPECT_EQ(start("b", "other")->next(), kModernFine);
  EXPECT_EQ(fixture.notes(), Lines{"cancelled"});
  EXPECT_EQ(job->unread(), 0U);
}

TEST_F(ModernStdio, M106_TheLossOfTheProcessIsTheLossOfItsTasks) {
  open(modern(R"(
serve(lambda m: rpc(id=m["id"], result={"resultType": "task", **task("working")}), tasks_get=lambda m: os._exit(1))
)"));
  const auto job = start("a");
  (void)job->next();
  EXPECT_TRUE(job->next().starts_with("fail unavailable retryable"));
}

// --- 30 ------------------------------------------------------------------------------------------

TEST_F(ModernStdio, M30_ACancelledRequestIsTold) {
  open(modern(R"(
def call(m):
    if m["params"]["name"] == "stay": progress(m["params"]["_meta"]["progressToken"], progress=1, total=2)
    else: result(m, **text("fine"))
serve(call, notifications_cancelled=lambda m: note(m["params"]["requestId"]))
)"));
  const auto job = start("a", "stay");
  EXPECT_EQ(job->next(), "progress 50.000000");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  EXPECT_EQ(start("b")->next(), kModernFine);
  EXPECT_EQ(fixture.notes(), Lines{"2"});
}

}  // namespace
}  // namespace interline::runtimes::mcp
