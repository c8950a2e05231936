// MCP 2026-07-28 over HTTP, the client's side. The numbers are those of the checklist of MUSTs in
// README.md.
#include <atomic>
#include <future>

#include <boost/asio/this_coro.hpp>

#include <gmock/gmock.h>

#include "net/event.hpp"
#include "runtimes/mcp/http_test_support.hpp"

namespace interline::runtimes::mcp {
namespace {

using net::awaitable;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Seen;
using ::testing::StartsWith;
using testing::Stub;

constexpr const char* kFine = R"(complete {"content":[]})";

class ModernHttp : public testing::HttpMcpTest {
 protected:
  std::unique_ptr<Stub> stub_ = std::make_unique<Stub>(fixture.executor());
  Stub& stub = *stub_;
};

TEST_F(ModernHttp, M35_M42_M44_EachMessageIsAPostWithTheHeadersOfItsBody) {
  stub.be_modern();
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    for (const char* name : {"Content-Type", "Accept", "MCP-Protocol-Version", "Mcp-Method",
                             "Mcp-Name", "Mcp-Session-Id", "Authorization"}) {
      stub.note(std::string(name) + ": " + seen.header(name));
    }
    EXPECT_THAT(seen.param("_meta"),
                HasSubstr(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")"));
    EXPECT_THAT(seen.param("_meta"), HasSubstr(R"("interline/requestId":"key-a")"));
    co_await Stub::fine(seen);
  });
  open(stub.url());
  EXPECT_EQ(start("a", "", "{}", "caf\xC3\xA9")->next(), kFine);
  EXPECT_EQ(stub.notes(),
            (Lines{"Content-Type: application/json", "Accept: application/json, text/event-stream",
                   "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call",
                   "Mcp-Name: =?base64?Y2Fmw6k=?=", "Mcp-Session-Id: -", "Authorization: -"}));
  EXPECT_EQ(list()->mcp_protocol_version, "2026-07-28");
}

TEST_F(ModernHttp, M36_JsonUnderAnotherTypeIsNoAnswer) {
  stub.be_modern();
  stub.on("tools/call", [](Seen seen) -> awaitable<void> {
    testing::http::Response response(
        200, "text/html; charset=utf-8",
        R"({"jsonrpc":"2.0","id":)" + seen.id() + R"(,"result":{"content":[]}})");
    co_await seen.responder.send(std::move(response));
  });
  open(stub.url());
  EXPECT_THAT(start("a")->next(), HasSubstr("neither JSON nor an event stream"));
}

TEST_F(ModernHttp, M36_BothSortsOfAnswerAndWhateverAStreamMayHold) {
  stub.be_modern();
  stub.on("tools/call", [](Seen seen) -> awaitable<void> {
    co_await seen.begin_stream();
    const std::string token = seen.id();
    std::string text =
        ": keep-alive\r\n\r\nid: 7\nretry: 5\nevent: message\r\ndata: "
        "{\"jsonrpc\":\"2.0\",\r\ndata:"
        " \"method\":\"notifications/progress\",\"params\":{\"progressToken\":" +
        token +
        ",\"progress\":1,\"total\":2,\"message\":\"\xC3\xA9\"}}\r\n\r\n"
        "event: other\ndata: nonsense\n\n"
        "data: "
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
        "message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n"
        "data: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}\n\n"
        "data: {\"jsonrpc\":\"2.0\",\"id\":" +
        token + ",\"result\":{\"content\":[]}}\n\n";
    for (const char byte : text) {  // wherever the pieces end
      std::string piece(1, byte);
      co_await seen.responder.write(piece);
    }
    co_await seen.responder.end();
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), "progress 50.000000 message=\xC3\xA9");
  EXPECT_EQ(job->next(), "log info 1");
  EXPECT_EQ(job->next(), kFine);
}

TEST_F(ModernHttp, M8_ARequestInAStreamHasNoAnswer) {
  stub.be_modern();
  stub.on("answer", [this](Seen seen) -> awaitable<void> {
    stub.note("answered");
    co_await seen.status(202);
  });
  stub.on("tools/call", [](Seen seen) -> awaitable<void> {
    co_await seen.begin_stream();
    std::string asks =
        R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}})";
    co_await seen.event(std::move(asks));
    std::string answer = R"({"jsonrpc":"2.0","id":)" + seen.id() + R"(,"result":{"content":[]}})";
    co_await seen.event(std::move(answer));
    co_await seen.responder.end();
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(start("b")->next(), kFine);
  EXPECT_EQ(stub.notes(), Lines{});
}

TEST_F(ModernHttp, M41_ABrokenStreamIsALostCallAndIsNotMadeAgain) {
  stub.be_modern();
  std::atomic<int> calls = 0;
  stub.on("tools/call", [&calls](Seen seen) -> awaitable<void> {
    ++calls;
    EXPECT_EQ(seen.header("Last-Event-ID"), "-");
    co_await seen.begin_stream();
    std::string text = R"({"jsonrpc":"2.0","method":"notifications/unheard","params":{}})";
    co_await seen.event(std::move(text));
  });
  open(stub.url());
  EXPECT_THAT(start("a")->next(), StartsWith("fail unavailable retryable"));
  EXPECT_EQ(calls, 1);
}

