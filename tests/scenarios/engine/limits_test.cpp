// What is bounded, and what becomes of that which passes a bound; what a store refuses for a while.
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using tasks::EntryType;
using tasks::State;

const std::string kResult = R"({"content":[]})";

EngineOptions with(std::function<void(engine::GatewayConfiguration&)> configure) {
  EngineOptions options;
  options.configure = std::move(configure);
  return options;
}

TEST(Engine_Results, LargerThanTheGatewayReadsAreSaidToBe) {
  EngineBench bench;
  std::string id;
  const std::string code = "interline:result-too-large";
  bench.work(id)->job->fail(tasks::Failure(code, "More than is read.", false));
  const std::string said = R"("code":")" + code + R"(")";
  EXPECT_NE(bench.until(id, State::failed).outcome.find(said), std::string::npos);
  bench.work(id)->job->fail(tasks::Failure("interline:other", "M", false));
  EXPECT_NE(bench.until(id, State::failed).outcome.find(R"("code":"internal-error")"),
            std::string::npos);
}

// A task that waits for its answer holds no slot and stands in no line.
TEST(Engine_OpenTasks, OfOnePrincipalAreBoundedAlsoWhereTheyWaitForAnswers) {
  EngineBench bench(
      with([](engine::GatewayConfiguration& configuration) { configuration.open_tasks = 2; }));
  const std::string first = bench.task("ask", R"({"suspend":true})");
  const auto second = bench.admit(kAlice, bench.call("ask", R"({"suspend":true})", "key"));
  ASSERT_TRUE(second);
  EXPECT_EQ(bench.until(first, State::input_required).state, State::input_required);
  EXPECT_EQ(bench.until(second->task, State::input_required).state, State::input_required);
  const auto refused = bench.admit(kAlice, bench.call("echo"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::resource_constraint);
  EXPECT_EQ(refused.error().reason, ErrorReason::too_many);
  EXPECT_TRUE(bench.admit(kBob, bench.call("echo")));
  const auto again = bench.admit(kAlice, bench.call("ask", R"({"suspend":true})", "key"));
  ASSERT_TRUE(again);  // it is there already
  EXPECT_EQ(again->task, second->task);

  bench.restart();
  EXPECT_FALSE(bench.admit(kAlice, bench.call("echo")));
  engine::Cancellation cancellation;
  cancellation.task = first;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, cancellation)));
  EXPECT_EQ(bench.until(first, State::cancelled).state, State::cancelled);
  const auto after = bench.admit(kAlice, bench.call("echo"));
  ASSERT_TRUE(after);
  EXPECT_EQ(bench.until(after->task, State::completed).state, State::completed);
}

TEST(Engine_Results, LargerThanTheNetworkCarriesFailTheTaskAtTheCommit) {
  EngineBench bench(guarded(300));
  std::string id;
  bench.work(id)->job->complete(R"({"content":[],"structuredContent":{"a":")" +
                                std::string(300, 'x') + R"("}})");
  const tasks::Task task = bench.until(id, State::failed);
  EXPECT_EQ(task.state, State::failed);
  EXPECT_NE(task.outcome.find(R"("code":"interline:result-too-large")"), std::string::npos);
  bench.work(id)->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Results, OfOtherNetworksAreNotHeldToIt) {
  EngineBench bench(guarded(300));
  auto call = bench.puppet_call();
  call.network = "mcp";
  const auto admission = bench.admit(kAlice, call);
  bench.puppet().next()->job->complete(R"({"content":[],"structuredContent":{"a":")" +
                                       std::string(300, 'x') + R"("}})");
  EXPECT_EQ(bench.until(admission->task, State::completed).state, State::completed);
}

TEST(Engine_Results, LargeOnesAreCheckedAndKeptInOrder) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->job->log("info", "1");
  work->job->complete(R"({"content":[],"structuredContent":{"a":")" + std::string(200'000, 'x') +
                      R"("}})");
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
  const auto log = bench.log(id);
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[1].type, EntryType::log);
}

TEST(Engine_Results, CarryNoCharacterThatXmlCannot) {
  EngineBench bench;
  std::string id;
  bench.work(id)->job->complete("{\"content\":[],\"structuredContent\":{\"a\":\"\xEF\xBF\xBE\"}}");
  EXPECT_NE(bench.until(id, State::completed).outcome.find(R"("a":"\ufffe")"), std::string::npos);
  bench.work(id)->job->complete(R"({"content":[],"structuredContent":{"a":"\ud800"}})");
  const tasks::Task surrogate = bench.until(id, State::failed);
  EXPECT_NE(surrogate.outcome.find(R"("code":"internal-error")"), std::string::npos);
  bench.work(id)->job->complete("{\"content\":[],\"structuredContent\":{\"a\":\"\x01\"}}");
  EXPECT_EQ(bench.until(id, State::failed).state, State::failed);
}

