// MCP 2025-03-26 to 2025-11-25 over HTTP, the client's side: sessions, streams that are gone on
// with, what a server asks in a call. The numbers are those of the checklist of MUSTs in README.md.
#include <condition_variable>

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

class LegacyHttp : public testing::HttpMcpTest {
 protected:
  void configure(McpConfiguration& configuration) override {
    configuration.http->sessions = sessions;
    configuration.http->retry_first = retry_first;
  }
  void note_calls() {
    stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
      stub.note(seen.header("Mcp-Session-Id") + " " + seen.header("MCP-Protocol-Version") + " " +
                seen.header("Mcp-Method"));
      co_await Stub::fine(seen);
    });
  }
  /// Waits until it is there; what is told of a call may come after its end, or not at all.
  bool wait_for(const std::string& key) {
    std::unique_lock lock(mutex);
    return came.wait_for(lock, std::chrono::seconds(120), [&] { return told.contains(key); });
  }
  void tell(const std::string& key, std::string text) {
    const std::lock_guard lock(mutex);
    told[key] = std::move(text);
    came.notify_all();
  }
  // Servers are told of ends when a test is over already: what their acts use outlives it.
  std::mutex mutex;
  std::condition_variable came;
  std::map<std::string, std::string> told;
  std::atomic<int> calls = 0;
  std::atomic<int> gets = 0;
  std::size_t sessions = 1'000;
  std::chrono::milliseconds retry_first{1};
  std::unique_ptr<Stub> stub_ = std::make_unique<Stub>(fixture.executor());
  Stub& stub = *stub_;
};

TEST_F(LegacyHttp, M26_AServerThatDoesNotKnowTheProbeIsInitialized) {
  for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26"}) {
    stub.be_legacy(false, R"({"tools":{}})", version);
    open(stub.url());
    EXPECT_EQ(start("a")->next(), kFine);
    EXPECT_EQ(list()->mcp_protocol_version, version);
  }
  stub.on("server/discover",
          [](Seen seen) -> awaitable<void> { co_await seen.error(-32000, 200); });
  open(stub.url());
  EXPECT_EQ(start("a")->next(), kFine) << "an error in a 200 is as good";
}

TEST_F(LegacyHttp, SessionsAreOnePerCallerAndWithoutAnyThereIsOne) {
  stub.be_legacy(true);
  note_calls();
  open(stub.url());
  for (const char* caller : {"alice", "bob", "alice", ""}) {
    EXPECT_EQ(start("h", caller)->next(), kFine);
  }
  EXPECT_EQ(stub.notes(),
            (Lines{"s2 2025-11-25 -", "s3 2025-11-25 -", "s2 2025-11-25 -", "s1 2025-11-25 -"}));
  stub.be_legacy(false);
  note_calls();
  open(stub.url());
  EXPECT_EQ(start("h", "alice")->next(), kFine);
  EXPECT_EQ(start("h", "bob")->next(), kFine);
  EXPECT_EQ(stub.notes().back(), "- 2025-11-25 -");
}

TEST_F(LegacyHttp, M116_AForgottenSessionIsMadeAnewOnce) {
  stub.be_legacy(true);
  calls = 0;
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    stub.note(seen.header("Mcp-Session-Id"));
    if (++calls == 1 || calls > 2) {
      co_await seen.status(404);
    } else {
      co_await Stub::fine(seen);
    }
  });
  open(stub.url());
  EXPECT_EQ(start("a", "alice")->next(), kFine);
  EXPECT_EQ(stub.notes(), (Lines{"s2", "s3"}));
  EXPECT_THAT(start("b", "alice")->next(), HasSubstr("status 404"));
  EXPECT_EQ(calls, 4) << "and not for ever";
}

TEST_F(LegacyHttp, TheSessionThatRestsLongestGivesWayAndIsEndedThere) {
  sessions = 2;
  stub.be_legacy(true);
  stub.on("DELETE", [this](Seen seen) -> awaitable<void> {
    tell(seen.header("Mcp-Session-Id"), "ended");
    co_await seen.status(200);
  });
  open(stub.url());
  EXPECT_EQ(start("a", "alice")->next(), kFine);
  EXPECT_EQ(start("b", "bob")->next(), kFine);
  EXPECT_TRUE(wait_for("s2"));
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(LegacyHttp, M115_AStreamThatEndsBeforeTheAnswerIsGoneOnWithByItsLastEvent) {
  stub.be_legacy(true);
  calls = 0;
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    ++calls;
    co_await seen.begin_stream();
    std::string primed = "id: e-" + seen.id() + "\nretry: 1\ndata: \n\n";
    co_await seen.responder.write(primed);
    co_await seen.responder.end();
  });
  stub.on("GET", [this](Seen seen) -> awaitable<void> {
    const std::string last = seen.header("Last-Event-ID");
    if (last == "-") {
      co_await seen.status(405);
      co_return;
    }
    stub.note(last.substr(0, 2));
    co_await seen.begin_stream();
    std::string answer =
        R"({"jsonrpc":"2.0","id":)" + last.substr(2) + R"(,"result":{"content":[]}})";
    co_await seen.event(std::move(answer));
    co_await seen.responder.end();
  });
  open(stub.url());
  EXPECT_EQ(start("a")->next(), kFine);
  EXPECT_EQ(calls, 1) << "the call is not made again";
  EXPECT_EQ(stub.notes(), Lines{"e-"});
}

