// What an operator is told: who was denied what, and what /metrics counts.
#include <fstream>
#include <iterator>
#include <set>
#include <signal.h>
#include <sstream>

#include <gmock/gmock.h>

#include "gateway_process.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kHttp = "[http]\nlisten = \"127.0.0.1:0\"\n";

std::string builtin(const std::string& name) {
  return "[[endpoint]]\nname = \"" + name + "\"\nruntime = { kind = \"builtin\" }\n";
}
std::string grant(const std::string& invoke) {
  return "[[grant]]\nprincipals = [\"local:*\"]\nendpoints = [\"*\"]\nvisible = true\ninvoke = [" +
         invoke + "]\n";
}

class Operator : public GatewayTest {
 protected:
  [[nodiscard]] Reply try_to_call(const std::string& endpoint, const std::string& tool) const {
    return local("POST", "/v1/calls",
                 R"({"endpoint":")" + endpoint + R"(","tool":")" + tool + R"("})");
  }
  [[nodiscard]] std::string metrics() const { return get("/metrics").body; }
  /// The metrics once they have that line; nothing says when a process has ended but they.
  [[nodiscard]] std::string metrics_with(const std::string& line) const {
    for (int i = 0; i < 10'000; ++i) {
      if (std::string text = metrics(); text.find(line) != std::string::npos) return text;
    }
    return metrics();
  }
};

// --- the log of decisions -----------------------------------------------------------------------

TEST_F(Operator, Denials_AreInTheLogBeforeAndAfterAReload) {
  write("interline.toml", kHttp + builtin("one") + grant(R"("echo")"));
  start();
  until("an endpoint is served", "endpoint=one");
  EXPECT_EQ(try_to_call("one", "sleep").status, 404);
  EXPECT_THAT(until("denied principal=local:", "tool=sleep"),
              HasSubstr("operation=invoke endpoint=one tool=sleep rule=tool"));
  write("interline.toml", kHttp + builtin("one"));
  signal(SIGHUP);
  until("the configuration was taken over");
  EXPECT_EQ(try_to_call("one", "echo").status, 404);
  EXPECT_THAT(until("denied principal=local:", "tool=echo"),
              HasSubstr("operation=invoke endpoint=one tool=echo rule=no_grant"));
  EXPECT_THAT(log(), Not(HasSubstr(" allowed "))) << "that is for debug";
}

TEST_F(Operator, AtDebug_WhatIsAllowedIsInTheLogWithItsGrant) {
  write("interline.toml", "[gateway]\nlog_level = \"debug\"\n" + kHttp + builtin("one") +
                              grant(R"("sleep")") + grant(R"("echo")"));
  start();
  until("an endpoint is served", "endpoint=one");
  follow_until(call("one", "echo", R"({"secret":"in the arguments"})"), "completed");
  EXPECT_THAT(until("allowed principal=local:", "tool=echo"), HasSubstr("grant=2"));
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  EXPECT_THAT(log(), Not(HasSubstr("in the arguments")));
}

TEST_F(Operator, AFloodOfDenials_FillsNoLogAndIsCounted) {
  write("interline.toml", kHttp + builtin("one"));
  start();
  until("an endpoint is served", "endpoint=one");
  constexpr int kFlood = 400;
  for (int i = 0; i < kFlood; ++i) EXPECT_EQ(try_to_call("one", "echo").status, 404);
  EXPECT_THAT(metrics(),
              HasSubstr("interline_denials_total{operation=\"invoke\",rule=\"no_grant\"} "
                        "400\n"));
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  int lines = 0;
  int left_out = 0;
  std::istringstream stream(log());
  for (std::string line; std::getline(stream, line);) {
    if (line.find(" denied ") != std::string::npos) ++lines;
    const auto at = line.find("left_out=");
    if (at != std::string::npos) left_out += std::stoi(line.substr(at + 9));
  }
  EXPECT_LT(lines, kFlood / 2);
  EXPECT_EQ(lines + left_out, kFlood);
}

// --- destructive tools --------------------------------------------------------------------------

constexpr const char* kDestructive = R"(#!/bin/sh
while read -r line; do
  case "$line" in
    *'"list"'*) echo '{"type":"tools","tools":[{"name":"erase","annotations":{"destructiveHint":true},"inputSchema":{"type":"object"}},{"name":"read","inputSchema":{"type":"object"}}]}' ;;
    *) task=${line#*'"task":"'}; echo "{\"type\":\"result\",\"task\":\"${task%%'"'*}\",\"text\":\"done\"}" ;;
  esac
done
)";

TEST_F(Operator, ExplicitDestructive_AStarReachesNoToolThatDestroys) {
  write("agent.sh", kDestructive);
  const std::string agent =
      "[[endpoint]]\nname = \"store\"\n"
      "runtime = { kind = \"exec\", command = [\"sh\", \"agent.sh\"] }\n";
  const std::string rule = "[policy]\nexplicit_destructive = true\n";
  write("interline.toml", kHttp + agent + grant(R"("*")"));
  start();
  until("an endpoint is served", "endpoint=store");
  follow_until(call("store", "erase"), "completed");

  write("interline.toml", kHttp + agent + rule + grant(R"("*")"));
  signal(SIGHUP);
  until("the configuration was taken over");
  EXPECT_EQ(try_to_call("store", "erase").status, 404);
  until("denied principal=local:", "tool=erase rule=destructive");
  follow_until(call("store", "read"), "completed");

  write("interline.toml", kHttp + agent + rule + grant(R"("*", "erase")"));
  signal(SIGHUP);
  until("the configuration was taken over");
  follow_until(call("store", "erase"), "completed");
}

// --- the active version -------------------------------------------------------------------------