TEST(Engine_Results, ThatComeAfterTheEndAreCountedAndDropped) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->job->complete(kResult);
  work->job->fail(tasks::Failure("late", "Too late.", false));
  bench.until(id, State::completed);
  work->job->complete(kResult);
  EXPECT_EQ(bench.state(id).state, State::completed);
  EXPECT_EQ(bench.engine().statistics().discarded_reports, 2U);
}

TEST(Engine_Questions, LargerThanTheNetworkCarriesAreRefusedToTheWork) {
  EngineBench bench(guarded(600));
  std::string id;
  const auto work = bench.work(id);
  engine::AskedQuestion large = asks("a");
  large.text = std::string(600, 'x');
  work->ask({large});
  EXPECT_EQ(work->refused().reason, ErrorReason::too_large);
  work->ask({asks("b")});
  EXPECT_EQ(bench.until(id, State::input_required).pending->questions.front().key, "b");
}

TEST(Engine_Questions, WithoutAProperSchemaAreRefusedAndTheWorkGoesOn) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  engine::AskedQuestion broken = asks("a");
  broken.schema = R"({"type":"strin"})";
  work->ask({broken}, "{}");
  EXPECT_NE(work->refused().kind, ErrorKind::internal);
  engine::ProgressReport progress;
  progress.percent = 10;
  work->job->progress(progress);
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Questions, ThatTheCallerCannotAnswerLeaveTheWorkRunning) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  engine::AskedQuestion page = asks("a");
  page.kind = tasks::QuestionKind::url;
  work->ask({page});
  EXPECT_EQ(work->refused().kind, ErrorKind::not_acceptable);
  engine::ProgressReport progress;
  progress.percent = 10;
  work->job->progress(progress);
  bench.until(id, State::running);
  work->job->complete(kResult);
  bench.until(id, State::completed);
  const auto log = bench.log(id);
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[1].type, EntryType::progress);
}

TEST(Engine_Logs, OfATaskEndSomewhereAndItsEndIsStillKept) {
  EngineBench bench(with([](auto& configuration) { configuration.output.log_entries = 20; }));
  std::string id;
  const auto work = bench.work(id);
  for (int i = 0; i < 100; ++i) {
    bench.run(work->job->ready());
    work->job->log("info", std::to_string(i));
  }
  work->job->complete(kResult);
  const tasks::Task task = bench.until(id, State::completed);
  EXPECT_EQ(task.state, State::completed);
  EXPECT_LE(task.sequence, 21U);
  EXPECT_GE(bench.engine().statistics().discarded_reports, 80U);
}

TEST(Engine_Output, BeyondItsBoundsFailsTheTask) {
  EngineBench bench(with([](auto& configuration) { configuration.output.artifact_bytes = 1'000; }));
  std::string id;
  const auto work = bench.work(id);
  for (int i = 0; i < 3; ++i) {
    tasks::ArtifactChunk chunk;
    chunk.artifact = "a";
    chunk.parts = "[\"" + std::string(400, 'x') + "\"]";
    chunk.append = true;
    work->job->output(std::move(chunk));
  }
  EXPECT_NE(bench.until(id, State::failed).outcome.find("interline:result-too-large"),
            std::string::npos);
}

TEST(Engine_Output, ThatIsNoListOfPartsFailsTheTask) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  tasks::ArtifactChunk chunk;
  chunk.artifact = "a";
  chunk.parts = "[1,";
  work->job->output(std::move(chunk));
  work->job->complete(kResult);
  EXPECT_NE(bench.until(id, State::failed).outcome.find("internal-error"), std::string::npos);
}

TEST(Engine_Store, ThatRefusesADispatchForAWhileGetsItAgain) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  const auto work = bench.work(first);
  const auto second = bench.admit(kAlice, bench.puppet_call());
  ASSERT_TRUE(second);
  bench.store().refuse(2, applies<tasks::Dispatch>);
  work->job->complete(kResult);
  bench.puppet().next()->job->complete(kResult);
  EXPECT_EQ(bench.until(second->task, State::completed).state, State::completed);
  EXPECT_EQ(bench.store().left_to_refuse(), 0);
}

TEST(Engine_Store, ThatRefusesAResultForAWhileGetsItAgain) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  bench.store().refuse(2, applies<tasks::Complete>);
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
  EXPECT_EQ(bench.engine().statistics().discarded_reports, 0U);
}

