#include "runtimes/script/consult.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtimes/script/test_agent.hpp"

namespace interline::runtimes::script {
namespace {

using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;
using tasks::QuestionKind;

constexpr std::string_view kAgent = R"toml(
[[tool]]
name = "plain"

[[tool]]
name = "asks"
prepare = [
  { ask = { name = { form = "Name of ${arguments.what}?", schema = { type = "object", properties = { name = { type = "string" } }, required = ["name"] } } } },
  { ask = { why = { sampling = "Why ${answers.name.value.name}?", max_tokens = 50 }, where = { roots = "Where?", optional = true } }, when = { accepted = "name" } },
]

[[prompt]]
name = "weather"
description = "Asks for weather."
arguments = [{ name = "city", required = true, complete = ["Riga", "Rome", "Paris"] }]
messages = [
  { user = "Weather in ${arguments.city}" },
  { assistant = { image = "dot.png" } },
  { user = { resource = { uri = "a:b", mime_type = "text/plain", text = "inside" } } },
]

[[prompt]]
name = "asking"
prepare = [{ ask = { context = { form = "Which context?" } } }]
messages = [{ user = "${answers.context.action} ${answers.context.value.context}" }]

[[resource]]
uri = "notes://today"
name = "today"
file = "note.txt"

[[resource]]
uri = "notes://dot"
name = "dot"
file = "dot.png"

[[resource_template]]
uri_template = "notes://{day}/data"
name = "a day"
json = { day = "${variables.day}", uri = "${uri}" }
complete = { day = ["monday", "tuesday"] }
)toml";

Consultation asking(ConsultationKind kind, std::string subject, std::string params = "") {
  Consultation asked;
  asked.kind = kind;
  asked.subject = std::move(subject);
  asked.params = std::move(params);
  asked.answerable = 0xFF;
  return asked;
}

tasks::Answer answer(std::string key, std::string value) {
  tasks::Answer given;
  given.key = std::move(key);
  given.value = std::move(value);
  return given;
}

Result<Consulted> ask(const Consultation& asked) {
  return consult(*testing::agent(kAgent), asked);
}

std::vector<std::string> keys(const Consulted& consulted) {
  std::vector<std::string> all;
  for (const auto& question : consulted.questions) all.push_back(question.key);
  return all;
}

using Keys = std::vector<std::string>;

TEST(ScriptConsult, OffersWhatThereIs) {
  engine::Offers all;
  for (const auto kind :
       {ConsultationKind::list_prompts, ConsultationKind::get_prompt,
        ConsultationKind::list_resources, ConsultationKind::list_resource_templates,
        ConsultationKind::read_resource, ConsultationKind::complete, ConsultationKind::prepare}) {
    all.add(kind);
  }
  EXPECT_EQ(offers_of(*testing::agent(kAgent)), all);
  EXPECT_EQ(offers_of(*testing::agent("")), engine::Offers());
  EXPECT_EQ(consult(*testing::agent(""), asking(ConsultationKind::list_prompts, "")).error().kind,
            ErrorKind::not_acceptable);
}

TEST(ScriptConsult, ListsAreArraysOfDefinitions) {
  EXPECT_EQ(ask(asking(ConsultationKind::list_resources, ""))->result,
            R"([{"uri":"notes://today","name":"today","mimeType":"text/plain"},)"
            R"({"uri":"notes://dot","name":"dot","mimeType":"image/png"}])");
}

TEST(ScriptConsult, APromptIsFilledIn) {
  const auto got =
      ask(asking(ConsultationKind::get_prompt, "weather", R"({"city":"Riga \"LV\""})"));
  EXPECT_EQ(
      got->result,
      R"({"description":"Asks for weather.","messages":[)"
      R"({"role":"user","content":{"type":"text","text":"Weather in Riga \"LV\""}},)"
      R"({"role":"assistant","content":{"type":"image","data":"iVBORw==","mimeType":"image/png"}},)"
      R"({"role":"user","content":{"type":"resource","resource":)"
      R"({"uri":"a:b","text":"inside","mimeType":"text/plain"}}}]})");
}

TEST(ScriptConsult, APromptWithoutARequiredArgumentIsMalformed) {
  EXPECT_EQ(ask(asking(ConsultationKind::get_prompt, "weather", "{}")).error().kind,
            ErrorKind::malformed);
  EXPECT_EQ(ask(asking(ConsultationKind::get_prompt, "none")).error().kind, ErrorKind::not_found);
}

TEST(ScriptConsult, APromptMayAskFirst) {
  Consultation asked = asking(ConsultationKind::get_prompt, "asking");
  const auto first = ask(asked);
  EXPECT_EQ(keys(*first), Keys{"context"});
  EXPECT_EQ(first->result, "");
  asked.state = first->state;
  asked.answers = {answer("context", R"({"context":"home"})")};
  const auto second = ask(asked);
  EXPECT_EQ(second->result, R"({"messages":[{"role":"user","content":)"
                            R"({"type":"text","text":"accept home"}}]})");
  EXPECT_TRUE(second->questions.empty());
}

