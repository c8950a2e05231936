// 2026-07-28, basic/transports/stdio: lines, ids, answers as they get ready, cancellation.
#include <algorithm>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "stdio_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class McpStdio : public StdioTest {
 protected:
  [[nodiscard]] static McpRequest discover(const std::string& id = "1") {
    McpRequest request;
    request.method = "server/discover";
    request.id = id;
    return request;
  }
  [[nodiscard]] static McpRequest echo(const std::string& id, const std::string& arguments) {
    McpRequest request = call_of("demo.echo", arguments);
    request.id = id;
    return request;
  }
  /// A call that reports progress and does not end by itself, in the time of a test.
  [[nodiscard]] static McpRequest endless(const std::string& id) {
    McpRequest request = call_of("demo.sleep", R"({"milliseconds":600000,"steps":1000})");
    request.id = id;
    request.meta = R"("progressToken":"of the endless")";
    return request;
  }
  static std::string cancelling(const std::string& id) {
    return legacy_line("notifications/cancelled", R"({"requestId":)" + id + R"(,"reason":"r"})");
  }
};

TEST_F(McpStdio, M001_ALineIsOneMessageAndWhatIsNoneIsRefusedWithoutEndingAnything) {
  serve();
  StdioClient client(folder());
  for (const std::string_view line : {"{", "nonsense", "\"\xff\"", "{\"jsonrpc\":\"2.0\"}x"}) {
    client.send(line);
    const std::string refusal = client.next();
    EXPECT_EQ(at(refusal, "/error/code"), "-32700") << line;
    EXPECT_EQ(at(refusal, "/id"), "") << line;
  }
  client.send("[" + body_of(discover()) + "]");
  EXPECT_EQ(at(client.next(), "/error/code"), "-32600");
  client.send("7");
  EXPECT_EQ(at(client.next(), "/error/code"), "-32600");
  EXPECT_EQ(at(client.ask(discover()), "/result/resultType"), R"("complete")");
}

TEST_F(McpStdio, M001_EmptyLinesAndCarriageReturnsAreNothing) {
  serve();
  StdioClient client(folder());
  client.write("\n\r\n  \n" + body_of(discover("7")) + "\r\n\n");
  EXPECT_EQ(at(client.next(), "/id"), "7");
  // The last line may lack its end.
  client.write(body_of(discover("8")));
  client.close_input();
  EXPECT_EQ(at(client.next(), "/id"), "8");
  EXPECT_EQ(client.wait().code, 0);
}

TEST_F(McpStdio, M002_IdsComeBackAsTheyWereAndOthersAreRefused) {
  serve();
  StdioClient client(folder());
  for (const std::string id :
       {"1", "\"1\"", "0", "-5", "9007199254740991", "\"\xF0\x9F\x92\xA1\""}) {
    EXPECT_EQ(at(client.ask(discover(id)), "/result/resultType"), R"("complete")") << id;
  }
  for (const std::string id : {"null", "1.5", "{}"}) {
    client.send(discover(id));
    EXPECT_EQ(at(client.next(), "/error/code"), "-32600") << id;
  }
}

TEST_F(McpStdio, M002_AnIdThatWaitsForItsAnswerIsTaken) {
  serve();
  StdioClient client(folder());
  client.send(endless("5"));
  client.until([](const std::string& line) { return at(line, "/method") != ""; });
  EXPECT_EQ(at(client.ask(discover("5")), "/error/code"), "-32600");
  client.send(cancelling("5"));
  EXPECT_EQ(at(client.ask(discover("5")), "/result/resultType"), R"("complete")");
}

