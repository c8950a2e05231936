// product.md, "The exec runtime": calls, against real processes.
#include <set>

#include "runtimes/exec/exec_fixture.hpp"

namespace interline::runtimes::exec {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::FakeJob;

class ExecCalls : public ExecTest {};

using Lines = std::vector<std::string>;

TEST_F(ExecCalls, AProcessLivesLongAndServesManyCalls) {
  open(with(R"(
note("start")
for m in lines():
    send("result", task=m["task"], result={"content": [], "structuredContent": m["arguments"]})
)"));
  EXPECT_FALSE(runtime->available());
  for (const char* handle : {"a", "b", "c"}) {
    const auto job = start(handle, "echo", R"({"n":1})");
    EXPECT_EQ(job->next(), R"(complete {"content": [], "structuredContent": {"n": 1}})");
  }
  EXPECT_TRUE(runtime->available());
  EXPECT_EQ(fixture.notes(), Lines{"start"});
}

TEST_F(ExecCalls, ListIsAnsweredWithTools) {
  open(with(R"(
for m in lines():
    note(m)
    send("tools", tools=[{"name": "a"}, {"name": "b"}])
)"));
  const auto tools = fixture.run(runtime->list_tools());
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->definitions, (Lines{R"({"name": "a"})", R"({"name": "b"})"}));
  EXPECT_EQ(fixture.notes(), Lines{"{'type': 'list'}"});
}

TEST_F(ExecCalls, ManyWhoAskForTheListGetIt) {
  open(with(R"(
for m in lines():
    send("tools", tools=[])
)"));
  std::vector<std::future<Result<engine::ImportedTools>>> asked;
  for (int i = 0; i < 8; ++i) {
    asked.push_back(
        boost::asio::co_spawn(fixture.executor(), runtime->list_tools(), boost::asio::use_future));
  }
  for (auto& one : asked) EXPECT_TRUE(one.get());
}

TEST_F(ExecCalls, AListThatIsNotUnderstoodIsAnError) {
  open(with(R"(
for m in lines():
    send("tools", tools="none")
)"));
  const auto tools = fixture.run(runtime->list_tools());
  ASSERT_FALSE(tools);
  EXPECT_NE(tools.error().message.find("\"tools\" is an array"), std::string::npos);
}

TEST_F(ExecCalls, EveryReportReachesTheJobInOrder) {
  open(with(R"(
for m in lines():
    t = m["task"]
    send("progress", task=t, percent=50, stage="s", message="half")
    send("log", task=t, level="notice", data={"k": [1]})
    send("output", task=t, artifact="A", parts=[{"text": "x"}], append=True, last=True)
    send("error", task=t, code="no-city", message="No such city.", retryable=True)
)"));
  const auto job = start("H");
  EXPECT_EQ(job->next(), "progress 50.000000 stage=s message=half");
  EXPECT_EQ(job->next(), R"(log notice {"k": [1]})");
  EXPECT_EQ(job->next(), R"(output A [{"text": "x"}] append last)");
  EXPECT_EQ(job->next(), "fail no-city retryable: No such city.");
}

TEST_F(ExecCalls, TextIsShortForAResult) {
  open(with(R"(
for m in lines(): send("result", task=m["task"], text="hello")
)"));
  EXPECT_EQ(start("H")->next(), R"(complete {"content":[{"type":"text","text":"hello"}]})");
}

TEST_F(ExecCalls, SeveralOpenAsksAreSeveralQuestionsAndAnswersComeOneByOne) {
  open(with(R"(
for m in lines():
    if m["type"] == "call":
        send("ask", task=m["task"], id="one", question="1?", schema={"type": "object"}, expiresIn=60)
        send("ask", task=m["task"], question="2?", kind="url", url="https://a.example/")
        send("ask", task=m["task"], question="3?", kind="credential")
    else:
        note(json.dumps(m))
        if m["requestId"] == "ask-2": send("result", task=m["task"], text="done")
)"));
  const auto job = start("H");
  EXPECT_EQ(job->next(), R"(ask one form 1? schema={"type": "object"} expires=60000000000ns)");
  EXPECT_EQ(job->next(), "ask ask-1 url 2? url=https://a.example/");
  EXPECT_EQ(job->next(), "ask ask-2 credential 3?");
  job->answer("one", tasks::AnswerAction::accept, R"({"x":1})");
  job->answer("ask-1", tasks::AnswerAction::decline, "");
  job->answer("ask-2", tasks::AnswerAction::cancel, "");
  EXPECT_EQ(job->next(), R"(complete {"content":[{"type":"text","text":"done"}]})");
  EXPECT_EQ(fixture.notes(),
            (Lines{R"({"type": "input", "task": "H", "requestId": "one", "value": {"x": 1}})",
                   R"({"type": "input", "task": "H", "requestId": "ask-1", "action": "decline"})",
                   R"({"type": "input", "task": "H", "requestId": "ask-2", "action": "cancel"})"}));
}

TEST_F(ExecCalls, AnAskWithStateEndsTheCallHereAndItComesAgainInAnyProcess) {
  auto configuration = with(R"(
note("start")
for m in lines():
    if "state" not in m:
        send("ask", task=m["task"], id="n", question="Name?", state={"step": 1})
        continue
    note(json.dumps([m["state"], m["answers"]]))
    send("result", task=m["task"], text="hello")
)");
  auto other = configuration;
  open(std::move(configuration));
  EXPECT_EQ(start("first")->next(), R"(ask n form Name? state={"step": 1})");
  open(std::move(other));
  engine::JobInput input;
  input.handle = "second";
  input.tool = "work";
  input.arguments = "{}";
  input.state = R"({"step": 1})";
  tasks::Answer answer;
  answer.key = "n";
  answer.value = R"({"name":"Ann"})";
  input.answers.push_back(answer);
  const auto again = std::make_shared<FakeJob>(input);
  runtime->start(again);
  EXPECT_EQ(again->next(), R"(complete {"content":[{"type":"text","text":"hello"}]})");
  EXPECT_EQ(fixture.notes(),
            (Lines{"start", "start",
                   R"([{"step": 1}, [{"requestId": "n", "value": {"name": "Ann"}}]])"}));
}

TEST_F(ExecCalls, ARefusedQuestionIsAnsweredAsCancelled) {
  open(with(R"(
for m in lines():
    if m["type"] == "call":
        gate("asking")
        send("ask", task=m["task"], id="q", question="?")
    else:
        send("result", task=m["task"], text=json.dumps(m))
)"));
  fixture.make_gate("asking");
  const auto job = start("H");
  job->refuse_questions();
  fixture.open_gate("asking");
  EXPECT_NE(job->next().find(R"(\"action\": \"cancel\", \"reason\": \"no questions here\")"),
            std::string::npos);
}

TEST_F(ExecCalls, ARefusedQuestionWithStateFailsTheCall) {
  open(with(R"(
for m in lines():
    gate("asking")
    send("ask", task=m["task"], id="q", question="?", state=1)
)"));
  fixture.make_gate("asking");
  const auto job = start("H");
  job->refuse_questions();
  fixture.open_gate("asking");
  EXPECT_EQ(job->next(), "fail internal-error: The agent's question is refused: no questions here");
}

TEST_F(ExecCalls, AQuestionWithStateThatComesWhileTheTaskIsCancelledCancelsIt) {
  open(with(R"(
for m in lines():
    gate("asking")
    send("ask", task=m["task"], id="q", question="?", state=1)
)"));
  fixture.make_gate("asking");
  const auto job = start("H");
  job->refuse_questions(ErrorKind::conflict);
  fixture.open_gate("asking");
  EXPECT_EQ(job->next(), "cancelled");
}

TEST_F(ExecCalls, ACancelIsToldAndConfirmed) {
  open(with(R"(
for m in lines():
    if m["type"] == "call": send("progress", task=m["task"], message="on it")
    if m["type"] == "cancel": send("cancelled", task=m["task"])
)"));
  const auto job = start("H");
  EXPECT_EQ(job->next(), "progress message=on it");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
}

TEST_F(ExecCalls, AResultThatCrossesACancelWins) {
  open(with(R"(
for m in lines():
    if m["type"] == "cancel": send("result", task=m["task"], text="too late to cancel")
    else: send("progress", task=m["task"], message="on it")
)"));
  const auto job = start("H");
  (void)job->next();
  job->cancel();
  EXPECT_EQ(job->next(), R"(complete {"content":[{"type":"text","text":"too late to cancel"}]})");
}

TEST_F(ExecCalls, ConcurrencyIsOneUnlessItIsSaid) {
  fixture.make_gate("go");
  open(with(R"(
for m in lines():
    note("begin " + m["task"])
    gate("go")
    note("end " + m["task"])
    send("result", task=m["task"], text="")
)",
            1));
  const auto a = start("a");
  const auto b = start("b");
  fixture.open_gate("go");
  (void)a->next();
  fixture.open_gate("go");
  (void)b->next();
  EXPECT_EQ(fixture.notes(), (Lines{"begin a", "end a", "begin b", "end b"}));
}

TEST_F(ExecCalls, ConcurrencyCountsOverAllProcesses) {
  auto configuration = with(R"(
for m in lines(): send("progress", task=m["task"], message=str(os.getpid()))
)",
                            3);
  configuration.processes = 2;  // two calls each would be four
  open(configuration);
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (const char* handle : {"a", "b", "c", "d"}) jobs.push_back(start(handle));
  std::vector<std::string> reports;
  for (int i = 0; i < 3; ++i) reports.push_back(jobs[static_cast<std::size_t>(i)]->next());
  EXPECT_EQ(jobs[3]->unread(), 0U);
  jobs[3]->cancel();
  EXPECT_EQ(jobs[3]->next(), "cancelled") << "it waits, and never reaches a process";
  EXPECT_EQ(std::set<std::string>(reports.begin(), reports.end()).size(), 2U) << "two processes";
}

TEST_F(ExecCalls, ACallThatWaitsAndSettlesNeverReachesAProcess) {
  fixture.make_gate("go");
  open(with(R"(
for m in lines():
    note(m["task"])
    send("progress", task=m["task"], message="on it")
    gate("go")
    send("result", task=m["task"], text="")
)"));
  const auto a = start("a");
  (void)a->next();
  const auto stopped = start("stopped");
  const auto cancelled = start("cancelled");
  const auto last = start("last");
  cancelled->cancel();
  EXPECT_EQ(cancelled->next(), "cancelled");
  stopped->stop();
  fixture.open_gate("go");
  fixture.open_gate("go");
  (void)last->next();
  EXPECT_EQ(stopped->unread(), 0U);
  EXPECT_EQ(fixture.notes(), (Lines{"a", "last"}));
}

TEST_F(ExecCalls, LinesThatAreNotOfThisProtocolAreDroppedAndNoted) {
  open(with(R"(
for m in lines():
    t = m["task"]
    write("starting up...\n\n[1]\n{\"type\":\"wave\",\"task\":\"" + t + "x\"}\n")
    send("result", task="somebody-else", text="")
    send("progress", task=t, percent="half")
    write("\xff\n".encode("utf-8", "replace").decode())
    send("result", task=t, text="fine")
    send("result", task=t, text="twice")
)"));
  const auto job = start("H");
  EXPECT_EQ(job->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
  EXPECT_EQ(start("I")->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
  EXPECT_EQ(job->unread(), 0U) << "the second result is nobody's";
  EXPECT_NE(fixture.sink->text().find("a line was not understood"), std::string::npos);
  EXPECT_EQ(fixture.sink->text().find("starting up"), std::string::npos) << "no payloads";
}

TEST_F(ExecCalls, WarningsAboutATalkativeProcessAreBounded) {
  open(with(R"(
for m in lines():
    for i in range(5000): write("noise\n")
    send("result", task=m["task"], text="")
)"));
  (void)start("H")->next();
  EXPECT_LT(fixture.sink->entries().size(), 2'000U);
}

TEST_F(ExecCalls, AnEndThatIsNotUnderstoodFailsItsCallAlone) {
  open(with(R"(
kept = []
for m in lines():
    kept.append(m["task"])
    if len(kept) < 4: continue
    send("result", task=kept[0], result="no object")
    write('{"type":"result","task":"' + kept[1] + '","text":"\\ud800"}\n')
    write('{"type":"output","task":"' + kept[2] + '","artifact":5}\n')
    send("result", task=kept[3], text="fine")
)",
            4));
  std::vector<std::shared_ptr<FakeJob>> jobs;
  for (const char* handle : {"a", "b", "c", "d"}) jobs.push_back(start(handle));
  EXPECT_NE(jobs[0]->next().find("fail internal-error: A line of the agent is refused"),
            std::string::npos);
  EXPECT_NE(jobs[1]->next().find("surrogate"), std::string::npos);
  EXPECT_NE(jobs[2]->next().find("output names its artifact"), std::string::npos);
  EXPECT_EQ(jobs[3]->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
}

TEST_F(ExecCalls, ALineBeyondTheLimitFailsItsCallAlone) {
  auto configuration = with(R"(
kept = []
for m in lines():
    kept.append(m["task"])
    if len(kept) < 2: continue
    send("result", task=kept[0], text="x" * 3000000)
    send("result", task=kept[1], text="fine")
)",
                            2);
  configuration.line_limit = 10'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  EXPECT_EQ(a->next(),
            "fail interline:result-too-large: The agent wrote more for this call than the gateway "
            "reads.");
  EXPECT_EQ(b->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
}

TEST_F(ExecCalls, ALineBeyondTheLimitThatNamesNoCallLeavesNobodyWaiting) {
  auto configuration = with(R"(
kept = []
for m in lines():
    kept.append(m["task"])
    if len(kept) < 3: continue
    write(json.dumps({"text": "x" * 30000}) + "\n")
    send("result", task=kept[0], text="fine")
    send("result", task=kept[2], text="fine")
)",
                            3);
  configuration.line_limit = 10'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  const auto c = start("c");
  const std::string fine = R"(complete {"content":[{"type":"text","text":"fine"}]})";
  EXPECT_EQ(a->next(), fine);
  EXPECT_NE(b->next().find("result-too-large"), std::string::npos);  // the others have their ends
  EXPECT_EQ(c->next(), fine);
}

TEST_F(ExecCalls, ALineBeyondTheLimitMayNameItsCallAtItsEnd) {
  auto configuration = with(R"(
kept = []
for m in lines():
    kept.append(m["task"])
    if len(kept) < 2: continue
    write(json.dumps({"text": "x" * 30000, "task": kept[1], "type": "result"}) + "\n")
    send("result", task=kept[0], text="fine")
)",
                            2);
  configuration.line_limit = 10'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  EXPECT_NE(b->next().find("result-too-large"), std::string::npos);
  EXPECT_EQ(a->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
}

TEST_F(ExecCalls, ALineWithoutAnEndFailsItsCallWhileItIsBeingWritten) {
  auto configuration = with(R"(
kept = []
for m in lines():
    if m["type"] == "call": kept.append(m["task"])
    if len(kept) < 2: continue
    write('{"type":"result","task":"%s","text":"' % kept[0] + "x" * 30000)
    for m in lines():
        if m["type"] == "cancel": break
    write('"}\n')
    send("result", task=kept[1], text="fine")
    break
)",
                            2);
  configuration.line_limit = 10'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  EXPECT_NE(a->next().find("result-too-large"), std::string::npos);
  EXPECT_EQ(b->next(), R"(complete {"content":[{"type":"text","text":"fine"}]})");
}

TEST_F(ExecCalls, ALineWithoutAnEndThatNamesNoCallIsThatOfTheOnlyOne) {
  auto configuration = with(R"(
for m in lines():
    write("x" * 30000)
    break
for m in lines(): pass
)");
  configuration.line_limit = 10'000;
  open(configuration);
  const auto a = start("a");
  EXPECT_NE(a->next().find("result-too-large"), std::string::npos);
}

TEST_F(ExecCalls, AProcessWhoseLineNeverEndsIsEndedWithItsCalls) {
  auto configuration = with(R"(
kept = []
for m in lines():
    kept.append(m)
    if len(kept) < 2: continue
    while True: write("x" * 1000)
)",
                            2);
  configuration.line_limit = 10'000;
  configuration.output_limit = 100'000;
  open(configuration);
  const auto a = start("a");
  const auto b = start("b");
  EXPECT_TRUE(a->next().starts_with("fail unavailable"));
  EXPECT_TRUE(b->next().starts_with("fail unavailable"));
}

TEST_F(ExecCalls, TheOutputOfACallIsBoundedInAll) {
  auto configuration = with(R"(
for m in lines():
    if m["type"] != "call": continue
    for i in range(100): send("output", task=m["task"], artifact="A", parts=["x" * 900], append=True)
    send("progress", task="other", message="")
)");
  configuration.output_limit = 10'000;
  open(configuration);
  const auto job = start("H");
  int outputs = 0;
  std::string report = job->next();
  for (; report.starts_with("output"); report = job->next()) ++outputs;
  EXPECT_EQ(outputs, 10);
  EXPECT_TRUE(report.starts_with("fail interline:result-too-large")) << report;
}

TEST_F(ExecCalls, AProcessNeverGetsAheadOfTheDisk) {
  open(with(R"(
for m in lines():
    send("progress", task=m["task"], message="first")
    send("result", task=m["task"], text="")
)"));
  const auto job = fixture.job("H");
  job->hold();
  runtime->start(job);
  EXPECT_EQ(job->next(), "progress message=first");
  EXPECT_EQ(job->unread(), 0U) << "nothing is read on until the engine is ready";
  job->release();
  EXPECT_TRUE(job->next().starts_with("complete"));
}

}  // namespace
}  // namespace interline::runtimes::exec
