// 2026-07-28, basic/patterns/mrtr; client/elicitation, sampling, roots; checklist 12, 53, 56,
// 86, 87.
#include "protocols/mcp/input_requests.hpp"

#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using tasks::AnswerAction;
using tasks::QuestionKind;
using testing::parse;

constexpr Revision kModern = Revision::v2026_07_28;

InputQuestion form(std::string key = "user_name") {
  return {std::move(key), QuestionKind::form, "What is your name?",
          R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})", ""};
}
InputQuestion url() {
  return {"visit", QuestionKind::url, "Please look.", "", "https://example.test/x"};
}
InputQuestion sampling(std::string params = "") {
  return {"capital", QuestionKind::sampling, "What is the capital of France?", std::move(params),
          ""};
}
InputQuestion roots() {
  return {"client_roots", QuestionKind::roots, "", "", ""};
}
ClientCapabilities declared(std::string_view text) {
  const auto document = parse(text);
  return read_capabilities(document.root()).value();
}
std::string asked(const std::vector<InputQuestion>& questions, std::string_view capabilities) {
  return input_requests(questions, declared(capabilities), kModern);
}

TEST(Mcp_Mrtr, EntriesAreRequestsWithoutAnEnvelope) {
  EXPECT_EQ(asked({form()}, R"({"elicitation":{}})"),
            R"({"user_name":{"method":"elicitation/create","params":{"mode":"form",)"
            R"("message":"What is your name?","requestedSchema":{"type":"object",)"
            R"("properties":{"name":{"type":"string"}},"required":["name"]}}}})");
  EXPECT_EQ(asked({url()}, R"({"elicitation":{"url":{}}})"),
            R"({"visit":{"method":"elicitation/create","params":{"mode":"url",)"
            R"("message":"Please look.","url":"https://example.test/x"}}})");
  EXPECT_EQ(asked({roots()}, R"({"roots":{}})"), R"({"client_roots":{"method":"roots/list"}})");
  EXPECT_EQ(
      asked({sampling()}, R"({"sampling":{}})"),
      R"({"capital":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",)"
      R"("content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":1000}}})");
}

TEST(Mcp_Sampling, AnAskersOwnParamsStayAsTheyAre) {
  const std::string own = R"({"messages":[], "maxTokens":100,"tools":[]})";
  const auto request = input_request(sampling(own), kModern);
  EXPECT_EQ(request->params, own);
  EXPECT_EQ(asked({sampling(own)}, R"({"sampling":{}})"), "{}");
  EXPECT_NE(asked({sampling(own)}, R"({"sampling":{"tools":{}}})"), "{}");
}

TEST(Mcp_Mrtr, OnlyDeclaredKindsAndModesAreAsked) {
  const std::vector<InputQuestion> all = {form(), url(), sampling(), roots()};
  EXPECT_EQ(asked(all, "{}"), "{}");
  EXPECT_EQ(asked(all, R"({"sampling":{}})").find("elicitation"), std::string::npos);
  EXPECT_EQ(asked(all, R"({"elicitation":{}})").find("\"url\""), std::string::npos);
  EXPECT_EQ(capabilities_text(missing_for(all, declared(R"({"sampling":{}})"))),
            R"({"elicitation":{"form":{},"url":{}},"roots":{}})");
  EXPECT_TRUE(missing_for(all, declared(R"({"elicitation":{"form":{},"url":{}},"roots":{},)"
                                        R"("sampling":{}})"))
                  .empty());
}

TEST(Mcp_Elicitation, ASecretIsNeverAskedByAForm) {
  InputQuestion secret{"token", QuestionKind::credential, "Log in.", R"({"type":"string"})", ""};
  EXPECT_FALSE(input_request(secret, kModern));
  secret.url = "https://example.test/login";
  EXPECT_NE(input_request(secret, kModern)->params.find(R"("mode":"url")"), std::string::npos);
}

TEST(Mcp_Legacy, RequestsAreThoseOfTheRevision) {
  EXPECT_FALSE(input_request(form(), Revision::v2025_03_26));
  EXPECT_EQ(input_request(form(), Revision::v2025_06_18)->params.find("mode"), std::string::npos);
  EXPECT_FALSE(input_request(url(), Revision::v2025_06_18));
  EXPECT_NE(input_request(url(), Revision::v2025_11_25)->params.find(R"("elicitationId":"visit")"),
            std::string::npos);
}

TEST(Mcp_Tasks, AQuestionsKeyIsItsId) {
  tasks::Question question;
  question.id = "0123456789012345678901";
  question.key = "own";
  EXPECT_EQ(input_question(question, "").key, question.id);
  EXPECT_EQ(input_question(question, "acme").key, "acme~2F" + question.id);
}

Result<std::vector<InputAnswer>> answered(std::string_view responses,
                                          const std::vector<InputQuestion>& questions) {
  const auto document = parse(responses);
  return read_input_responses(document.root(), questions, kModern);
}

TEST(Mcp_Mrtr, AnswersAreReadByTheirKeys) {
  const auto answers = answered(
      R"({"user_name":{"action":"accept","content":{"name":"Ada"}},"unknown":7,
          "capital":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"},
          "client_roots":{"roots":[{"uri":"file:///a"}]}})",
      {form(), url(), sampling(), roots()});
  ASSERT_TRUE(answers);
  ASSERT_EQ(answers->size(), 3U);  // what is missing is asked again
  EXPECT_EQ((*answers)[0].value, R"({"name":"Ada"})");
  EXPECT_EQ((*answers)[1].key, "capital");
  EXPECT_EQ((*answers)[1].value,
            R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"})");
  EXPECT_EQ((*answers)[2].value, R"({"roots":[{"uri":"file:///a"}]})");
}

TEST(Mcp_Elicitation, DecliningAndCancellingAreAnswers) {
  const auto answers = answered(R"({"user_name":{"action":"decline","content":{"name":7}},)"
                                R"("visit":{"action":"cancel"}})",
                                {form(), url()});
  ASSERT_TRUE(answers);
  EXPECT_EQ((*answers)[0].action, AnswerAction::decline);
  EXPECT_EQ((*answers)[0].value, "");
  EXPECT_EQ((*answers)[1].action, AnswerAction::cancel);
  EXPECT_EQ(answered(R"({"visit":{"action":"accept"}})", {url()})->front().value, "null");
}

TEST(Mcp_Mrtr, MalformedAnswersAreNeverAccepted) {
  const std::vector<InputQuestion> all = {form(), url(), sampling(), roots()};
  for (const std::string_view responses :
       {"[]", "null", R"({"user_name":"Ada"})", R"({"user_name":[]})", R"({"user_name":{}})",
        R"({"user_name":{"action":"yes"}})", R"({"user_name":{"action":"accept","content":[]}})",
        R"({"user_name":{"action":"accept","content":{"name":{}}}})", R"({"visit":{"action":7}})",
        R"({"capital":{"action":"accept"}})",
        R"({"capital":{"role":"system","content":{},"model":"m"}})",
        R"({"capital":{"role":"user","content":"x","model":"m"}})",
        R"({"capital":{"role":"user","content":{}}})", R"({"client_roots":{}})",
        R"({"client_roots":{"roots":[{"uri":"https://a"}]}})",
        R"({"client_roots":{"roots":[7]}})"}) {
    EXPECT_FALSE(answered(responses, all)) << responses;
  }
  EXPECT_TRUE(answered("{}", all));
}

}  // namespace
}  // namespace interline::protocols::mcp
