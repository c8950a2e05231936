// The client's side, of all revisions.
#include "protocols/mcp/client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "protocols/mcp/client_questions.hpp"
#include "protocols/mcp/client_request.hpp"
#include "protocols/mcp/client_task.hpp"
#include "protocols/mcp/server_hello.hpp"
#include "protocols/mcp/versions.hpp"

namespace interline::protocols::mcp {
namespace {

json::Document parse(std::string_view text) {
  auto document = json::parse(text, {}, json::Numbers::faithful);
  if (!document) throw std::runtime_error(json::to_string(document.error()));
  return *std::move(document);
}

TEST(Mcp_Lifecycle, TheNewestInitializedRevisionIsOffered) {
  EXPECT_EQ(initialize_params("1.2", {}),
            R"({"protocolVersion":"2025-11-25","capabilities":{},)"
            R"("clientInfo":{"name":"interline","title":"Interline","version":"1.2"}})");
  ClientCapabilities asks;
  asks.add(ClientCapability::elicitation_form);
  asks.add(ClientCapability::roots);
  EXPECT_NE(initialize_params("1.2", asks)
                .find(R"("capabilities":{"elicitation":{"form":{}},"roots":{}})"),
            std::string::npos);
}

TEST(Mcp_Lifecycle, EveryRevisionThatIsSpokenIsAccepted) {
  for (const std::string_view version : kInitializedVersions) {
    const auto document =
        parse(R"({"protocolVersion":")" + std::string(version) +
              R"(","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"v"}})");
    const auto hello = read_initialize_result(document.root());
    ASSERT_TRUE(hello) << version;
    EXPECT_EQ(to_string(hello->revision), version);
    EXPECT_EQ(hello->name, "n");
    EXPECT_EQ(hello->implementation_version, "v");
    EXPECT_TRUE(hello->features.tools);
  }
}

TEST(Mcp_Lifecycle, AnotherRevisionOrAnotherAnswerIsRefused) {
  const auto kind = [](std::string_view text) {
    const auto document = parse(text);
    const auto hello = read_initialize_result(document.root());
    return hello ? ErrorKind::internal : hello.error().kind;
  };
  EXPECT_EQ(kind(R"({"protocolVersion":"2026-07-28","capabilities":{}})"),
            ErrorKind::not_acceptable);
  EXPECT_EQ(kind(R"({"protocolVersion":"1999-01-01","capabilities":{}})"),
            ErrorKind::not_acceptable);
  EXPECT_EQ(kind(R"({"protocolVersion":7,"capabilities":{}})"), ErrorKind::malformed);
  EXPECT_EQ(kind(R"({"protocolVersion":"2025-11-25"})"), ErrorKind::malformed);
  EXPECT_EQ(kind("[]"), ErrorKind::malformed);
  EXPECT_EQ(kind("null"), ErrorKind::malformed);
  const auto document = parse(R"({"protocolVersion":"2024-11-05","capabilities":{}})");
  const auto hello = read_initialize_result(document.root());
  ASSERT_TRUE(hello) << "serverInfo is for display alone";
  EXPECT_FALSE(hello->features.tools);
}

TEST(Mcp_Lifecycle, WhatAModernServerSaysOfItself) {
  const auto document = parse(
      R"({"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":false},)"
      R"("prompts":[],"extensions":{"io.modelcontextprotocol/tasks":{},"interline/requestId":{}}},)"
      R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"n","version":"v"}}})");
  const auto hello = read_discover_result(document.root(), Revision::v2026_07_28);
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->name, "n");
  EXPECT_EQ(hello->implementation_version, "v");
  EXPECT_TRUE(hello->modern() && hello->request_keys);
  const Features& has = hello->features;
  EXPECT_TRUE(has.tools && has.tools_changed && has.resources && has.resource_subscriptions &&
              has.tasks);
  EXPECT_FALSE(has.resources_changed || has.prompts || has.completions || has.logging);
  const auto bad = parse("{}");
  EXPECT_FALSE(read_discover_result(bad.root(), Revision::v2026_07_28));
}