TEST_F(McpStdio, M005_NotificationsAreNeverAnswered) {
  serve();
  StdioClient client(folder());
  client.send(legacy_line("notifications/initialized"));
  client.send(legacy_line("notifications/cancelled", R"({"requestId":"nobody's"})"));
  client.send(legacy_line("notifications/cancelled", "{}"));
  client.send(legacy_line("no/such"));
  client.send(R"({"jsonrpc":"2.0","id":"nobody asked","result":{}})");
  client.send(discover("9"));
  EXPECT_EQ(at(client.next(), "/id"), "9");
}

TEST_F(McpStdio, M009_M022_ARequestNamesItsRevisionAndOneThatIsServed) {
  serve();
  StdioClient client(folder());
  client.send(legacy_line("tools/list", "{}", "1"));
  EXPECT_EQ(at(client.next(), "/error/code"), "-32602");
  McpRequest request = discover("2");
  request.capabilities = "";
  EXPECT_EQ(at(client.ask(request), "/error/code"), "-32602");
  request = discover("3");
  request.version = "v999.0.0";
  const std::string refused = client.ask(request);
  EXPECT_EQ(at(refused, "/error/code"), "-32022");
  EXPECT_EQ(at(refused, "/error/data/requested"), R"("v999.0.0")");
  EXPECT_EQ(at(refused, "/error/data/supported"), R"(["2026-07-28"])");
}

TEST_F(McpStdio, M021_AllEndpointsAreShownOrOneUnderItsOwnNames) {
  serve();
  McpRequest list;
  list.method = "tools/list";
  StdioClient all(folder());
  const std::string tools = all.ask(list);
  EXPECT_THAT(tools, HasSubstr(R"("name":"demo.echo")"));
  EXPECT_THAT(tools, HasSubstr(R"("name":"second.echo")"));
  StdioClient one(folder(), {"--endpoint", "second"});
  EXPECT_THAT(one.ask(list), HasSubstr(R"("name":"echo")"));
  McpRequest call = call_of("echo", R"({"a":1})");
  EXPECT_EQ(at(one.ask(call), "/result/structuredContent"), R"({"a":1})");
  // Who asks is the local user.
  EXPECT_THAT(local("GET", "/v1/tasks/" + only_task()).body, HasSubstr(R"("owner":"local:)"));
}

TEST_F(McpStdio, M024_WhereOlderRevisionsAreNotServedTheirOpeningNamesThoseThatAre) {
  serve("[mcp]\nlegacy = false\n");
  StdioClient client(folder());
  client.send(legacy_line("initialize", R"({"protocolVersion":"2025-11-25"})", "1"));
  const std::string refused = client.next();
  EXPECT_EQ(at(refused, "/error/code"), "-32022");
  EXPECT_EQ(at(refused, "/error/data/supported"), R"(["2026-07-28"])");
}

TEST_F(McpStdio, M028_WhateverIsInAStringAMessageIsOneLine) {
  serve();
  StdioClient client(folder());
  const std::string arguments = R"({"text":"one\ntwo\r\n","more": [ 1 ,	2 ]})";
  const std::string answer = client.ask(echo("1", arguments));
  EXPECT_EQ(at(answer, "/result/structuredContent/text"), R"("one\ntwo\r\n")");
}

TEST_F(McpStdio, M028_ALineBeyondTheLimitIsRefusedByItsIdAndTheNextIsServed) {
  serve();
  StdioClient client(folder());
  const std::string huge(16 * 1024 * 1024, 'x');
  client.send(echo("17", R"({"text":")" + huge + "\"}"));
  EXPECT_EQ(at(client.answer("17"), "/error/code"), "-32600");
  // Others write the id last.
  client.send(R"({"method":"tools/call","params":{"text":")" + huge +
              R"("},"jsonrpc":"2.0","id":18})");
  const std::string refused = client.answer("18");
  EXPECT_EQ(at(refused, "/error/code"), "-32600");
  EXPECT_LT(refused.size(), 300U);
  client.send("\"" + huge);
  EXPECT_EQ(at(client.next(), "/id"), "");
  EXPECT_EQ(at(client.ask(discover("19")), "/result/resultType"), R"("complete")");
}

TEST_F(McpStdio, M029_AThousandCallsAtOnceAreAnsweredEachOnItsOwnLine) {
  serve();
  StdioClient client(folder());
  constexpr int kCalls = 1'000;
  const std::string text(64 * 1024, 'y');
  std::thread writer([&] {
    for (int i = 0; i < kCalls; ++i) {
      client.send(echo(std::to_string(i), R"({"text":")" + text + "\"}"));
    }
  });
  std::set<std::string> ids;
  for (int i = 0; i < kCalls; ++i) {
    const std::string line = client.next();
    const std::string id = at(line, "/id");
    EXPECT_TRUE(ids.insert(id).second) << id;
    ASSERT_EQ(at(line, "/result/structuredContent/text").size(), text.size() + 2)
        << line.substr(0, 300);
  }
  writer.join();
  EXPECT_EQ(ids.size(), std::size_t{kCalls});
}

