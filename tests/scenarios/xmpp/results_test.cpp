// The checklist's numbers on what a tool returns: its own schema, text that cannot be sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../engine/bench.hpp"
#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string code_of(const Emitted& failed) {
  return string_member(member(failed.payload().text(), "error"), "code");
}

/// demo's version 2: `echo` and `fail` have to return an object with an integer.
struct Declared {
  explicit Declared(XmppBench& a_bench) : bench(a_bench) {
    const std::string schemas =
        R"("inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"],)"
        R"("properties":{"n":{"type":"integer"}}}})";
    hash = bench.add("demo", manifest_text("demo", "2", "",
                                           R"([{"name":"echo",)" + schemas + R"(,{"name":"fail",)" +
                                               schemas + "]"));
  }
  [[nodiscard]] std::string call(std::string_view tool, std::string_view arguments) const {
    std::string xml = bench.invoke_xml(tool, arguments);
    xml.replace(xml.find("api-version='1'"), 15, "api-version='2'");
    const std::string old_hash = hash_xml(bench.demo_hash());
    const Reply reply =
        bench.set(kCaller, kDemo, xml.replace(xml.find(old_hash), old_hash.size(), hash_xml(hash)));
    EXPECT_TRUE(reply.ok()) << reply.bytes;
    return reply.value("task-id");
  }

  XmppBench& bench;
  Digest hash{};
};

Reply result_of_puppet(XmppBench& bench, const std::string& task) {
  return bench.get(kCaller, kPuppet,
                   "<task-result-request xmlns='urn:xmpp:agent-task:0' task-id='" + task + "'/>");
}

TEST(XmppChecklist, C13_101_WhatDoesNotFitTheToolsOutputSchemaIsNotCompleted) {
  XmppBench bench;
  const Declared declared(bench);
  const Emitted fits = bench.event_of_type(declared.call("echo", R"({"n":1})"), "completed");
  EXPECT_THAT(fits.payload().text(), HasSubstr(R"("structuredContent":{"n":1})"));
  for (const std::string_view bad : {R"({"n":"m4rker"})", R"({"n":1.5})", "{}"}) {
    const std::string task = declared.call("echo", bad);
    const Emitted end = bench.event_of_type(task, "failed");
    EXPECT_EQ(code_of(end), "internal-error") << bad;
    EXPECT_THAT(end.payload().text(), Not(HasSubstr("m4rker")));
    EXPECT_EQ(bench.result(task).text(), end.payload().text());
  }
  // A result that says that it is an error needs no structure.
  const std::string error = declared.call("fail", R"({"isError":true})");
  const Emitted end = bench.event_of_type(error, "completed");
  EXPECT_EQ(member(member(end.payload().text(), "result"), "isError"), "true");
}

TEST(XmppChecklist, C13_074_ALoneSurrogateFailsItsTaskCleanly) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  for (const std::string_view text : {R"(\ud800)", R"(\udc00\ud800)", R"(a\ud83d b)"}) {
    const auto [task, work] = bench.invoke_puppet();
    work->job->complete(R"({"content":[{"type":"text","text":")" + std::string(text) + R"("}]})");
    EXPECT_EQ(code_of(bench.event_of_type(task, "failed")), "internal-error") << text;
  }
  const auto [task, work] = bench.invoke_puppet();
  work->job->complete(R"({"content":[{"type":"text","text":"\ud83d\ude00"}]})");
  // A whole one is kept as the tool wrote it.
  EXPECT_THAT(bench.event_of_type(task, "completed").bytes, HasSubstr(R"("\ud83d\ude00")"));
}