TEST(Engine_Store, ThatTakesNoNewsDoesNotKeepAResultFromSettling) {
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  bench.until(id, State::running);
  bench.store().refuse(1'000'000, applies<tasks::Note>);
  for (int i = 0; i < 5; ++i) work->job->log("info", "1");
  work->job->complete(kResult);
  EXPECT_EQ(bench.until(id, State::completed).state, State::completed);
}

TEST(Engine_Store, ThatRefusesToConfirmACancellationForAWhileGetsItAgain) {
  engine::LaneConfiguration lane;
  lane.concurrency = 1;
  EngineBench bench(lane);
  std::string first;
  const auto work = bench.work(first);
  const auto second = bench.admit(kAlice, bench.puppet_call());
  bench.store().refuse(2, applies<tasks::ConfirmCancelled>);
  engine::Cancellation request;
  request.task = second->task;
  ASSERT_TRUE(bench.run(bench.engine().cancel(kAlice, request)));
  EXPECT_EQ(bench.until(second->task, State::cancelled).state, State::cancelled);
  EXPECT_EQ(bench.store().left_to_refuse(), 0);
}

TEST(Engine_Committer, BoundsWhatWaits) {
  EngineBench bench(with([](auto& configuration) {
    configuration.committer.waiting = 4;
    configuration.committer.reserved = 2;
  }));
  std::vector<std::future<Result<engine::Admission>>> admissions;
  for (int i = 0; i < 400; ++i) {
    admissions.push_back(bench.spawn(bench.engine().admit(kAlice, bench.call("echo"))));
  }
  std::vector<std::string> tasks;
  for (auto& admission : admissions) {
    const auto made = admission.get();
    if (made) {
      tasks.push_back(made->task);
    } else {
      EXPECT_EQ(made.error().kind, ErrorKind::resource_constraint);
    }
  }
  ASSERT_FALSE(tasks.empty());
  for (const std::string& task : tasks) {
    EXPECT_EQ(bench.until(task, State::completed).state, State::completed);
  }
}

TEST(Engine_Operators, SeeAndCancelEveryTaskAndAnswerNone) {
  const Principal root = Principal::of("local", "root");
  EngineBench bench;
  std::string id;
  const auto work = bench.work(id);
  work->ask({asks("a")});
  const tasks::Task asked = bench.until(id, State::input_required);
  EXPECT_TRUE(bench.run(bench.engine().state(root, id)));
  EXPECT_TRUE(bench.run(bench.engine().watch(root, id, 0)));
  EXPECT_EQ(bench.run(bench.engine().list_tasks(root, store::TaskQuery()))->total, 1U);
  store::TaskQuery bobs;
  bobs.owners = {kBob.text()};
  EXPECT_EQ(bench.run(bench.engine().list_tasks(root, bobs))->total, 0U);
  engine::Input input;
  input.task = id;
  input.request = asked.pending->id;
  input.value = R"("x")";
  EXPECT_EQ(bench.run(bench.engine().provide_input(root, input)).error().kind,
            ErrorKind::not_found);
  EXPECT_EQ(bench.run(bench.engine().hold(root, id)).error().kind, ErrorKind::not_found);
  engine::Cancellation request;
  request.task = id;
  EXPECT_TRUE(bench.run(bench.engine().cancel(root, request)));
}

TEST(Engine_Authorization, WhatIsHiddenIsDescribedLikeWhatIsAbsent) {
  EngineBench bench;
  const auto hidden = bench.run(bench.engine().describe(kAlice, "hidden", ""));
  const auto absent = bench.run(bench.engine().describe(kAlice, "nowhere", ""));
  const auto version = bench.run(bench.engine().describe(kAlice, "hidden", "1"));
  const auto no_version = bench.run(bench.engine().describe(kAlice, "demo", "2"));
  ASSERT_FALSE(hidden || absent || version || no_version);
  EXPECT_EQ(hidden.error(), absent.error());
  EXPECT_EQ(version.error(), absent.error());
  EXPECT_EQ(no_version.error(), absent.error());
}

TEST(Engine_Rates, OfAForeignDomainAreThoseOfXmppSendersAlone) {
  EngineBench bench(with([](auto& configuration) {
    configuration.rates = policy::RateConfiguration::from(500);
    configuration.rates.federated_domain_factor = 0.01;
  }));
  const auto charge = [&bench](const Principal& who) {
    int taken = 0;
    for (int i = 0; i < 30; ++i) {
      taken += bench.engine().charge(who, policy::RateClass::invoke) ? 1 : 0;
    }
    return taken;
  };
  EXPECT_EQ(charge(Principal::of("key", "ci")), 30);
  EXPECT_EQ(charge(Principal::of("jwt", "https://id.example#alice")), 30);
  EXPECT_EQ(charge(kAlice), 30);
  EXPECT_LT(charge(kStranger), 30);
}

}  // namespace
}  // namespace interline::testing
