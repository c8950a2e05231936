// What the builtin agent offers beside its tools, through the engine.
#include <gtest/gtest.h>

#include "bench.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"

namespace interline::testing {
namespace {

using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;
using tasks::State;

/// "demo" with a builtin agent that offers more than tools.
class OfferingBench : public EngineBench {
 public:
  OfferingBench() {
    const auto agent = std::make_shared<runtimes::builtin::BuiltinRuntime>(executor(), true);
    engine().open_lane("demo", agent, {});
    std::string text =
        R"({"manifestSpecVersion":"0","agent":{"jid":"demo@agents.example.test","name":"demo",)"
        R"("version":"2"},"tools":[)";
    const auto tools = run(agent->list_tools());
    for (const std::string& definition : tools->definitions) {
      text.append(text.ends_with('[') ? "" : ",").append(definition);
    }
    const auto manifest = run(engine().read_manifest(text + "]}"));
    const auto registered = run(engine().register_configured("demo", *manifest, true, "[]"));
    if (!registered) throw std::runtime_error(registered.error().message);
  }
};

Result<Consulted> ask(EngineBench& bench, ConsultationKind kind, std::string subject = {},
                      std::string params = {}, std::vector<tasks::Answer> answers = {}) {
  Consultation asked;
  asked.kind = kind;
  asked.subject = std::move(subject);
  asked.params = std::move(params);
  asked.answers = std::move(answers);
  asked.answerable = tasks::bit(tasks::QuestionKind::form);
  return bench.run(bench.engine().consult(kAlice, "demo", std::move(asked), nullptr));
}

tasks::Answer answer(std::string key, std::string value) {
  tasks::Answer made;
  made.key = std::move(key);
  made.value = std::move(value);
  return made;
}

TEST(Engine_Offers, PromptsAreListedFilledInAndMayAsk) {
  OfferingBench bench;
  EXPECT_NE(ask(bench, ConsultationKind::list_prompts)->result.find("greet"), std::string::npos);
  const auto greeting = ask(bench, ConsultationKind::get_prompt, "greet", R"({"name":"Ada"})");
  ASSERT_TRUE(greeting);
  EXPECT_NE(greeting->result.find("Greet Ada."), std::string::npos);
  EXPECT_EQ(ask(bench, ConsultationKind::get_prompt, "greet").error().kind, ErrorKind::malformed);
  EXPECT_EQ(ask(bench, ConsultationKind::get_prompt, "none").error().kind, ErrorKind::not_found);
  const auto first = ask(bench, ConsultationKind::get_prompt, "interview");
  ASSERT_TRUE(first);
  ASSERT_EQ(first->questions.size(), 1U);
  EXPECT_TRUE(first->state);
  const auto second = ask(bench, ConsultationKind::get_prompt, "interview", "",
                          {answer(first->questions[0].key, "\"ships\"")});
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->questions.empty());
}

TEST(Engine_Offers, ResourcesAreReadAndTheirChangesFollowed) {
  OfferingBench bench;
  EXPECT_NE(ask(bench, ConsultationKind::list_resources)->result.find("builtin://count"),
            std::string::npos);
  EXPECT_NE(ask(bench, ConsultationKind::list_resource_templates)->result.find("{word}"),
            std::string::npos);
  EXPECT_NE(ask(bench, ConsultationKind::read_resource, "builtin://text/moon")
                ->result.find(R"("text":"moon")"),
            std::string::npos);
  std::promise<std::string> told;
  const auto listening = bench.engine().on_change([&](const engine::EndpointChange& change) {
    told.set_value(change.endpoint + ' ' + change.change.uri);
  });
  const auto followed =
      bench.run(bench.engine().follow_resource(kAlice, "demo", "builtin://count"));
  ASSERT_TRUE(followed);
  bench.task("change", R"({"what":"resource"})");
  EXPECT_EQ(told.get_future().get(), "demo builtin://count");
  EXPECT_NE(
      ask(bench, ConsultationKind::read_resource, "builtin://count")->result.find(R"("text":"1")"),
      std::string::npos);
}

TEST(Engine_Offers, ArgumentsAreCompleted) {
  OfferingBench bench;
  const auto got =
      ask(bench, ConsultationKind::complete, "greet",
          R"({"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"}})");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->result, R"({"values":["Ada","Alan"]})");
}

TEST(Engine_Offers, AToolIsPreparedAndThenCalled) {
  OfferingBench bench;
  const auto first = ask(bench, ConsultationKind::prepare, "prepare_then", "{}");
  ASSERT_TRUE(first);
  ASSERT_EQ(first->questions.size(), 1U);
  auto call = bench.call("prepare_then");
  call.prepared = first->state;
  call.answers = {answer("colour", "\"red\"")};
  const auto ready = ask(bench, ConsultationKind::prepare, "prepare_then", "{}", call.answers);
  ASSERT_TRUE(ready);
  EXPECT_TRUE(ready->questions.empty());
  const auto admission = bench.admit(kAlice, call);
  ASSERT_TRUE(admission);
  const tasks::Task task = bench.until(admission->task, State::completed);
  EXPECT_NE(task.outcome.find(R"("answers":["red"])"), std::string::npos) << task.outcome;
}

}  // namespace
}  // namespace interline::testing