TEST_F(LegacyHttp, M115_RetryOfNothingIsNoLeaveToAskWithoutRest) {
  retry_first = std::chrono::hours(1);
  stub.be_legacy(true);
  stub.on("GET", [this](Seen seen) -> awaitable<void> {
    std::string ended = "retry: 0\nid: g" + std::to_string(++gets) + "\ndata: \n\n";
    co_await seen.begin_stream();
    co_await seen.responder.write(ended);
    co_await seen.responder.end();
    tell("get", "");
  });
  open(stub.url());
  EXPECT_EQ(start("a")->next(), kFine);
  ASSERT_TRUE(wait_for("get"));
  for (int call = 0; call < 50; ++call) EXPECT_EQ(start(std::to_string(call))->next(), kFine);
  EXPECT_EQ(gets, 1) << "the gateway's own pause has not passed";
}

TEST_F(LegacyHttp, WhatIsAskedInACallIsAskedOfItsCaller) {
  stub.be_legacy(true);
  stub.on("answer", [this](Seen seen) -> awaitable<void> {
    tell(seen.id(), std::string(seen.message.source()));
    co_await seen.status(202);
  });
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    const std::string ask = R"("q-)" + seen.id() + '"';
    co_await seen.begin_stream();
    std::string question = R"({"jsonrpc":"2.0","id":)" + ask +
                           R"(,"method":"elicitation/create","params":{"message":"Who?",)"
                           R"("requestedSchema":{"type":"object","properties":{}}}})";
    co_await seen.event(std::move(question));
    wait_for(ask);  // on one of the fixture's two threads
    const auto document = json::parse(told[ask]);
    std::string result = R"({"jsonrpc":"2.0","id":)" + seen.id() +
                         R"(,"result":{"content":[],"_meta":)" +
                         std::string(document->root().find("result")->source()) + "}}";
    co_await seen.event(std::move(result));
    co_await seen.responder.end();
  });
  open(stub.url());
  const auto job = start("a", "alice");
  EXPECT_THAT(job->next(), StartsWith("ask ask-1 form Who?"));
  job->answer("ask-1", tasks::AnswerAction::accept, R"({"name":"Ann"})");
  EXPECT_THAT(job->next(), HasSubstr(R"({"action":"accept","content":{"name":"Ann"}})"));
}

/// A server whose questions come over its GET stream: what it asks is given by ask().
class AsksOverGet : public LegacyHttp {
 protected:
  void be() {
    stub.be_legacy(false);
    stub.on("notifications/cancelled",
            [](Seen seen) -> awaitable<void> { co_await seen.status(202); });
    stub.on("GET", [this](Seen seen) -> awaitable<void> {
      co_await seen.begin_stream();
      const auto executor = co_await boost::asio::this_coro::executor;
      boost::asio::steady_timer pause(executor);
      while (!seen.responder.disconnected()) {
        if (ask_.exchange(false)) {
          co_await seen.event(
              R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Who?",)"
              R"("requestedSchema":{"type":"object","properties":{}}}})");
        }
        pause.expires_after(std::chrono::milliseconds(5));
        co_await pause.async_wait(net::use_tuple);
      }
    });
    stub.on("answer", [this](Seen seen) -> awaitable<void> {
      tell("answer", std::string(seen.message.source()));
      co_await seen.status(202);
    });
    stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
      tell("call " + seen.param("name"), "");
      if (seen.param("name") == R"("pay")") ask_ = true;
      const auto executor = co_await boost::asio::this_coro::executor;
      boost::asio::steady_timer pause(executor);
      while (!seen.responder.disconnected()) {
        if (seen.param("name") == R"("pay")" && has("answer")) co_return co_await Stub::fine(seen);
        pause.expires_after(std::chrono::milliseconds(5));
        co_await pause.async_wait(net::use_tuple);
      }
    });
  }
  bool has(const std::string& key) {
    const std::lock_guard lock(mutex);
    return told.contains(key);
  }
  std::atomic<bool> ask_{false};
};

TEST_F(AsksOverGet, WhatCannotBeTiedToACallIsAskedOfNobody) {
  be();
  open(stub.url());
  const auto bob = start("b", "bob", "{}", "stay");
  ASSERT_TRUE(wait_for(R"(call "stay")"));
  bob->cancel();
  EXPECT_EQ(bob->next(), "cancelled");
  EXPECT_EQ(start("a", "alice", "{}", "pay")->next(), kFine) << "she is not asked";
  EXPECT_THAT(told["answer"], HasSubstr("-32601"));
}

TEST_F(AsksOverGet, WhatBelongsToTheOnlyRequestIsAsked) {
  be();
  open(stub.url());
  const auto alice = start("a", "alice", "{}", "pay");
  EXPECT_THAT(alice->next(), StartsWith("ask ask-1 form Who?"));
  alice->answer("ask-1", tasks::AnswerAction::accept, "{}");
  EXPECT_EQ(alice->next(), kFine);
}

TEST_F(LegacyHttp, ACancelledCallIsTold) {
  stub.be_legacy(true);
  stub.on("notifications/cancelled", [this](Seen seen) -> awaitable<void> {
    tell("cancelled " + seen.param("requestId"), "");
    co_await seen.status(202);
  });
  stub.on("tools/call", [this](Seen seen) -> awaitable<void> {
    const std::string id = seen.id();
    tell("id", id);
    co_await seen.begin_stream();
    std::string text =
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + id +
        R"(,"progress":1,"total":2}})";
    co_await seen.event(std::move(text));
    const auto executor = co_await boost::asio::this_coro::executor;
    net::Event end(executor);
    seen.responder.on_disconnect([&end] { end.notify_all(); });
    while (!seen.responder.disconnected()) co_await end.wait();
  });
  open(stub.url());
  const auto job = start("a");
  EXPECT_EQ(job->next(), "progress 50.000000");
  job->cancel();
  EXPECT_EQ(job->next(), "cancelled");
  ASSERT_TRUE(wait_for("id"));
  EXPECT_TRUE(wait_for("cancelled " + told["id"]));
}

}  // namespace
}  // namespace interline::runtimes::mcp