TEST(Mcp_Lists, PagesKeepTheDefinitionsByteForByte) {
  const std::string odd = "a\"b";
  const std::string none;
  EXPECT_EQ(list_members(nullptr), "");
  EXPECT_EQ(list_members(&odd), R"("cursor":"a\"b")");
  EXPECT_EQ(list_members(&none), R"("cursor":"")") << "71: an empty cursor is one";
  const auto document =
      parse(R"({"tools":[{ "name":"a","inputSchema":{"n":1.0} },{}],"nextCursor":""})");
  const auto page = read_list_page(document.root(), "tools");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 2U);
  EXPECT_EQ(page->items[0].source(), R"({ "name":"a","inputSchema":{"n":1.0} })");
  EXPECT_EQ(page->next_cursor, "");
  for (const std::string_view text : {R"({"tools":[]})", R"({"tools":[],"nextCursor":null})"}) {
    const auto last = parse(text);
    EXPECT_FALSE(read_list_page(last.root(), "tools")->next_cursor);
  }
  for (const std::string_view text :
       {"{}", R"({"tools":{}})", R"({"tools":["a"]})", R"({"tools":[],"nextCursor":7})"}) {
    const auto bad = parse(text);
    EXPECT_FALSE(read_list_page(bad.root(), "tools")) << text;
  }
}

TEST(Mcp_Tools, OnlyRequiredNeedsATask) {
  const auto needs = [](std::string_view text) {
    const auto document = parse(text);
    return needs_server_task(document.root());
  };
  EXPECT_TRUE(needs(R"({"execution":{"taskSupport":"required"}})"));
  EXPECT_FALSE(needs(R"({"execution":{"taskSupport":"optional"}})"));
  EXPECT_FALSE(needs(R"({"execution":{"taskSupport":"forbidden"}})"));
  EXPECT_FALSE(needs(R"({"execution":"required"})"));
  EXPECT_FALSE(needs("{}"));
}

TEST(Mcp_Requests, AModernOneCarriesItsVersionAndALegacyOneOnlyWhatItOptsInTo) {
  const std::string members = call_members("t", R"({"n":1.50})");
  RequestStamp stamp;
  stamp.client_version = "1";
  stamp.progress_token = "7";
  stamp.capabilities.add(ClientCapability::tasks);
  EXPECT_EQ(
      stamped_params(stamp, members),
      R"({"name":"t","arguments":{"n":1.50},"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}},)"
      R"("io.modelcontextprotocol/clientInfo":{"name":"interline","title":"Interline","version":"1"},)"
      R"("progressToken":7}})");
  stamp.revision = Revision::v2025_11_25;
  EXPECT_EQ(stamped_params(stamp, members),
            R"({"name":"t","arguments":{"n":1.50},"_meta":{"progressToken":7}})");
  stamp.progress_token = "";
  EXPECT_EQ(stamped_params(stamp, ""), "{}");
  stamp.request_key = "k";
  stamp.trace = R"("traceparent":"p")";
  EXPECT_EQ(stamped_params(stamp, ""),
            R"({"_meta":{"interline/requestId":"k","traceparent":"p"}})");
  stamp.request_key = "";
  EXPECT_EQ(stamped_params(stamp, ""), R"({"_meta":{"traceparent":"p"}})");
}

TEST(Mcp_Requests, OfACallersMetadataTheTraceAloneGoesOn) {
  EXPECT_EQ(trace_members(R"({"a":1,"tracestate":"s","traceparent":"p","baggage":{}})"),
            R"("traceparent":"p","tracestate":"s")");
  for (const std::string_view text : {"", "{}", "[]", "nonsense", R"({"traceparent":7})"}) {
    EXPECT_EQ(trace_members(text), "") << text;
  }
}

