// input_required: questions as an answer, and the sealed state that brings the answers back.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>

#include "mcp_client.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;

class McpQuestions : public McpTest {
 protected:
  [[nodiscard]] static McpRequest asking(const std::string& arguments = "{}") {
    McpRequest request = call_of("demo.ask", arguments);
    request.capabilities = R"({"elicitation":{}})";
    return request;
  }
  /// The same call with what the reply asks for.
  [[nodiscard]] static McpRequest retry(McpRequest request, const McpReply& asked,
                                        const std::string& responses) {
    request.id = "2";
    request.params += R"(,"requestState":)" + asked.at("/result/requestState");
    if (!responses.empty()) request.params += R"(,"inputResponses":)" + responses;
    return request;
  }
  [[nodiscard]] static std::string key_of(const McpReply& asked) {
    const std::string requests = asked.at("/result/inputRequests");
    return requests.substr(2, requests.find('"', 2) - 2);
  }
  [[nodiscard]] static std::string accepted(const McpReply& asked, const std::string& value) {
    return "{\"" + key_of(asked) + R"(":{"action":"accept","content":{"value":)" + value + "}}}";
  }
};

TEST_F(McpQuestions, M051_M052_AnAnswerGoesOnWithTheCall) {
  serve();
  const McpReply asked = send(asking());
  EXPECT_EQ(asked.at("/result/resultType"), R"("input_required")");
  EXPECT_EQ(asked.at("/result/ttlMs"), "");
  EXPECT_EQ(asked.at("/result/inputRequests/" + key_of(asked) + "/method"),
            R"("elicitation/create")");
  const McpReply done = send(retry(asking(), asked, accepted(asked, "\"Ann\"")));
  EXPECT_EQ(done.at("/result/resultType"), R"("complete")");
  EXPECT_EQ(done.at("/result/structuredContent/answers"), R"(["Ann"])");
}

TEST_F(McpQuestions, M053_WhatIsNotDeclaredIsNotAsked) {
  serve();
  McpRequest request = asking();
  request.capabilities = "{}";
  EXPECT_EQ(send(request).at("/result/isError"), "true");
  request = asking(R"({"kind":"url","url":"https://pay.example/1"})");
  EXPECT_EQ(send(request).at("/result/isError"), "true");
  request.capabilities = R"({"elicitation":{"url":{}}})";
  EXPECT_THAT(send(request).at("/result/inputRequests"), HasSubstr("https://pay.example/1"));
}

TEST_F(McpQuestions, M054_AStateOfAnotherCallOrCallerOrTamperedWithIsRefused) {
  serve();
  const McpReply asked = send(asking());
  const std::string state = unquoted(asked.at("/result/requestState"));
  const auto with_state = [](McpRequest request, const std::string& text) {
    request.params += R"(,"requestState":")" + text + '"';
    return request;
  };
  for (const std::size_t place : {std::size_t{0}, std::size_t{10}, state.size() / 2}) {
    std::string changed = state;
    changed[place] = changed[place] == 'A' ? 'B' : 'A';
    EXPECT_EQ(send(with_state(asking(), changed)).at("/error/code"), "-32602") << place;
  }
  EXPECT_EQ(send(with_state(asking(), state + "-TAMPERED")).at("/error/code"), "-32602");
  EXPECT_EQ(send(with_state(asking(R"({"count":1})"), state)).at("/error/code"), "-32602");
  McpRequest other = with_state(asking(), state);
  other.key = make_key("other");
  EXPECT_EQ(send(other).at("/error/code"), "-32602");
}

constexpr auto kPrepared = R"(
[agent]
name = "polite"
version = "1"

[[tool]]
name = "greet"
prepare = [ { ask = { who = { form = "Who?", schema = { type = "object", properties = { n = { type = "string" } } } } } } ]
steps = [ { text = "Hello, ${answers.who.value.n}!" } ]

[[tool]]
name = "other"
steps = [ { text = "Other." } ]
)";

