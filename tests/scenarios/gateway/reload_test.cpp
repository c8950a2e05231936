// SIGHUP: what changes, what stays, and what a mistake does. And agents that are not there yet.
#include <signal.h>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "gateway_process.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string builtin(const std::string& name, const std::string& more = "") {
  return "[[endpoint]]\nname = \"" + name + "\"\nruntime = { kind = \"builtin\" }\n" + more;
}

class Reload : public GatewayTest {};

TEST_F(Reload, EndpointAdded_IsServed) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  configure(builtin("one") + builtin("two"));
  signal(SIGHUP);
  until("an endpoint is served", "endpoint=two");
  follow_until(call("two", "echo"), "completed");
  EXPECT_THAT(log(), Not(HasSubstr("an endpoint was changed")));
}

TEST_F(Reload, EndpointRemoved_IsGoneFromTheDirectory) {
  configure(builtin("one") + builtin("two"));
  start();
  EXPECT_THAT(ready_text(60), HasSubstr(R"("name":"two","state":"imported")"));
  configure(builtin("one"));
  signal(SIGHUP);
  until("the configuration was taken over");
  const Reply refused = local("POST", "/v1/calls", R"({"endpoint":"two","tool":"echo"})");
  EXPECT_EQ(refused.status, 404) << refused.body;
  EXPECT_THAT(ready_text(0), Not(HasSubstr("two")));
  follow_until(call("one", "echo"), "completed");
}

TEST_F(Reload, EndpointRemovedWhileDown_IsDeactivatedAtTheStart) {
  configure(builtin("one") + builtin("two"));
  start();
  EXPECT_THAT(ready_text(60), HasSubstr(R"("name":"two","state":"imported")"));
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  configure(builtin("one"));
  start();
  const Reply refused = local("POST", "/v1/calls", R"({"endpoint":"two","tool":"echo"})");
  EXPECT_EQ(refused.status, 404) << refused.body;
}

TEST_F(Reload, EndpointChanged_RunningCallEndsWithTheOldAgent) {
  configure(builtin("one", "concurrency = 2\n"));
  start();
  until("an endpoint is served", "endpoint=one");
  const std::string id = call("one", "ask", R"({"question":"Who?"})");
  follow_until(id, "input_required");
  configure(builtin("one", "concurrency = 2\ntitle = \"Changed\"\n"));
  signal(SIGHUP);
  until("an endpoint was changed");
  until("an endpoint is served", "endpoint=one");
  follow_until(call("one", "echo"), "completed");
  const Reply answered = local("POST", "/v1/tasks/" + id + "/answer", R"({"action":"decline"})");
  EXPECT_EQ(answered.status, 200) << answered.body;
  follow_until(id, "completed");
}

TEST_F(Reload, Mistake_RefusesAllOfIt) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  configure(builtin("two") + "[tasks]\ndrian = \"1s\"\n");
  signal(SIGHUP);
  until("a mistake in the configuration", "did you mean drain?");
  until("the old one goes on");
  EXPECT_THAT(ready_text(0), HasSubstr("one"));
  EXPECT_THAT(ready_text(0), Not(HasSubstr("two")));
  follow_until(call("one", "echo"), "completed");
}

TEST_F(Reload, AnEmptyFile_IsNotTaken) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  for (const std::string text : {"", "\n", "# saved in a moment\n"}) {
    write("interline.toml", text);
    signal(SIGHUP);
    until("the configuration file is empty");
  }
  EXPECT_THAT(ready_text(0), HasSubstr("one"));
  follow_until(call("one", "echo"), "completed");
}

TEST_F(Reload, Subscribers_HearOfNewGrantsAtOnce) {
  const std::string xmpp =
      "[gateway]\nlog_level = \"debug\"\n[xmpp]\ndomain = \"agents.example.test\"\n"
      "server = \"127.0.0.1:1\"\nsecret = \"x\"\nlocal_domains = [\"example.test\"]\n";
  configure(xmpp + builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  configure(xmpp + builtin("one") + builtin("two"));
  signal(SIGHUP);
  until("presence was looked at anew");
}

TEST_F(Reload, WhatNeedsARestart_IsSaidAndTheRestIsTaken) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  configure(builtin("two") + "[limits]\njson_depth = 32\n");
  signal(SIGHUP);
  until("needs a restart", "section=[limits]");
  until("an endpoint is served", "endpoint=two");
}

TEST_F(Reload, Grants_HoldForTheNextCall) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  write("interline.toml", "[http]\nlisten = \"127.0.0.1:0\"\n" + builtin("one"));
  signal(SIGHUP);
  until("the configuration was taken over");
  const Reply refused = local("POST", "/v1/calls", R"({"endpoint":"one","tool":"echo"})");
  EXPECT_NE(refused.status, 200) << refused.body;
  EXPECT_NE(refused.status, 201) << refused.body;
}

TEST_F(Reload, AgentThatIsNotThereYet_IsAskedAgainWhileTheOthersServe) {
  configure(builtin("one") +
            "[[endpoint]]\nname = \"late\"\n"
            "runtime = { kind = \"exec\", command = [\"./late\"] }\n");
  start();
  until("did not list its tools", "endpoint=late");
  const std::string ready = ready_text(60);
  EXPECT_THAT(ready, HasSubstr(R"("ready":true)"));
  EXPECT_THAT(ready, HasSubstr(R"("name":"late","state":"retrying","why":)"));
  follow_until(call("one", "echo"), "completed");
  write("late.new",
        "#!/bin/sh\nread line\n"
        "echo '{\"type\":\"tools\",\"tools\":[{\"name\":\"t\","
        "\"inputSchema\":{\"type\":\"object\"}}]}'\nread line\n");
  ASSERT_EQ(::chmod((folder() / "late.new").c_str(), 0700), 0);
  std::filesystem::rename(folder() / "late.new", folder() / "late");
  until("an endpoint is served", "endpoint=late");
  EXPECT_THAT(ready_text(0), HasSubstr(R"("name":"late","state":"imported")"));
}

TEST_F(Reload, SameVersionWithOtherContent_IsRefusedUntilItIsMended) {
  configure(builtin("one", "version = \"1.0\"\n"));
  start();
  until("an endpoint is served", "endpoint=one");
  configure(builtin("one", "version = \"1.0\"\ntitle = \"Another\"\n"));
  signal(SIGHUP);
  until("an endpoint cannot be served", "give the new one another version");
  EXPECT_THAT(ready_text(0), HasSubstr(R"("name":"one","state":"refused")"));
  configure(builtin("one", "version = \"1.1\"\ntitle = \"Another\"\n"));
  signal(SIGHUP);
  until("an endpoint is served", "version=1.1");
}

}  // namespace
}  // namespace interline::testing
