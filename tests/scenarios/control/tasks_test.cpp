// Calls and tasks over the control socket: docs/control-api.md.
#include <algorithm>
#include <future>
#include <utility>

#include "control_bench.hpp"

namespace interline::testing {
namespace {

std::string type_of(const net::http::SseEvent& event) {
  const auto parsed = json::parse(event.data);
  const json::Value* type = parsed->root().find("type");
  return event.type == "entry" ? std::string(type->as_string()) : event.type;
}

TEST(ControlCalls, ACallIsATaskOfTheSocketsUser) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "echo", R"({"a":1})");
  const Reply shown = bench.until(kDaemon, task, "completed");
  EXPECT_EQ(shown.status, 200U);
  EXPECT_EQ(shown.text("owner"), "local:daemon");
  EXPECT_EQ(shown.text("network"), "local");
  EXPECT_EQ(shown.text("state"), "completed");
  const auto document = shown.json();
  const json::Value* outcome = document.root().find("outcome");
  ASSERT_NE(outcome, nullptr);
  EXPECT_EQ(outcome->find("result")->find("structuredContent")->source(), R"({"a":1})");
}

TEST(ControlCalls, AUserWithoutANameIsItsNumber) {
  ControlBench bench;
  const std::string task = bench.call(kNobodyWeKnow, "echo");
  EXPECT_EQ(bench.get(kNobodyWeKnow, "/v1/tasks/" + task).text("owner"), "local:#987654");
}

TEST(ControlCalls, TheSameRequestKeyIsTheSameTask) {
  ControlBench bench;
  const std::string call =
      R"({"endpoint":"demo","tool":"echo","arguments":{"a":1},"requestKey":"k1"})";
  const Reply first = bench.post(kDaemon, "/v1/calls", call);
  const Reply again = bench.post(kDaemon, "/v1/calls", call);
  EXPECT_EQ(first.status, 201U);
  EXPECT_EQ(again.status, 200U);
  EXPECT_EQ(first.text("task"), again.text("task"));
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks").json().root().find("total")->as_number_text(), "1");
}

TEST(ControlCalls, TheSameRequestKeyWithAnythingElseIsAConflict) {
  ControlBench bench;
  const auto call = [&bench](const std::string& rest) {
    return bench.post(kDaemon, "/v1/calls",
                      R"({"endpoint":"demo","requestKey":"k1",)" + rest + "}");
  };
  EXPECT_EQ(call(R"("tool":"echo","arguments":{"a":1})").status, 201U);
  for (const auto* const other :
       {R"("tool":"echo","arguments":{"a":2})", R"("tool":"wait","arguments":{})",
        R"("tool":"echo","arguments":{"a":1},"deadline":"2090-01-01T00:00:00Z")",
        R"("tool":"echo","arguments":{"a":1},"context":"c")"}) {
    const Reply refused = call(other);
    EXPECT_EQ(refused.status, 409U) << other;
    EXPECT_EQ(refused.error("reason"), "different_request") << other;
  }
}

TEST(ControlCalls, AnotherUsersRequestKeyIsAnotherKey) {
  ControlBench bench;
  const std::string call = R"({"endpoint":"demo","tool":"echo","requestKey":"k1"})";
  EXPECT_NE(bench.post(kDaemon, "/v1/calls", call).text("task"),
            bench.post(kBin, "/v1/calls", call).text("task"));
}

TEST(ControlCalls, HiddenAndAbsentAndForbiddenAreTheSameBytes) {
  ControlBench bench;
  const auto call = [&bench](const std::string& endpoint, const std::string& tool) {
    return bench.post(kDaemon, "/v1/calls",
                      R"({"endpoint":")" + endpoint + R"(","tool":")" + tool + "\"}");
  };
  const Reply absent = call("nothing", "echo");
  EXPECT_EQ(absent.status, 404U);
  EXPECT_EQ(call("hidden", "echo").body, absent.body);
  EXPECT_EQ(call("demo", "nothing").body, absent.body);
}