TEST_F(ModernHttp, M41_AServerThatKnowsCallsAgainIsCalledAgain) {
  stub.be_modern(R"({"tools":{},"extensions":{"interline/requestId":{}}})");
  std::atomic<int> calls = 0;
  stub.on("tools/call", [&calls](Seen seen) -> awaitable<void> {
    EXPECT_THAT(seen.param("_meta"), HasSubstr(R"("interline/requestId":"key-a")"));
    if (++calls < 3) {
      co_await seen.begin_stream();
    } else {
      co_await Stub::fine(seen);
    }
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), R"(remember {"sent":true})");
  EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(calls, 3);
}

TEST_F(ModernHttp, M39_ACancelledCallIsTheEndOfItsConnection) {
  stub.be_modern();
  const auto gone = std::make_shared<std::promise<void>>();
  stub.on("tools/call", [gone](Seen seen) -> awaitable<void> {
    co_await seen.begin_stream();
    std::string text =
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
        seen.id() + R"(,"progress":1,"total":2}})";
    co_await seen.event(std::move(text));
    const auto executor = co_await boost::asio::this_coro::executor;
    net::Event end(executor);
    seen.responder.on_disconnect([&end] { end.notify_all(); });
    while (!seen.responder.disconnected()) co_await end.wait();
    gone->set_value();
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), "progress 50.000000");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  EXPECT_EQ(gone->get_future().wait_for(std::chrono::seconds(120)), std::future_status::ready);
}

/// Neither ends nor says anything until the client has gone.
awaitable<void> be_silent(Seen seen) {
  const auto executor = co_await boost::asio::this_coro::executor;
  net::Event end(executor);
  seen.responder.on_disconnect([&end] { end.notify_all(); });
  while (!seen.responder.disconnected()) co_await end.wait();
}

class SilentHttp : public ModernHttp {
 protected:
  void configure(McpConfiguration& configuration) override {
    configuration.http->limits.silence = std::chrono::milliseconds(50);
  }
};

constexpr const char* kGone = "Nothing has come from the MCP server for 50 ms";

TEST_F(SilentHttp, ACallOfAServerThatAnswersNothingFails) {
  stub.be_modern();
  stub.on("tools/call", be_silent);
  open(stub.url());
  EXPECT_THAT(start("a")->next(), AllOf(StartsWith("fail unavailable"), HasSubstr(kGone)));
}

TEST_F(SilentHttp, ACallWhoseStreamFallsSilentFails) {
  stub.be_modern();
  stub.on("tools/call", [](Seen seen) -> awaitable<void> {
    co_await seen.begin_stream();
    std::string text = R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
                       R"({"progress":1,"total":2,"progressToken":)" +
                       seen.id() + "}}";
    co_await seen.event(std::move(text));
    co_await be_silent(seen);
  });
  open(stub.url());
  const auto job = start("a");
  std::string last = job->next();
  if (last == "progress 50.000000") last = job->next();  // a busy machine may not come so far
  EXPECT_THAT(last, AllOf(StartsWith("fail unavailable"), HasSubstr(kGone)));
}

/// Nothing that a server said is given to anybody else, or a second time: however long it may be
/// kept, it is not.
TEST_F(ModernHttp, M73_NoAnswerIsKeptForAnother) {
  stub.be_modern(R"({"tools":{},"resources":{}})");
  std::atomic<int> reads = 0;
  stub.on("resources/read", [&reads](Seen seen) -> awaitable<void> {
    std::string result = R"({"resultType":"complete","contents":[{"uri":"x:1","text":")" +
                         std::to_string(++reads) + R"("}],"ttlMs":3600000,"cacheScope":"public"})";
    co_await seen.result(std::move(result));
  });
  open(stub.url());
  ASSERT_TRUE(list());
  for (const char* caller : {"ann", "bob", "ann"}) {
    engine::Consultation asked;
    asked.kind = engine::ConsultationKind::read_resource;
    asked.subject = "x:1";
    asked.caller = caller;
    const auto said = fixture.run(runtime->consult(std::move(asked), nullptr));
    ASSERT_TRUE(said);
    EXPECT_THAT(said->result, HasSubstr(R"("text":")" + std::to_string(reads) + '"'));
  }
  EXPECT_EQ(reads, 3);
}

constexpr const char* kMirrored =
    R"([{"name":"echo","inputSchema":{"type":"object","properties":{)"
    R"("region":{"type":"string","x-mcp-header":"Region"},)"
    R"("deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}},)"
    R"({"name":"bad","inputSchema":{"type":"object","properties":{)"
    R"("x":{"type":"number","x-mcp-header":"X"}}}},)"
    R"({"name":"good","inputSchema":{"type":"object"}}])";