/// A gateway that was asked, then another with another database: only the configuration is the
/// same.
class McpInstances : public McpQuestions {
 protected:
  void serve_polite(const std::string& more) {
    write("polite.toml", kPrepared);
    configure(
        "[[grant]]\nprincipals = [\"anonymous\"]\nendpoints = [\"polite\"]\nvisible = true\n"
        "invoke = [\"*\"]\n"
        "[[endpoint]]\nname = \"polite\"\n"
        "runtime = { kind = \"script\", file = \"polite.toml\" }\n"
        "[mcp]\npage = 1\n" +
        more);
    start();
    until("an endpoint is served");
  }
  void restart_elsewhere() {
    signal(SIGTERM);
    EXPECT_EQ(wait(), 0);
    ASSERT_GT(std::filesystem::remove_all(folder() / "var"), 0U);
    start();
    until("an endpoint is served");
  }
  [[nodiscard]] static McpRequest greeting() {
    McpRequest request = call_of("polite.greet");
    request.capabilities = R"({"elicitation":{}})";
    return request;
  }
  [[nodiscard]] static McpRequest answering(const McpReply& asked) {
    return retry(greeting(), asked, R"({"who":{"action":"accept","content":{"n":"Ann"}}})");
  }
  [[nodiscard]] static McpRequest listing(const std::string& cursor) {
    McpRequest request;
    request.method = "tools/list";
    if (!cursor.empty()) request.params = "\"cursor\":" + cursor;
    return request;
  }
};

TEST_F(McpInstances, M055_AStateIsGoodForEveryInstanceWithTheSameKey) {
  write("seal", "a key that is as long as it has to be, and random\n");
  serve_polite("seal_key_file = \"seal\"\n");
  const McpReply asked = send(greeting());
  ASSERT_EQ(asked.at("/result/resultType"), R"("input_required")") << asked.last();
  const std::string cursor = send(listing("")).at("/result/nextCursor");
  restart_elsewhere();
  EXPECT_EQ(send(answering(asked)).at("/result/content/0/text"), R"("Hello, Ann!")");
  EXPECT_EQ(send(listing(cursor)).at("/result/tools/0/name"), R"("polite.other")");
}

TEST_F(McpInstances, M055_WithoutOneEachHasAKeyOfItsOwn) {
  serve_polite("");
  const McpReply asked = send(greeting());
  const std::string cursor = send(listing("")).at("/result/nextCursor");
  restart_elsewhere();
  EXPECT_EQ(send(answering(asked)).at("/error/code"), "-32602");
  EXPECT_EQ(send(listing(cursor)).at("/error/code"), "-32602");
}

TEST_F(McpInstances, WhatWasGivenOutBeforeThereWasASharedKeyIsStillTaken) {
  serve_polite("");
  const McpReply asked = send(greeting());
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  serve_polite("seal_key = \"a key that is as long as it has to be, and random\"\n");
  EXPECT_EQ(send(answering(asked)).at("/result/content/0/text"), R"("Hello, Ann!")");
}

TEST_F(McpQuestions, M056_WhatIsMissingIsAskedAgainAndWhatNobodyAskedIgnored) {
  serve();
  const McpReply asked = send(asking());
  const McpReply again = send(retry(asking(), asked, R"({"nobody-asked":{"action":"accept"}})"));
  EXPECT_EQ(again.at("/result/resultType"), R"("input_required")");
  EXPECT_EQ(key_of(again), key_of(asked));
  const McpReply wrong =
      send(retry(asking(), asked, "{\"" + key_of(asked) + R"(":{"action":"perhaps"}})"));
  EXPECT_EQ(wrong.at("/error/code"), "-32602");
  // A value that does not fit the question.
  const McpReply unfit = send(retry(asking(), asked, accepted(asked, "7")));
  EXPECT_EQ(unfit.at("/result/resultType"), R"("input_required")");
}

TEST_F(McpQuestions, M057_AnAnswerCountsOnce) {
  serve();
  const McpReply asked = send(asking());
  const std::string first =
      send(retry(asking(), asked, accepted(asked, "\"Ann\""))).at("/result/structuredContent");
  EXPECT_EQ(first, R"({"answers":["Ann"]})");
  const McpReply other = send(retry(asking(), asked, accepted(asked, "\"Bob\"")));
  EXPECT_EQ(other.at("/error/code"), "-32602");
  const McpReply same = send(retry(asking(), asked, accepted(asked, "\"Ann\"")));
  EXPECT_EQ(same.at("/result/structuredContent"), first);
}

TEST_F(McpQuestions, M086_DecliningAndCancellingAreAnswers) {
  serve();
  for (const auto action : {"decline", "cancel"}) {
    const McpReply asked = send(asking());
    const McpReply done =
        send(retry(asking(), asked, "{\"" + key_of(asked) + R"(":{"action":")" + action + "\"}}"));
    EXPECT_EQ(done.at("/result/structuredContent/answers"), "[null]") << action;
  }
}

}  // namespace
}  // namespace interline::testing