TEST(ControlCalls, ArgumentsThatDoNotFitAreSaidWhere) {
  ControlBench bench;
  const Reply refused = bench.post(
      kDaemon, "/v1/calls", R"({"endpoint":"demo","tool":"sleep","arguments":{"steps":"x"}})");
  EXPECT_EQ(refused.status, 422U);
  EXPECT_NE(refused.error("message").find("/steps"), std::string::npos);
}

TEST(ControlTasks, ATaskOfAnotherAnswersAsOneThatIsNot) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "ask");
  bench.until(kDaemon, task, "input_required");
  const std::string none(task.size(), 'x');
  struct Operation {
    net::http::Method method;
    std::string path;
    std::string body;
  };
  using enum net::http::Method;
  const std::vector<Operation> operations = {{get, "", ""},
                                             {get, "/events", ""},
                                             {post, "/answer", R"({"value":"x"})"},
                                             {post, "/answer", R"({"action":"decline"})"},
                                             {post, "/answer", R"({"request":"r","value":"x"})"},
                                             {post, "/cancel", ""},
                                             {post, "/approve", ""}};
  for (const Operation& operation : operations) {
    const auto ask = [&](const std::string& id) {
      return bench.ask(kBin, operation.method, "/v1/tasks/" + id + operation.path, operation.body);
    };
    const Reply others = ask(task);
    const Reply unknown = ask(none);
    EXPECT_EQ(others.status, 404U) << operation.path;
    EXPECT_EQ(others.body, unknown.body) << operation.path;
  }
  EXPECT_EQ(bench.get(kBin, "/v1/tasks").body, R"({"tasks":[],"total":0})"
                                               "\n");
}

TEST(ControlTasks, AnOperatorSeesAndCancelsEveryTaskAndAnswersNone) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "ask");
  bench.until(kDaemon, task, "input_required");
  EXPECT_EQ(bench.get(kRoot, "/v1/tasks/" + task).status, 200U);
  const auto may_answer = [&](uid_t user) {
    const auto document = bench.get(user, "/v1/tasks/" + task).json();
    return std::string(document.root().find("pending")->find("mayAnswer")->source());
  };
  EXPECT_EQ(may_answer(kDaemon), "true");
  EXPECT_EQ(may_answer(kRoot), "false");
  EXPECT_EQ(bench.get(kRoot, "/v1/tasks").json().root().find("tasks")->size(), 1U);
  const auto refused = bench.post(kRoot, "/v1/tasks/" + task + "/answer", R"({"value":"x"})");
  EXPECT_EQ(refused.status, 403U);
  EXPECT_EQ(refused.error("message"), "Only local:daemon can answer this.");
  EXPECT_EQ(bench.post(kRoot, "/v1/tasks/" + task + "/cancel").status, 200U);
  EXPECT_EQ(bench.until(kDaemon, task, "cancelled").text("state"), "cancelled");
}

TEST(ControlTasks, TheOwnerAnswers) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "ask");
  const Reply asked = bench.until(kDaemon, task, "input_required");
  const auto document = asked.json();
  const json::Value* pending = document.root().find("pending");
  ASSERT_NE(pending, nullptr);
  EXPECT_EQ(pending->find("questions")->size(), 1U);
  const std::string request(pending->find("body")->find("requestId")->as_string());
  EXPECT_EQ(bench
                .post(kDaemon, "/v1/tasks/" + task + "/answer",
                      R"({"request":")" + request + R"(","value":7})")
                .status,
            422U);
  const std::string answer = R"({"request":")" + request + R"(","value":"Ada"})";
  EXPECT_EQ(bench.post(kDaemon, "/v1/tasks/" + task + "/answer", answer).status, 200U);
  const Reply done = bench.until(kDaemon, task, "completed");
  EXPECT_NE(done.body.find(R"({"answers":["Ada"]})"), std::string::npos);
  // A repeated answer, as after an answer of ours that was lost, says what the first one said.
  const Reply again = bench.post(kDaemon, "/v1/tasks/" + task + "/answer", answer);
  EXPECT_EQ(again.status, 200U);
  EXPECT_NE(again.body.find(R"("replayed":true)"), std::string::npos);
  const Reply other = bench.post(kDaemon, "/v1/tasks/" + task + "/answer",
                                 R"({"request":")" + request + R"(","value":"Eve"})");
  EXPECT_EQ(other.status, 409U);
  EXPECT_EQ(other.error("reason"), "already_answered");
}