TEST(ScriptConsult, ResourcesAreTextsOrBlobs) {
  EXPECT_EQ(
      ask(asking(ConsultationKind::read_resource, "notes://today"))->result,
      R"({"contents":[{"uri":"notes://today","mimeType":"text/plain","text":"plain ${text}"}]})");
  EXPECT_EQ(ask(asking(ConsultationKind::read_resource, "notes://dot"))->result,
            R"({"contents":[{"uri":"notes://dot","mimeType":"image/png","blob":"iVBORw=="}]})");
  EXPECT_EQ(ask(asking(ConsultationKind::read_resource, "notes://none")).error().kind,
            ErrorKind::not_found);
}

TEST(ScriptConsult, ATemplateIsReadByWhatMatchesIt) {
  EXPECT_EQ(ask(asking(ConsultationKind::read_resource, "notes://mon%22day/data"))->result,
            R"({"contents":[{"uri":"notes://mon%22day/data","mimeType":"application/json","text":)"
            R"("{\"day\":\"mon\\\"day\",\"uri\":\"notes://mon%22day/data\"}"}]})");
}

TEST(ScriptConsult, CompletionOffersWhatBeginsSo) {
  EXPECT_EQ(ask(asking(ConsultationKind::complete, "weather",
                       R"({"ref":{"type":"ref/prompt","name":"weather"},)"
                       R"("argument":{"name":"city","value":"R"}})"))
                ->result,
            R"({"values":["Riga","Rome"],"total":2,"hasMore":false})");
  EXPECT_EQ(ask(asking(ConsultationKind::complete, "notes://{day}/data",
                       R"({"ref":{"type":"ref/resource","uri":"notes://{day}/data"},)"
                       R"("argument":{"name":"day","value":""}})"))
                ->result,
            R"({"values":["monday","tuesday"],"total":2,"hasMore":false})");
  EXPECT_EQ(ask(asking(ConsultationKind::complete, "none",
                       R"({"ref":{"type":"ref/prompt"},"argument":{"name":"city","value":"R"}})"))
                .error()
                .kind,
            ErrorKind::not_found);
}

// --- what a tool asks before it is called --------------------------------------------------------

TEST(ScriptPrepare, AToolThatAsksNothingNeedsNoState) {
  const auto prepared = ask(asking(ConsultationKind::prepare, "plain", "{}"));
  EXPECT_TRUE(prepared->questions.empty());
  EXPECT_FALSE(prepared->state);
}

TEST(ScriptPrepare, RoundsFollowEachOtherEachWithItsState) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", R"({"what":"it"})");
  const auto first = ask(asked);
  ASSERT_EQ(keys(*first), Keys{"name"});
  EXPECT_EQ(first->questions.front().text, "Name of it?");

  asked.state = first->state;
  asked.answers = {answer("name", R"({"name":"Ada"})")};
  const auto second = ask(asked);
  ASSERT_EQ(keys(*second), (Keys{"why", "where"}));
  EXPECT_NE(second->state, first->state);
  EXPECT_EQ(second->questions.front().kind, QuestionKind::sampling);
  EXPECT_EQ(second->questions.front().schema,
            R"({"messages":[{"role":"user","content":{"type":"text","text":"Why Ada?"}}],)"
            R"("maxTokens":50})");

  asked.state = second->state;
  asked.answers = {answer("why", "{}"), answer("where", "{}")};
  const auto last = ask(asked);
  EXPECT_TRUE(last->questions.empty());
  EXPECT_TRUE(last->state);
}

TEST(ScriptPrepare, WhatIsMissingIsAskedAgain) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", R"({"what":"it"})");
  asked.state = ask(asked)->state;
  asked.answers = {answer("wrong", "{}")};
  EXPECT_EQ(keys(*ask(asked)), Keys{"name"});
  asked.answers = {answer("name", R"({"name":5})")};  // not as its schema has it
  EXPECT_EQ(keys(*ask(asked)), Keys{"name"});
}

TEST(ScriptPrepare, AnswersWithoutAStateAreToNothing) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", "{}");
  asked.answers = {answer("name", R"({"name":"Ada"})")};
  EXPECT_EQ(keys(*ask(asked)), Keys{"name"});
}

TEST(ScriptPrepare, ADeclinedQuestionIsAnswered) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", "{}");
  asked.state = ask(asked)->state;
  asked.answers = {answer("name", "")};
  asked.answers.front().action = tasks::AnswerAction::decline;
  EXPECT_TRUE(ask(asked)->questions.empty());
}

TEST(ScriptPrepare, AnOptionalQuestionIsLeftOutWhereNobodyCanAnswerIt) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", "{}");
  asked.answerable = tasks::bit(QuestionKind::form) | tasks::bit(QuestionKind::sampling);
  asked.state = ask(asked)->state;
  asked.answers = {answer("name", R"({"name":"Ada"})")};
  EXPECT_EQ(keys(*ask(asked)), Keys{"why"});
}

TEST(ScriptPrepare, AStateOfSomebodyElseIsRefused) {
  Consultation asked = asking(ConsultationKind::prepare, "asks", "{}");
  for (const char* state : {"", "x", "{}", R"({"next":-1,"answers":{}})",
                            R"({"next":0,"answers":{"a":{"action":"eat"}}})"}) {
    asked.state = state;
    EXPECT_EQ(ask(asked).error().kind, ErrorKind::malformed) << state;
  }
}

}  // namespace
}  // namespace interline::runtimes::script