TEST(Mcp_Results, TheirTypes) {
  const auto type = [](std::string_view text) {
    const auto document = parse(text);
    const auto read = result_type(document.root());
    return read ? static_cast<int>(*read) : -1;
  };
  EXPECT_EQ(type("{}"), 0);
  EXPECT_EQ(type(R"({"resultType":"complete"})"), 0);
  EXPECT_EQ(type(R"({"resultType":"input_required"})"), 1);
  EXPECT_EQ(type(R"({"resultType":"task"})"), 2);
  EXPECT_EQ(type(R"({"resultType":"weird"})"), -1);
  EXPECT_EQ(type(R"({"resultType":null})"), -1);
}

TEST(Mcp_Progress, PercentWhereTheTotalIsKnownElseAMessage) {
  const auto read = [](const std::string& members) {
    const auto document = parse("{\"progressToken\":7," + members + "}");
    const auto progress = read_progress(document.root());
    if (!progress) return std::string("refused");
    EXPECT_EQ(progress->token, "7");
    return (progress->percent ? std::to_string(*progress->percent) : "-") + "|" + progress->message;
  };
  EXPECT_EQ(read(R"("progress":1,"total":4)"), "25.000000|");
  EXPECT_EQ(read(R"("progress":1,"total":4,"message":"m")"), "25.000000|m");
  EXPECT_EQ(read(R"("progress":9,"total":4)"), "100.000000|");
  EXPECT_EQ(read(R"("progress":-9,"total":4)"), "0.000000|");
  EXPECT_EQ(read(R"("progress":12.5)"), "-|12.5");
  EXPECT_EQ(read(R"("progress":12.5,"message":"m")"), "-|m");
  EXPECT_EQ(read(R"("progress":1,"total":0)"), "-|1");
  EXPECT_EQ(read(R"("progress":1e400,"total":1e400)"), "-|1e400");
  EXPECT_EQ(read(R"("progress":"1")"), "refused");
  EXPECT_EQ(read(R"("total":1)"), "refused");
}

TEST(Mcp_Logging, LevelsAreThoseOfRfc5424) {
  const auto document = parse(R"({"level":"alert","logger":"l","data":{"a":[1.0]}})");
  const auto line = read_log(document.root());
  ASSERT_TRUE(line);
  EXPECT_EQ(line->level, "alert");
  EXPECT_EQ(line->data, R"({"a":[1.0]})");
  const auto odd = parse(R"({"level":"loud","data":null})");
  EXPECT_EQ(read_log(odd.root())->level, "info");
  const auto bad = parse(R"({"level":"info"})");
  EXPECT_FALSE(read_log(bad.root()));
}

using tasks::AnswerAction;
using tasks::QuestionKind;

TEST(Mcp_Questions, WhatAServerMayAsk) {
  const auto read = [](std::string_view method, std::string_view params) {
    const auto document = parse(params);
    return read_server_question("k", method, document.root());
  };
  const auto form =
      read("elicitation/create", R"({"message":"Who?","requestedSchema":{ "type":"object" }})");
  ASSERT_TRUE(form) << "85: without a mode it is a form";
  EXPECT_EQ(form->kind, QuestionKind::form);
  EXPECT_EQ(form->text, "Who?");
  EXPECT_EQ(form->schema, R"({ "type":"object" })");
  const auto url = read("elicitation/create", R"({"mode":"url","message":"m","url":"https://a/"})");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->kind, QuestionKind::url);
  EXPECT_EQ(url->url, "https://a/");
  const auto model = read(
      "sampling/createMessage",
      R"({"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":[{"type":"text","text":"b"},{"type":"image"}]}],"maxTokens":5})");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->text, "b");
  EXPECT_THAT(model->schema, ::testing::HasSubstr("maxTokens"));
  EXPECT_EQ(read("roots/list", "null")->kind, QuestionKind::roots);
  EXPECT_EQ(read("tools/call", "{}").error().kind, ErrorKind::not_acceptable);
  EXPECT_EQ(read("elicitation/create", R"({"mode":"song","message":"m"})").error().kind,
            ErrorKind::not_acceptable);
  for (const auto* bad : {"{}", R"({"message":"m"})", R"({"mode":"url","message":"m"})", "7"}) {
    EXPECT_EQ(read("elicitation/create", bad).error().kind, ErrorKind::malformed) << bad;
  }
}