TEST(ControlTasks, AllQuestionsAreDeclinedAtOnceOrAnsweredOneByOne) {
  ControlBench bench;
  const std::string declined = bench.call(kDaemon, "ask", R"({"count":2})");
  bench.until(kDaemon, declined, "input_required");
  EXPECT_EQ(
      bench.post(kDaemon, "/v1/tasks/" + declined + "/answer", R"({"action":"decline"})").status,
      200U);
  EXPECT_NE(bench.until(kDaemon, declined, "completed").body.find("[null,null]"),
            std::string::npos);

  const std::string parts = bench.call(kDaemon, "ask", R"({"count":2})");
  const auto document = bench.until(kDaemon, parts, "input_required").json();
  const auto questions = document.root().find("pending")->find("questions")->items();
  const auto id = [&questions](std::size_t i) {
    return std::string(questions[i].find("id")->as_string());
  };
  EXPECT_EQ(bench
                .post(kDaemon, "/v1/tasks/" + parts + "/answer",
                      R"({"answers":[{"question":")" + id(0) + R"(","value":"a"}]})")
                .status,
            200U);
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks/" + parts).text("state"), "input_required");
  EXPECT_EQ(bench
                .post(kDaemon, "/v1/tasks/" + parts + "/answer",
                      R"({"answers":[{"question":")" + id(1) + R"(","action":"decline"}]})")
                .status,
            200U);
  EXPECT_NE(bench.until(kDaemon, parts, "completed").body.find(R"(["a",null])"), std::string::npos);
}

TEST(ControlTasks, AnAnswerWhereNothingWasAskedIsAConflict) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "never");
  const Reply reply = bench.post(kDaemon, "/v1/tasks/" + task + "/answer", R"({"value":1})");
  EXPECT_EQ(reply.status, 409U);
  bench.post(kDaemon, "/v1/tasks/" + task + "/cancel");
  bench.until(kDaemon, task, "cancelled");
  const Reply late = bench.post(kDaemon, "/v1/tasks/" + task + "/answer", R"({"value":1})");
  EXPECT_EQ(late.status, 409U);
  EXPECT_EQ(late.error("reason"), "terminal");
}

TEST(ControlTasks, ACancellationCarriesItsReasonAndIsRepeated) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "never");
  const std::string cancel = "/v1/tasks/" + task + "/cancel";
  EXPECT_EQ(bench.post(kDaemon, cancel, R"({"reason":"enough"})").status, 200U);
  EXPECT_NE(bench.post(kDaemon, cancel).body.find(R"("replayed":true)"), std::string::npos);
  EXPECT_NE(bench.until(kDaemon, task, "cancelled").body.find(R"("outcome":{"reason":"enough"})"),
            std::string::npos);
}

TEST(ControlTasks, AStaleRevisionIsAConflict) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "ask");
  bench.until(kDaemon, task, "input_required");
  const Reply reply =
      bench.post(kDaemon, "/v1/tasks/" + task + "/cancel", R"({"expectedRevision":0})");
  EXPECT_EQ(reply.status, 409U);
  EXPECT_EQ(reply.error("reason"), "stale_revision");
}

TEST(ControlTasks, PagesFollowOneAnotherWithoutALossOrARepetition) {
  ControlBench bench;
  std::vector<std::string> made;
  for (int i = 0; i < 7; ++i) {
    made.push_back(bench.call(kDaemon, "echo"));
    bench.until(kDaemon, made.back(), "completed");
  }
  bench.call(kBin, "echo");
  std::vector<std::string> listed;
  std::string after;
  std::size_t pages = 0;
  do {
    const Reply page = bench.get(kDaemon, "/v1/tasks?state=completed,failed&limit=3" + after);
    ASSERT_EQ(page.status, 200U) << page.body;
    const auto document = page.json();
    for (const json::Value& task : document.root().find("tasks")->items()) {
      listed.emplace_back(task.find("id")->as_string());
    }
    after = page.text("next").empty() ? "" : "&after=" + page.text("next");
    ++pages;
  } while (!after.empty());
  EXPECT_EQ(pages, 3U);
  std::ranges::sort(made);
  std::ranges::sort(listed);
  EXPECT_EQ(listed, made);
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks?state=failed").json().root().find("tasks")->size(), 0U);
}