TEST_F(ModernHttp, M47_AnnotatedArgumentsAreMirroredAndToolsWithWrongOnesLeftOut) {
  stub.be_modern(R"({"tools":{}})", kMirrored);
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    stub.note(seen.header("Mcp-Param-Region") + " " + seen.header("Mcp-Param-N"));
    co_await Stub::fine(seen);
  });
  open(stub.url());
  EXPECT_EQ(start("a", "", R"({"deep":{"n":42},"region":" eu "})")->next(), kFine)
      << "before anybody has listed them";
  EXPECT_EQ(start("b", "", R"({"region":null})")->next(), kFine);
  EXPECT_EQ(stub.notes(), (Lines{"=?base64?IGV1IA==?= 42", "- -"}));
  const auto tools = list();
  ASSERT_TRUE(tools);
  EXPECT_EQ(tools->definitions.size(), 2U);
  ASSERT_EQ(tools->losses.size(), 1U);
  EXPECT_EQ(tools->losses[0].tool, "bad");
  EXPECT_THAT(fixture.sink->text(), HasSubstr("a tool of an MCP server is left out"));
  EXPECT_THAT(fixture.sink->text(), HasSubstr(tools->losses[0].loss));
}

TEST_F(ModernHttp, M47_AHeaderMismatchIsListedAnewAndTriedOnce) {
  stub.be_modern();
  std::atomic<int> calls = 0;
  std::atomic<int> lists = 0;
  stub.on("tools/list", [&lists](Seen seen) -> awaitable<void> {
    std::string result = std::string(R"({"resultType":"complete","tools":)") +
                         (++lists == 1 ? "[]" : kMirrored) + "}";
    co_await seen.result(std::move(result));
  });
  stub.on("tools/call", [&calls](Seen seen) -> awaitable<void> {
    ++calls;
    if (seen.header("Mcp-Param-Region") == "-") {
      co_await seen.error(-32020, 400);
    } else {
      co_await Stub::fine(seen);
    }
  });
  open(stub.url());
  EXPECT_EQ(start("a", "", R"({"region":"eu"})")->next(), kFine);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(start("b", "", "{}")->next(), "fail mcp:-32020: no");
  EXPECT_EQ(calls, 4);
}

TEST_F(ModernHttp, M106_TasksAreFollowedByTheirNameAndThroughLostConnections) {
  stub.be_modern();
  stub.on("tools/call", [](Seen seen) -> awaitable<void> {
    std::string task =
        R"({"resultType":"task","taskId":"t-1","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":1})";
    co_await seen.result(std::move(task));
  });
  std::atomic<int> polls = 0;
  stub.on("tasks/get", [&polls, this](Seen seen) -> awaitable<void> {
    stub.note(seen.header("Mcp-Method") + " " + seen.header("Mcp-Name"));
    if (++polls < 9) co_return;  // no answer, and the connection closed
    std::string task =
        R"({"resultType":"complete","taskId":"t-1","status":"completed","result":{"content":[]}})";
    co_await seen.result(std::move(task));
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), R"(remember {"task":"t-1"})");
  EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(stub.notes().front(), "tasks/get t-1");
  EXPECT_EQ(polls, 9);
}

// --- 26: eras ------------------------------------------------------------------------------------

TEST_F(ModernHttp, M26_WhateverIsNoEvidenceIsAFailedConnectAndAskedAnew) {
  stub.be_modern();
  std::atomic<int> probes = 0;
  stub.on("server/discover", [&probes](Seen seen) -> awaitable<void> {
    if (++probes == 1) co_await seen.status(503);
    if (probes == 2) co_await seen.status(401);
    if (probes > 2) {
      std::string hello =
          R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
      co_await seen.result(std::move(hello));
    }
  });
  stub.on("initialize", [this](Seen seen) -> awaitable<void> {
    stub.note("initialize");
    co_await seen.status(404);
  });
  open(stub.url());
  EXPECT_THAT(start("a")->next(), StartsWith("fail unavailable retryable"));
  EXPECT_THAT(start("b")->next(), StartsWith("fail unavailable retryable"));
  EXPECT_EQ(start("c")->next(), kFine);
  EXPECT_EQ(stub.notes(), Lines{});
}

TEST_F(ModernHttp, M26_ManyFirstCallsOpenTheServerOnce) {
  stub.be_modern();
  std::atomic<int> probes = 0;
  stub.on("server/discover", [&probes](Seen seen) -> awaitable<void> {
    ++probes;
    std::string hello =
        R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
    co_await seen.result(std::move(hello));
  });
  open(stub.url());
  std::vector<std::shared_ptr<testing::FakeJob>> jobs;
  for (int i = 0; i < 40; ++i) jobs.push_back(start("h" + std::to_string(i)));
  for (const auto& job : jobs) EXPECT_EQ(job->next(), kFine);
  EXPECT_EQ(probes, 1);
}

TEST_F(ModernHttp, RedirectsAreNotFollowed) {
  stub.be_modern();
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    testing::http::Response response(307);
    response.fields.add("Location", stub.url() + "/elsewhere");
    co_await seen.responder.send(std::move(response));
  });
  open(stub.url());
  EXPECT_THAT(start("a")->next(), HasSubstr("redirects"));
}

}  // namespace
}  // namespace interline::runtimes::mcp