TEST_F(McpStdio, M030_OfWhatWasCancelledNothingMoreIsSaid) {
  serve();
  StdioClient client(folder());
  client.send(endless("\"call\""));
  client.until([](const std::string& line) {
    return at(line, "/params/progressToken") == R"("of the endless")";
  });
  client.send(cancelling("\"call\""));
  client.ask(discover("1"));
  follow_until(only_task(), "cancelled");
  const std::size_t before = client.heard().size();
  client.ask(discover("2"));
  ASSERT_EQ(client.heard().size(), before + 1) << client.heard()[before];
  client.send(cancelling("\"call\""));  // finished: ignored
  client.ask(discover("3"));
  for (const std::string& line : client.heard()) EXPECT_NE(at(line, "/id"), "\"call\"") << line;
}

TEST_F(McpStdio, M061_ProgressHasItsTokenRisesAndEndsWithTheAnswer) {
  serve();
  StdioClient client(folder());
  McpRequest request = call_of("demo.sleep", R"({"milliseconds":40,"steps":4})");
  request.meta = R"("progressToken":7)";
  client.ask(request);
  double last = -1;
  for (std::size_t i = 0; i + 1 < client.heard().size(); ++i) {
    const std::string& line = client.heard()[i];
    EXPECT_EQ(at(line, "/method"), R"("notifications/progress")");
    EXPECT_EQ(at(line, "/params/progressToken"), "7");
    const double now = std::stod(at(line, "/params/progress"));
    EXPECT_GT(now, last);
    last = now;
  }
  EXPECT_GT(client.heard().size(), 1U);
  client.ask(discover("2"));
  EXPECT_EQ(at(client.heard().back(), "/id"), "2");
}

TEST_F(McpStdio, M007_M051_AQuestionIsAnAnswerAndNoRequest) {
  serve();
  StdioClient client(folder());
  McpRequest request = call_of("demo.ask");
  request.capabilities = R"({"elicitation":{}})";
  const std::string asked = client.ask(request);
  EXPECT_EQ(at(asked, "/result/resultType"), R"("input_required")");
  const std::string requests = at(asked, "/result/inputRequests");
  const std::string key = requests.substr(2, requests.find('"', 2) - 2);
  request.id = "2";
  request.params += R"(,"requestState":)" + at(asked, "/result/requestState") +
                    R"(,"inputResponses":{")" + key +
                    R"(":{"action":"accept","content":{"value":"Ann"}}})";
  EXPECT_EQ(at(client.ask(request), "/result/structuredContent/answers"), R"(["Ann"])");
  for (const std::string& line : client.heard()) EXPECT_EQ(at(line, "/method"), "");
}

TEST_F(McpStdio, M096_M102_TasksAreTheSameAsOverHttp) {
  serve();
  StdioClient client(folder());
  McpRequest request = call_of("demo.never");
  request.capabilities = kTasks;
  const std::string begun = client.ask(request);
  EXPECT_EQ(at(begun, "/result/resultType"), R"("task")");
  const std::string id = unquoted(at(begun, "/result/taskId"));
  request = about_task("tasks/cancel", id);
  request.id = "2";
  EXPECT_EQ(at(client.ask(request), "/result/resultType"), R"("complete")");
  follow_until(only_task(), "cancelled");
  request = about_task("tasks/get", id);
  request.id = "3";
  EXPECT_EQ(at(client.ask(request), "/result/status"), R"("cancelled")");
}

TEST_F(McpStdio, ManyMoreThanCanBeInWorkAreRefusedAndTheProgramEndsInGoodOrder) {
  serve();
  StdioClient client(folder());
  constexpr int kCalls = 1'100;  // LineExchanges::kMostOpen is 1,024
  std::thread writer([&] {
    for (int i = 0; i < kCalls; ++i) {
      McpRequest request = call_of("demo.never");
      request.id = std::to_string(i);
      client.send(request);
    }
  });
  for (int i = 1'024; i < kCalls; ++i) {
    EXPECT_EQ(at(client.next(), "/error/code"), "-32603");
  }
  writer.join();
  client.close_input();
  EXPECT_EQ(client.wait().code, 0);
}

}  // namespace
}  // namespace interline::testing