// RFC 8785 has no form for it, and an event's payload is compared in that form.
TEST(XmppChecklist, C13_074_ANumberThatNoDoubleHoldsFailsItsTaskCleanly) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto result_with = [](std::string_view number) {
    return R"({"content":[],"structuredContent":{"n":)" + std::string(number) + "}}";
  };
  for (const std::string_view number : {"1e400", "-1e309", "123456e99999999999999999999"}) {
    const auto [task, work] = bench.invoke_puppet();
    work->job->complete(result_with(number));
    const Emitted end = bench.event_of_type(task, "failed");
    EXPECT_EQ(code_of(end), "internal-error") << number;
    EXPECT_THAT(end.bytes, Not(HasSubstr(number)));
    EXPECT_EQ(result_of_puppet(bench, task).value("state"), "failed");
  }
  // All others are kept as the tool wrote them.
  for (const std::string_view number :
       {"1.7976931348623157e308", "1e-400", "-0.0", "1E+2", "12345678901234567890123"}) {
    const auto [task, work] = bench.invoke_puppet();
    work->job->complete(result_with(number));
    EXPECT_THAT(bench.event_of_type(task, "completed").payload().text(),
                HasSubstr("{\"n\":" + std::string(number) + "}"));
  }
  // Details of a failure are left out.
  const auto [task, work] = bench.invoke_puppet();
  tasks::Failure failure("internal-error", "It broke.", false);
  failure.details = R"({"n":1e400})";
  work->job->fail(std::move(failure));
  const Emitted end = bench.event_of_type(task, "failed");
  EXPECT_EQ(string_member(member(end.payload().text(), "error"), "message"), "It broke.");
  EXPECT_THAT(end.payload().text(), Not(HasSubstr("1e400")));
}

TEST(XmppChecklist, C13_126_AndC13_149_AFailureShowsNeitherSecretsNorTraces) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const std::pair<std::string, std::string> messages[] = {
      {"Authorization: Bearer abcdef0123456789", "Authorization: [redacted]"},
      {"no login with password=hunter2hunter2", "no login with password=[redacted]"},
      {"It broke.\nTraceback (most recent call last):\n  File \"/app/secrets.py\", line 7",
       "It broke."},
      {"Traceback (most recent call last):\n  File \"/app/secrets.py\", line 7",
       "The task failed."},
  };
  for (const auto& [said, shown] : messages) {
    const auto [task, work] = bench.invoke_puppet();
    tasks::Failure failure("internal-error", said, false);
    failure.details = R"({"header":"authorization: Bearer abcdef0123456789"})";
    work->job->fail(std::move(failure));
    const std::string error = member(bench.event_of_type(task, "failed").payload().text(), "error");
    EXPECT_EQ(string_member(error, "message"), shown);
    EXPECT_THAT(error, Not(HasSubstr("details")));
    const Reply result = result_of_puppet(bench, task);
    EXPECT_EQ(result.value("state"), "failed");
    for (const char* secret : {"abcdef", "hunter2", "secrets.py"}) {
      EXPECT_THAT(result.bytes, Not(HasSubstr(secret)));
    }
  }
  const auto [task, work] = bench.invoke_puppet();
  tasks::Failure plain("internal-error", "The printer is out of paper.", true);
  plain.details = R"({"printer":"third floor"})";
  work->job->fail(std::move(plain));
  const std::string error = member(bench.event_of_type(task, "failed").payload().text(), "error");
  EXPECT_EQ(string_member(error, "message"), "The printer is out of paper.");
  EXPECT_EQ(member(error, "details"), R"({"printer":"third floor"})");
}

TEST(XmppChecklist, C13_126_AFailuresMessageHasItsLength) {
  XmppBenchOptions options;
  options.puppet = true;
  XmppBench bench(options);
  const auto [task, work] = bench.invoke_puppet();
  work->job->fail(tasks::Failure("internal-error", std::string(10'000, 'm'), true));
  const Emitted end = bench.event_of_type(task, "failed");
  const std::string error = member(end.payload().text(), "error");
  EXPECT_EQ(string_member(error, "code"), "internal-error");
  EXPECT_LE(string_member(error, "message").size(), 4'096U);
  EXPECT_EQ(member(error, "retryable"), "true");
}

}  // namespace
}  // namespace interline::testing