TEST_F(Operator, AVersionActivatedByHand_StandsUntilTheConfigurationNamesAnother) {
  const auto one = [](const std::string& version, const std::string& more = "") {
    return builtin("one") + "version = \"" + version + "\"\n" + more;
  };
  const auto active = [this] { return local("GET", "/v1/endpoints").body; };
  const auto has = [](const std::string& version) {
    return HasSubstr(R"("version":")" + version + '"');
  };
  configure(one("1"));
  start();
  until("an endpoint is served", "version=1");
  configure(one("2"));
  signal(SIGHUP);
  until("an endpoint is served", "version=2");
  EXPECT_THAT(active(), has("2"));

  const std::string activate = "/v1/endpoints/one/activate";
  EXPECT_EQ(local("POST", activate, R"({"version":"1"})").status, 200);
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
  start();
  EXPECT_THAT(until("an endpoint is served"), HasSubstr("version=2"));
  until("what was chosen by hand stands", "version=2");
  EXPECT_THAT(active(), has("1"));
  configure(one("2", "queue = 7\n"));  // the same version otherwise
  signal(SIGHUP);
  until("an endpoint is served", "active=false");
  EXPECT_THAT(active(), has("1"));

  configure(one("3"));
  signal(SIGHUP);
  until("an endpoint is served", "version=3");
  EXPECT_THAT(active(), has("3"));
  configure(one("2"));  // known, but the configuration says something else than before
  signal(SIGHUP);
  until("an endpoint is served", "version=2");
  EXPECT_THAT(active(), has("2"));
}

TEST_F(Operator, ADeactivation_StandsUntilTheEndpointIsConfiguredAnew) {
  configure(builtin("one"));
  start();
  until("an endpoint is served", "active=true");
  EXPECT_EQ(local("POST", "/v1/endpoints/one/deactivate").status, 200);
  signal(SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  start();
  until("an endpoint is served", "active=false");
  EXPECT_EQ(try_to_call("one", "echo").status, 404);
  configure("");
  signal(SIGHUP);
  until("an endpoint was removed");
  configure(builtin("one"));
  signal(SIGHUP);
  until("an endpoint is served", "active=true");
  follow_until(call("one", "echo"), "completed");
}

// --- metrics ------------------------------------------------------------------------------------

TEST_F(Operator, Metrics_CountAdmissionsTasksAndTheirEnds) {
  configure(builtin("one") + "concurrency = 1\n");
  start();
  until("an endpoint is served", "endpoint=one");
  follow_until(call("one", "echo"), "completed");
  follow_until(call("one", "fail"), "failed");
  const std::string asks = call("one", "ask", R"({"question":"Who?"})");
  follow_until(asks, "input_required");
  const std::string waits = call("one", "echo");  // the one that asks keeps the only place
  EXPECT_EQ(try_to_call("one", "nothing.of.that.name").status, 404);
  std::string text = metrics();
  for (const char* line :
       {"interline_admissions_total{network=\"local\",outcome=\"accepted\"} 4\n",
        "interline_admissions_total{network=\"local\",outcome=\"not_found\"} 1\n",
        "interline_tasks_open{state=\"input_required\"} 1\n",
        "interline_tasks_open{state=\"accepted\"} 1\n",
        "interline_tasks_settled_total{outcome=\"completed\"} 1\n",
        "interline_tasks_settled_total{outcome=\"failed\"} 1\n",
        "interline_endpoint_calls_running{endpoint=\"one\"} 1\n",
        "interline_endpoint_calls_waiting{endpoint=\"one\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  // Across a crash the open ones are counted again: one fails, the other is run.
  signal(SIGKILL);
  EXPECT_EQ(wait(), 128 + SIGKILL);
  start();
  follow_until(waits, "completed");
  text = metrics();
  for (const char* line : {"interline_tasks_open{state=\"input_required\"} 0\n",
                           "interline_tasks_open{state=\"accepted\"} 0\n",
                           "interline_tasks_open{state=\"running\"} 0\n",
                           "interline_tasks_settled_total{outcome=\"completed\"} 1\n",
                           "interline_tasks_settled_total{outcome=\"failed\"} 1\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(Operator, Metrics_CountTheStartsAndDeathsOfAgents) {
  write("agent.sh",
        "read -r line\n"
        "echo '{\"type\":\"tools\",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":"
        "\"object\"}}]}'\n"
        "read -r line\nexit 1\n");
  configure(
      "[[endpoint]]\nname = \"mortal\"\n"
      "runtime = { kind = \"exec\", command = [\"sh\", \"agent.sh\"] }\n");
  start();
  until("an endpoint is served", "endpoint=mortal");
  EXPECT_THAT(metrics(), HasSubstr("interline_agent_starts_total{endpoint=\"mortal\"} 1\n"));
  follow_until(call("mortal", "t"), "failed");
  const std::string dead = "interline_agent_deaths_total{endpoint=\"mortal\"} 1\n";
  EXPECT_THAT(metrics_with(dead), HasSubstr(dead));
}

TEST_F(Operator, Metrics_AreAllDescribedInTheDocument) {
  configure(builtin("one"));
  start();
  std::ifstream file(INTERLINE_SOURCE_DIR "/docs/metrics.md", std::ios::binary);
  const std::string document((std::istreambuf_iterator<char>(file)), {});
  std::set<std::string> undescribed;
  std::istringstream stream(metrics());
  int families = 0;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("# TYPE ")) continue;
    ++families;
    const std::string name = line.substr(7, line.find(' ', 7) - 7);
    if (document.find("| `" + name + "` |") == std::string::npos) undescribed.insert(name);
  }
  EXPECT_THAT(undescribed, IsEmpty());
  EXPECT_GT(families, 30);
}

}  // namespace
}  // namespace interline::testing
