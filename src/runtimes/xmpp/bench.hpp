// A runtime whose agent is the test, and calls of it in the states that tests begin with.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/manual_clock.hpp"
#include "runtimes/test_support.hpp"
#include "runtimes/xmpp/call_memory.hpp"
#include "runtimes/xmpp/scripted_link.hpp"
#include "runtimes/xmpp/xmpp_runtime.hpp"

namespace interline::runtimes::xmpp::testing {

using namespace std::chrono_literals;
using namespace protocols::xmpp;
using runtimes::testing::FakeJob;
using tasks::EntryType;
using tasks::State;
using ::testing::StartsWith;

inline constexpr std::string_view kTask = "tk-aaaaaaaaaaaaaaaaaaaaaa";
inline constexpr std::string_view kRunning =
    R"({"state":"running","updatedAt":"2026-01-01T00:00:00Z"})";
inline constexpr std::string_view kResult =
    R"({"content":[{"type":"text","text":"\u0041"}],"isError":true})";

inline AgentLimits quick() {
  AgentLimits limits;
  limits.look_every = 1h;
  limits.silence_first = limits.silence_longest = 1h;
  limits.retry_first = 1ms;
  limits.retry_longest = 2ms;
  return limits;
}

inline EndpointInfo info(std::string version = "1") {
  EndpointInfo made;
  made.pins = {std::move(version), "hash"};
  made.replay = 1h;
  made.tasks = made.manifests = made.progress = made.cancel = made.input = true;
  return made;
}

inline std::string question_body(std::string request, std::string text = "Which?") {
  return R"({"requestId":")" + request + R"(","question":")" + text +
         R"(","inputSchema":{"type":"object"},"createdAt":"2026-01-01T00:00:00Z"})";
}
inline const std::string kFirst = "in-1aaaaaaaaaaaaaaaaaaaaa";
inline const std::string kSecond = "in-2aaaaaaaaaaaaaaaaaaaaa";

inline Event event(tasks::Revision revision, EntryType type, std::string body) {
  Event made;
  made.task = kTask;
  made.id = "ev-" + std::to_string(revision);
  made.revision = revision;
  made.type = type;
  made.body = std::move(body);
  return made;
}

inline RemoteState state(State is, tasks::Revision revision, std::string pending = {}) {
  RemoteState made;
  made.task = kTask;
  made.state = is;
  made.revision = revision;
  made.result_available = tasks::is_terminal(is);
  made.pending = std::move(pending);
  return made;
}

inline Script::Answer refused(std::string condition) {
  return std::unexpected(Fault(Fault::Kind::refused, std::move(condition)));
}
inline Script::Answer lost() {
  return std::unexpected(Fault(Fault::Kind::unanswered));
}
inline Script::Answer taken(tasks::Revision revision) {
  return Taken{std::string(kTask), revision};
}

class Bench {
 public:
  explicit Bench(AgentLimits limits = quick())
      : runtime(std::make_unique<XmppRuntime>(fixture.executor(),
                                              std::make_unique<ScriptedLink>(script), clock,
                                              fixture.log(), limits)) {}
  ~Bench() {
    runtime.reset();
    script->close();
  }

  Result<engine::ImportedTools> import(EndpointInfo of, std::string manifest, Pins pins) {
    auto listed = std::async([this] { return fixture.run(runtime->list_tools()); });
    script->expect<AskEndpoint>(of);
    script->expect<AskManifest>(ManifestText{std::move(pins), std::move(manifest)});
    return listed.get();
  }
  void meet() {
    (void)import(info(), R"({"tools":[{"name":"work","inputSchema":{"type":"object"}}]})",
                 info().pins);
  }

  static engine::JobInput input() {
    engine::JobInput made;
    made.handle = "handle";
    made.tool = "work";
    made.arguments = R"({"a":1})";
    made.repeat_key = "0123456789abcdefghijkl";
    return made;
  }
  std::shared_ptr<FakeJob> start(engine::JobInput with = input()) {
    auto job = fixture.job(std::move(with));
    job->definition = with_pins(R"({"name":"work"})", info().pins);
    runtime->start(job);
    return job;
  }
  /// A call that the agent has accepted.
  std::shared_ptr<FakeJob> accepted() {
    meet();
    auto job = start();
    EXPECT_THAT(job->next(), StartsWith("remember"));
    accept();
    EXPECT_THAT(job->next(), StartsWith("remember"));
    return job;
  }
  Invoke accept() {
    auto asked = script->next();
    auto* invoke = std::get_if<Invoke>(&asked.request);
    if (invoke == nullptr) throw std::runtime_error("something else was asked");
    Invoke copy = *invoke;
    asked.answer(Accepted{copy.request, std::string(kTask)});
    return copy;
  }
  std::shared_ptr<FakeJob> running() {
    auto job = accepted();
    script->tell(event(1, EntryType::status, std::string(kRunning)));
    return job;
  }
  /// A call whose agent waits for an answer.
  std::shared_ptr<FakeJob> asked() {
    auto job = running();
    script->tell(event(2, EntryType::input_required, question_body(kFirst)));
    EXPECT_THAT(job->next(), StartsWith("ask " + kFirst + " form Which?"));
    return job;
  }
  void complete(tasks::Revision revision) {
    script->tell(
        event(revision, EntryType::completed, R"({"result":)" + std::string(kResult) + "}"));
  }
  /// A call that an earlier start had remembered.
  static engine::JobInput resumed(std::string task) {
    CallMemory memory;
    memory.pins = {"1", "hash"};
    memory.request = "il.0123456789abcdefghijkl";
    memory.repeat_until = 1'767'225'600 + 3'000;  // the clock begins with 2026
    memory.task = std::move(task);
    engine::JobInput with = input();
    with.memory = memory.text();
    return with;
  }

  const std::shared_ptr<Script> script = std::make_shared<Script>();
  const std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  runtimes::testing::Fixture fixture;
  std::unique_ptr<XmppRuntime> runtime;
};

inline std::string done() {
  return "complete " + std::string(kResult);
}

}  // namespace interline::runtimes::xmpp::testing