TEST(ControlTasks, AHeldTaskStartsWhenItIsApproved) {
  engine::LaneConfiguration one_at_a_time;
  one_at_a_time.concurrency = 1;
  ControlBench bench(one_at_a_time);
  const std::string first = bench.call(kDaemon, "never");
  const std::string held = bench.call(kDaemon, "echo");
  // Nothing that is called over this socket holds a task; a binding does.
  const auto who = policy::Principal::of("local", "daemon");
  ASSERT_TRUE(bench.bench().run(bench.bench().engine().hold(who, held)));
  bench.post(kDaemon, "/v1/tasks/" + first + "/cancel");
  bench.until(kDaemon, first, "cancelled");
  const Reply waiting = bench.get(kDaemon, "/v1/tasks/" + held);
  EXPECT_NE(waiting.body.find(R"("held":true)"), std::string::npos);
  EXPECT_EQ(waiting.text("state"), "accepted");
  EXPECT_EQ(bench.post(kBin, "/v1/tasks/" + held + "/approve").status, 404U);
  EXPECT_EQ(bench.post(kRoot, "/v1/tasks/" + held + "/approve").status, 200U);
  EXPECT_EQ(bench.until(kDaemon, held, "completed").text("state"), "completed");
}

TEST(ControlTasks, ApprovingWhatIsNotHeldChangesNothing) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "never");
  bench.until(kDaemon, task, "running");  // nothing else changes it from here on
  const std::string approve = "/v1/tasks/" + task + "/approve";
  EXPECT_EQ(bench.post(kDaemon, approve).body, bench.post(kRoot, approve).body);
}

TEST(ControlEvents, BeginWithTheTaskAndEndWithItsEnd) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "sleep", R"({"milliseconds":30,"steps":3})");
  const auto events = bench.follow(kDaemon, task);
  ASSERT_GE(events.size(), 2U);
  EXPECT_EQ(events.front().type, "snapshot");
  EXPECT_EQ(type_of(events.back()), "completed");
  std::uint64_t last = std::stoull(events.front().id);
  for (std::size_t i = 1; i < events.size(); ++i) {
    EXPECT_EQ(events[i].type, "entry");
    EXPECT_EQ(std::stoull(events[i].id), last + 1);  // none lost, none twice
    last = std::stoull(events[i].id);
  }
}

TEST(ControlEvents, OfASettledTaskAreItsSnapshot) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "echo");
  bench.until(kDaemon, task, "completed");
  const auto events = bench.follow(kDaemon, task);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().type, "snapshot");
  EXPECT_NE(events.front().data.find(R"("outcome":)"), std::string::npos);
}

TEST(ControlEvents, AFollowerThatLeavesGivesItsPlaceBack) {
  engine::GatewayConfiguration defaults;
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "never");
  for (int i = 0; i < 300; ++i) bench.follow_and_leave(kDaemon, task);
  // Every place is given back on the connection's own strand: looked at until it has happened.
  while (bench.bench().engine().statistics().followers > 0) std::this_thread::yield();
  EXPECT_EQ(bench.bench().engine().statistics().followers, 0U);
  EXPECT_LT(300U, defaults.followers);
}

TEST(ControlEvents, EndAllLetsEveryFollowerGo) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "never");
  std::promise<void> begun;
  bench.on_event = [&, first = true](const auto&) mutable {
    if (std::exchange(first, false)) begun.set_value();
  };
  auto followed = std::async(std::launch::async, [&] { return bench.follow(kDaemon, task); });
  begun.get_future().wait();
  bench.streams().end_all();
  const auto events = followed.get();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().type, "snapshot");
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks/" + task + "/events").status, 503U);
}

}  // namespace
}  // namespace interline::testing
