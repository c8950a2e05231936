// input_required: questions as an answer, and the sealed state that brings the answers back.
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
  const std::string second =
      send(retry(asking(), asked, accepted(asked, "\"Bob\""))).at("/result/structuredContent");
  EXPECT_EQ(first, R"({"answers":["Ann"]})");
  EXPECT_EQ(second, first);
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