TEST(Mcp_Questions, AnswersAsTheServerWantsThem) {
  EXPECT_EQ(question_response(QuestionKind::form, AnswerAction::accept, R"({"name":"Ann"})"),
            R"({"action":"accept","content":{"name":"Ann"}})");
  EXPECT_EQ(question_response(QuestionKind::form, AnswerAction::decline, ""),
            R"({"action":"decline"})");
  EXPECT_EQ(question_response(QuestionKind::url, AnswerAction::accept, "null"),
            R"({"action":"accept"})");
  EXPECT_EQ(question_response(QuestionKind::roots, AnswerAction::accept, R"({"roots":[]})"),
            R"({"roots":[]})");
  EXPECT_EQ(question_response(QuestionKind::sampling, AnswerAction::decline, ""), std::nullopt);
}

TEST(Mcp_Questions, ARoundComesBackAsItWas) {
  PendingRound round;
  round.rounds = 3;
  round.request_state = "s \"\n\xC3\xA9";
  round.questions = {{"a", QuestionKind::form}, {"b", QuestionKind::roots}};
  const auto read = read_round(write_round(round));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rounds, 3U);
  EXPECT_EQ(read->request_state, round.request_state);
  EXPECT_EQ(read->questions, round.questions);
  EXPECT_TRUE(read->echoed);
  for (const auto* bad :
       {"", "{}", "7", R"({"rounds":1,"echoed":true,"questions":{"a":"song"}})"}) {
    EXPECT_FALSE(read_round(bad)) << bad;
  }
  std::vector<tasks::Answer> answers(1);
  answers[0].key = "a";
  answers[0].value = "{}";
  EXPECT_EQ(round_members(round, answers).error().kind, ErrorKind::conflict) << "b has none";
  round.questions.pop_back();
  EXPECT_EQ(round_members(round, answers),
            R"("inputResponses":{"a":{"action":"accept","content":{}}},)"
            R"("requestState":"s \"\n)"
            "\xC3\xA9\"");
  round.echoed = false;
  EXPECT_EQ(round_members(round, answers), "");
}

TEST(Mcp_Tasks, OneOfTheServers) {
  const auto read = [](std::string_view text, bool whole) {
    const auto document = parse(text);
    const auto task = read_server_task(document.root(), whole);
    return task ? static_cast<int>(task->status) : -1;
  };
  EXPECT_EQ(read(R"({"taskId":"t","status":"working"})", true), 0);
  EXPECT_EQ(read(R"({"taskId":"t","status":"completed"})", false), 2);
  EXPECT_EQ(read(R"({"taskId":"t","status":"completed"})", true), -1);
  EXPECT_EQ(read(R"({"taskId":"t","status":"completed","result":{}})", true), 2);
  EXPECT_EQ(read(R"({"taskId":"t","status":"failed","error":{"code":-1}})", true), 3);
  EXPECT_EQ(read(R"({"taskId":"t","status":"failed","error":{}})", true), -1);
  EXPECT_EQ(read(R"({"taskId":"t","status":"input_required","inputRequests":{}})", true), 1);
  EXPECT_EQ(read(R"({"taskId":"t","status":"input_required"})", true), -1);
  EXPECT_EQ(read(R"({"taskId":"t","status":"resting"})", true), -1);
  EXPECT_EQ(read(R"({"taskId":"","status":"working"})", true), -1);
  EXPECT_EQ(read("7", true), -1);
  const auto document = parse(R"({"taskId":"t","status":"working","pollIntervalMs":1e300})");
  EXPECT_EQ(read_server_task(document.root(), true)->poll_interval, std::chrono::hours(24));
}

TEST(Mcp_Cancellation, NamesTheRequestAsItWas) {
  EXPECT_EQ(cancelled_params("7", ""), R"({"requestId":7})");
  EXPECT_EQ(cancelled_params("\"a\"", "late"), R"({"requestId":"a","reason":"late"})");
}

}  // namespace
}  // namespace interline::protocols::mcp
